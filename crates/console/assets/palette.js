// The palette: finds anything from any page, in a dialog. What it shows is what the page of the search
// has found, so without this script there is that page. Nothing is asked before the hand rests.

const words = JSON.parse(document.body.dataset.words ?? "{}");
const t = (text) => words[text] ?? text;

const dialog = document.querySelector("[data-palette]");
const seek = document.querySelector("[data-seek]");
const input = dialog.querySelector("input");
const list = dialog.querySelector("[role=listbox]");
const said = dialog.querySelector("[data-palette-said]");
const REST = 150; // Milliseconds without a key.

let asking = null; // What ends the question that is on its way.
let timer = 0;
let answered = null; // What the answer on show is to.

const options = () => [...list.querySelectorAll("[role=option]")];
const active = () => list.querySelector("[aria-selected=true]");

function open() {
  if (document.querySelector("dialog[open]")) return;
  dialog.showModal();
  input.select();
  if (answered !== input.value) ask();
}

function choose(option) {
  active()?.setAttribute("aria-selected", "false");
  option?.setAttribute("aria-selected", "true");
  option?.scrollIntoView({ block: "nearest" });
  if (option) input.setAttribute("aria-activedescendant", option.id); else input.removeAttribute("aria-activedescendant");
}

function step(by) {
  const all = options();
  if (!all.length) return;
  const at = all.indexOf(active());
  choose(all[at < 0 ? (by > 0 ? 0 : all.length - 1) : (at + by + all.length) % all.length]);
}

function show(found, base) {
  list.replaceChildren(...[...found.querySelectorAll("a")].map((link, at) => {
    // Its addresses are as seen from its own page.
    link.href = new URL(link.getAttribute("href"), base);
    link.id = `found-${at}`;
    link.tabIndex = -1;
    link.setAttribute("role", "option");
    link.setAttribute("aria-selected", "false");
    return link;
  }));
  const all = options();
  input.setAttribute("aria-expanded", String(all.length > 0));
  choose(all[0]);
  const words = [...found.querySelectorAll("[data-said]")].map((node) => node.textContent.trim());
  said.textContent = words.join(" ");
}

async function ask() {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  const sought = input.value;
  const address = `${seek.href}?${new URLSearchParams({ q: sought })}`;
  try {
    const answer = await fetch(address, { signal });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (signal.aborted) return; // It was here already, and there is a newer question.
    const found = page.querySelector("[data-found]");
    if (!found) { tellOfThePage(address); return; }
    answered = sought;
    show(found, answer.url);
  } catch (error) {
    if (error.name === "AbortError") return;
    tell(t("The server does not answer."));
  }
}

// Nobody is signed in any more, or the server is in trouble: the page itself says so. It is not gone to
// unasked, because what stands half filled in on this one would be lost.
function tellOfThePage(address) {
  const link = document.createElement("a");
  link.href = address;
  link.textContent = t("page of the search");
  const [before, after] = t("Nothing could be searched: your session may be over. The {page} says more.").split("{page}");
  tell(before, link, after);
}

function tell(...words) {
  list.replaceChildren();
  input.setAttribute("aria-expanded", "false");
  choose(null);
  answered = null;
  said.replaceChildren(...words);
}

function go(option, event) {
  event.preventDefault();
  if (event.ctrlKey || event.metaKey) window.open(option.href, "_blank", "noopener"); else location.assign(option.href);
}

input.addEventListener("input", () => {
  // What stands there answers another question, and so does what is on its way: Enter must not follow it.
  asking?.abort();
  choose(null);
  clearTimeout(timer);
  timer = setTimeout(ask, REST);
});

dialog.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") { event.preventDefault(); step(event.key === "ArrowDown" ? 1 : -1); }
  else if (event.key === "Enter" && event.target === input && active()) go(active(), event);
});

dialog.addEventListener("click", (event) => {
  // Beside the dialog lies its backdrop, which belongs to it.
  if (event.target === dialog && !isInside(event)) dialog.close();
});

function isInside({ clientX, clientY }) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return left <= clientX && clientX <= right && top <= clientY && clientY <= bottom;
}

list.addEventListener("pointermove", (event) => {
  const option = event.target.closest("[role=option]");
  if (option && option !== active()) choose(option);
});

seek.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  open();
});

function singleKeysAct() {
  const box = document.querySelector("[data-keys-on]");
  return box.checked;
}

document.addEventListener("keydown", (event) => {
  const isPalette = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
  if (isPalette) { event.preventDefault(); if (dialog.open) dialog.close(); else open(); return; }
  const isTyping = event.target.closest?.("input, textarea, select, dialog");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey || !singleKeysAct()) return;
  event.preventDefault();
  open();
});

seek.setAttribute("aria-haspopup", "dialog");
seek.setAttribute("aria-keyshortcuts", "Control+K Meta+K");
const key = seek.querySelector("kbd");
if (/Mac|iPhone|iPad/.test(navigator.platform)) key.textContent = "⌘K";
key.hidden = false;
