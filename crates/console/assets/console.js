// The console's script; that of the palette stands beside it. Every page works without them; it keeps pages current and buttons quick.
// It loads nothing from elsewhere, and it swaps what has changed in place: focus, selection and
// scroll stay where the hand left them.

const page = document.body.dataset;
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

const kept = {
  read(name, fallback) { try { return localStorage.getItem(`baton.${name}`) ?? fallback; } catch { return fallback; } },
  write(name, value) { try { localStorage.setItem(`baton.${name}`, value); } catch { /* A private window forgets; nothing depends on it. */ } },
};

// The page says what each text is called in its language; in English it is called what stands here.
const words = JSON.parse(page.words ?? "{}");
const t = (text, values = {}) => (words[text] ?? text).replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);

// ---- Times -------------------------------------------------------------------------------------

let skew = 0; // The server's clock minus this one's, in milliseconds: ages are as the server sees them.
let zone = kept.read("zone", "UTC");

function span(seconds) {
  const units = { s: (n) => t("{n} s", { n }), m: (n) => t("{n} m", { n }), h: (n) => t("{n} h", { n }), d: (n) => t("{n} d", { n }) };
  const pair = (large, l, small, s) => {
    const rest = Math.floor((seconds % large) / small);
    return `${units[l](Math.floor(seconds / large))}${rest ? ` ${units[s](rest)}` : ""}`;
  };
  if (seconds < 60) return units.s(seconds);
  if (seconds < 600) return pair(60, "m", 1, "s");
  if (seconds < 3600) return units.m(Math.floor(seconds / 60));
  if (seconds < 86400) return pair(3600, "h", 60, "m");
  return pair(86400, "d", 3600, "h");
}

function age(at) {
  const seconds = (Date.now() + skew - at) / 1000;
  if (Math.abs(seconds) < 1) return t("now");
  return seconds > 0 ? t("{span} ago", { span: span(Math.floor(seconds)) }) : t("in {span}", { span: span(Math.floor(-seconds)) });
}

const two = (number) => String(number).padStart(2, "0");
function civil(at) {
  if (zone === "UTC") return `${at.toISOString().slice(0, 10)} ${at.toISOString().slice(11, 19)}`;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

function set(node, text) { if (node.textContent !== text) node.textContent = text; }

function tellTimes(root = document) {
  for (const node of $$("time[datetime]", root)) {
    const at = new Date(node.dateTime);
    const exact = civil(at);
    set(node, "moment" in node.dataset ? exact : age(at.getTime()));
    const title = `${exact} ${zone === "UTC" ? "UTC" : t("local")}`;
    if (node.title !== title) node.title = title;
  }
}

function switchZone() {
  zone = zone === "UTC" ? "Local" : "UTC";
  kept.write("zone", zone);
  $("[data-zone]").textContent = zone === "UTC" ? zone : t("Local");
  tellTimes();
}

// ---- Swapping in place -------------------------------------------------------------------------

const KEYS = ["job", "campaign", "schedule", "fire", "queue", "worker", "routine", "event", "group", "operation", "tab", "panel"];

function keyOf(node) {
  if (node.nodeType !== 1) return null;
  if (node.id) return `#${node.id}`;
  if (node.matches("[data-act]")) return `act:${node.getAttribute("action")}:${$("[data-action]", node)?.dataset.action}`;
  if (node.matches("[data-ask]")) return `ask:${node.getAttribute("href")}`;
  const name = KEYS.find((name) => name in node.dataset);
  return name ? `${name}:${node.dataset[name]}` : null;
}

const isSame = (a, b) => a && a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

function morph(old, fresh) {
  if (old.nodeType !== 1) { if (old.data !== fresh.data) old.data = fresh.data; return; }
  if (old.nodeName === "TIME" && old.dateTime === fresh.dateTime) return;
  if (old.nodeName === "TIME") { old.dateTime = fresh.dateTime; return; }
  const busy = old.dataset.busy;
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && name !== "hidden" && name !== "data-busy" && !(name === "open" && old.nodeName === "DETAILS") && !(busy && name === "disabled")) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value && name !== "hidden") old.setAttribute(name, value);
  if (old.nodeName === "INPUT") return;
  const before = "number" in old.dataset ? old.textContent : null;
  morphChildren(old, fresh);
  if (before !== null && before !== old.textContent) tint(old);
}

function morphChildren(old, fresh) {
  const byKey = new Map([...old.children].map((child) => [keyOf(child), child]).filter(([key]) => key));
  let at = old.firstChild;
  for (const next of [...fresh.childNodes]) {
    const key = keyOf(next);
    let match = key ? byKey.get(key) : isSame(at, next) ? at : null;
    if (match && !isSame(match, next)) match = null;
    if (!match) { old.insertBefore(next, at); born.set(next, Date.now()); continue; }
    if (match === at) at = at.nextSibling; else old.insertBefore(match, at);
    morph(match, next);
  }
  while (at) { const gone = at; at = at.nextSibling; gone.remove(); }
}

// A button that came to lie under the pointer a moment ago is not what the hand was reaching for.
const born = new WeakMap();
function isTooFresh(node) {
  for (; node; node = node.parentElement) if (Date.now() - (born.get(node) ?? 0) < 500) return true;
  return false;
}

// A pointer lies there, or a key would act there. What was pressed with a mouse keeps the focus for
// ever; only that of the keyboard counts.
const isUnderHand = (node) => node.matches(":hover") || !!$(":focus-visible", node);

// Rows do not come, go or change places under a hand, nor the bars that somebody points at.
function wouldStir(panel, fresh) {
  if ($(".picture:hover", panel)) return true;
  if (!isUnderHand(panel)) return false;
  const rows = (root) => $$("tbody tr", root).map(keyOf).join();
  return rows(panel) !== rows(fresh);
}

// The rows that stay are kept current all the same: a hand must not act on what is no longer so.
function morphRows(panel, fresh) {
  const next = new Map($$("tbody tr", fresh).map((row) => [keyOf(row), row]).filter(([key]) => key));
  for (const row of $$("tbody tr", panel)) if (next.has(keyOf(row))) morph(row, next.get(keyOf(row)));
}

function tint(node) {
  node.classList.remove("changed");
  void node.offsetWidth;
  node.classList.add("changed");
}

function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

function parseRow(html) {
  return $("tr", parse(`<table><tbody>${html}</tbody></table>`));
}

function ready(root) {
  tellTimes(root);
  for (const node of $$("[data-copy-from]", root)) node.hidden = false;
}

// ---- Live --------------------------------------------------------------------------------------

const live = { source: null, heard: 0, isPaused: false, waiting: null, trouble: null, staleSince: null };

function feedAddress() {
  const query = new URLSearchParams(page.watch);
  query.set("room", page.room);
  query.set("up", page.up);
  query.set("home", page.home);
  const held = $$("[data-rows] tr[data-job]").map((row) => row.dataset.job.replace(/^job_/, ""));
  if (held.length) query.set("held", held.join(","));
  return `${page.up}/live?${query}`;
}

function connect() {
  if (live.source || document.hidden) return;
  live.source = new EventSource(feedAddress());
  live.source.addEventListener("frame", (message) => {
    live.heard = Date.now();
    const frame = JSON.parse(message.data);
    skew = new Date(frame.at).getTime() - Date.now();
    // Frames differ from one another, so what waits is added up and not replaced.
    live.waiting = live.waiting ? addUp(live.waiting, frame) : frame;
    settle();
  });
  // The browser would try again by itself, but with the rows that the page had at first.
  live.source.onerror = () => {
    live.source?.close();
    live.source = null;
    setTimeout(connect, 2000 + 2000 * Math.random());
  };
}

// A browser opens six connections to a server at most: a tab that nobody sees gives its own back.
function disconnect() {
  live.source?.close();
  live.source = null;
  live.heard = 0;
}

function addUp(before, after) {
  return { ...after, panels: { ...before.panels, ...after.panels }, rows: { ...before.rows, ...after.rows } };
}

function isHeld() {
  const selection = document.getSelection();
  const selects = selection && !selection.isCollapsed && $("main").contains(selection.anchorNode);
  return live.isPaused || $("dialog[open]") || selects;
}

function settle() {
  if (!isHeld()) {
    const frame = live.waiting;
    live.waiting = null;
    if (frame) show(frame); else takeIn();
  }
  badge();
}

function show(frame) {
  const later = { ...frame, panels: {}, rows: {} };
  for (const [name, html] of Object.entries(frame.panels)) {
    const panel = $(`[data-panel="${name}"]`);
    if (!panel) continue;
    const fresh = parse(html);
    if (wouldStir(panel, fresh)) { later.panels[name] = html; morphRows(panel, fresh); ready(panel); continue; }
    morphChildren(panel, fresh);
    ready(panel);
  }
  for (const [id, html] of Object.entries(frame.rows)) {
    const row = $(`[data-rows] tr[data-job="${id}"]`);
    if (!row) { newcomers.set(id, html); continue; }
    const fresh = parseRow(html);
    const hasMoved = row.dataset.state !== fresh.dataset.state;
    morph(row, fresh);
    ready(row);
    if (hasMoved) tint(row);
  }
  takeIn(frame.fresh);
  if (frame.trouble && !live.trouble) live.staleSince = frame.at;
  if (frame.trouble && frame.trouble !== live.trouble) say(t("The page is stale: {why}", { why: frame.trouble }));
  live.trouble = frame.trouble;
  if (Object.keys(later.panels).length) live.waiting = later;
}

// New rows do not push away what the hand is about to press: while it is on the list they are offered.
const newcomers = new Map();
let more = null; // How many there are besides, too many to take in.

function takeIn(besides = more) {
  more = besides;
  const rows = $("[data-rows]");
  if (!rows) { offer(more); return; }
  if (!isUnderHand(rows)) for (const id of [...newcomers.keys()].sort()) insert(rows.tBodies[0], id);
  offer(more ?? (newcomers.size || null));
}

// Ids are in the order of time, and the newest stands first.
function insert(body, id) {
  const row = parseRow(newcomers.get(id));
  newcomers.delete(id);
  body.insertBefore(row, [...body.rows].find((other) => other.dataset.job < id) ?? null);
  // The rows below have moved, so none of them is what the hand was reaching for.
  born.set(body, Date.now());
  body.closest("[hidden]")?.removeAttribute("hidden");
  $("[data-none]")?.remove();
  ready(row);
  tint(row);
}

function offer(fresh) {
  const pill = $("[data-fresh]");
  if (!pill) return;
  pill.hidden = !fresh;
  if (fresh) set($("a", pill), t("{n} new", { n: fresh }));
}

function badge() {
  const quiet = Date.now() - live.heard;
  let state = "off", text = t("not live");
  if (live.isPaused) [state, text] = ["paused", t("paused")];
  else if (live.trouble) [state, text] = ["stale", t("stale since {time}", { time: civil(new Date(live.staleSince)).slice(11) })];
  else if (!live.heard) [state, text] = ["connecting", t("connecting")];
  else if (quiet > 12000 || live.source?.readyState !== EventSource.OPEN) [state, text] = ["reconnecting", t("reconnecting, {span} old", { span: span(Math.floor(quiet / 1000)) })];
  else if (isHeld() || live.waiting) [state, text] = ["held", t("waits for you")];
  else [state, text] = ["live", t("live {span}", { span: span(Math.floor(quiet / 1000)) })];
  const node = $("[data-live]");
  if (node.dataset.live !== state) {
    if (state === "live" && node.dataset.live === "reconnecting") say(t("Live again"));
    if (state === "reconnecting") say(t("The connection is lost; reconnecting"));
    node.dataset.live = state;
  }
  set($("[data-live-text]"), text);
}

function pause() {
  live.isPaused = !live.isPaused;
  const button = $("[data-pause]");
  button.setAttribute("aria-pressed", String(live.isPaused));
  button.textContent = live.isPaused ? t("Resume") : t("Pause");
  settle();
}

// ---- What was done -----------------------------------------------------------------------------

let saidAt = 0, toSay = null;
function say(text) {
  if (!text) return;
  if (toSay !== null) { toSay = text; return; }
  toSay = text;
  // Whoever listens hears one thing in ten seconds at most.
  setTimeout(() => { $("[data-status]").textContent = toSay; toSay = null; saidAt = Date.now(); }, Math.max(0, saidAt + 10000 - Date.now()));
}

function toast(kind, text, undo) {
  const node = document.createElement("div");
  node.className = "toast";
  node.dataset.kind = kind;
  node.setAttribute("role", kind === "trouble" ? "alert" : "status");
  const words = document.createElement("p");
  words.textContent = text;
  node.append(words);
  const close = () => node.remove();
  if (undo) node.append(control(t("Undo"), () => { close(); post(undo, new URLSearchParams(), true); }));
  node.append(control(t("Close"), close));
  $("[data-toasts]").append(node);
  setTimeout(close, kind === "trouble" ? 30000 : 10000);
}

function control(label, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = label;
  button.addEventListener("click", act);
  return button;
}

async function post(address, body, isUndo = false) {
  let answer, receipt;
  try {
    answer = await fetch(address, { method: "POST", body, headers: { accept: "application/json" } });
    receipt = await answer.json();
  } catch {
    toast("trouble", t("The server does not answer, so it may have been done or not. Look before you press again."));
    return false;
  }
  if (!answer.ok) {
    toast("trouble", `${receipt.title}. ${receipt.detail} ${receipt.advice ?? ""}`);
    return false;
  }
  toast("receipt", receipt.message, isUndo || !receipt.undo ? null : new URL(receipt.undo, answer.url));
  if (live.source?.readyState !== EventSource.OPEN) setTimeout(() => location.reload(), 1500);
  return true;
}

async function press(form, button) {
  if (form.dataset.busy) return;
  form.dataset.busy = "1";
  if (button) button.dataset.busy = "1", button.disabled = true;
  const isDone = await post(form.action, new URLSearchParams(new FormData(form)));
  const dialog = form.closest("dialog");
  if (isDone && dialog) dialog.close();
  else if (isDone && form.closest("[data-confirm]")) location.assign($("[data-close]", form).href);
  if (isDone) forgetReason(form);
  // Until the page shows what was done, the same button would do it twice.
  if (isDone) await nextFrame();
  delete form.dataset.busy;
  if (button) delete button.dataset.busy, button.disabled = false;
}

// The next press has a reason of its own.
function forgetReason(form) {
  for (const field of $$("[name=reason]", form)) field.value = "";
  for (const why of $$(".because", form)) why.open = false;
}

function nextFrame() {
  return new Promise((resolve) => {
    live.source?.addEventListener("frame", resolve, { once: true });
    setTimeout(resolve, 3000);
  });
}

async function ask(link) {
  const dialog = $("[data-dialog]");
  try {
    const answer = await fetch(link.href);
    const content = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main > section");
    if (!answer.ok) return toast("trouble", $$("p:not(:last-child)", content).map((p) => p.textContent).join(" "));
    // Its addresses are as seen from its own page.
    for (const node of $$("form", content)) node.action = new URL(node.getAttribute("action"), answer.url);
    for (const node of $$("a", content)) node.href = new URL(node.getAttribute("href"), answer.url);
    dialog.replaceChildren(content);
  } catch {
    return location.assign(link.href);
  }
  dialog.showModal();
  $("input:not([type=hidden]), .button.main, [data-close]", dialog)?.focus();
}

async function copy(button) {
  const source = document.getElementById(button.dataset.copyFrom);
  const text = source.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Over plain HTTP there is no clipboard; what is selected can be copied.
    document.getSelection().selectAllChildren(source);
    document.execCommand("copy");
    document.getSelection().removeAllRanges();
  }
  toast("receipt", t("Copied."));
}

// ---- Hands and keys ----------------------------------------------------------------------------

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-act]")) return;
  event.preventDefault();
  if (!isTooFresh(form)) press(form, event.submitter);
});

document.addEventListener("click", (event) => {
  const target = event.target.closest?.("[data-ask], [data-close], [data-copy-from], [data-pause], [data-zone], [data-help]");
  if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (target.matches("[data-ask]")) { event.preventDefault(); ask(target); }
  else if (target.matches("dialog [data-close]")) { event.preventDefault(); target.closest("dialog").close(); }
  else if (target.matches("[data-copy-from]")) copy(target);
  else if (target.matches("[data-pause]")) pause();
  else if (target.matches("[data-zone]")) switchZone();
  else if (target.matches("[data-help]")) $("[data-keys]").showModal();
});

let awaitsRoom = 0;
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest?.("input, textarea, select, dialog");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || kept.read("keys", "on") === "off") return;
  if (Date.now() - awaitsRoom < 1000) {
    awaitsRoom = 0;
    const room = $(`.rail [data-key="${CSS.escape(event.key)}"]`);
    if (room) { room.click(); return; }
  }
  if (event.key === "g") awaitsRoom = Date.now();
  else if (event.key === "p") pause();
  else if (event.key === "u") switchZone();
  else if (event.key === "?") $("[data-keys]").showModal();
});

for (const dialog of $$("dialog")) dialog.addEventListener("close", settle);
document.addEventListener("selectionchange", settle);
document.addEventListener("visibilitychange", () => (document.hidden ? disconnect() : connect()));
addEventListener("pagehide", disconnect);
addEventListener("pageshow", connect);

const keysOn = $("[data-keys-on]");
keysOn.checked = kept.read("keys", "on") === "on";
keysOn.addEventListener("change", () => kept.write("keys", keysOn.checked ? "on" : "off"));

for (const node of $$("[data-pause], [data-zone], [data-help]")) node.hidden = false;
$("[data-zone]").textContent = zone === "UTC" ? zone : t("Local");
// Whoever reads local times means them too.
for (const node of $$("[data-zone-here]")) node.value ||= zone === "UTC" ? zone : Intl.DateTimeFormat().resolvedOptions().timeZone;
const origin = $("[data-origin]");
// Beside the console stands the API: /admin becomes /v1, also below a sub-path.
if (origin) origin.textContent = new URL(page.home, location.href).href.replace(/\/[^/]*\/?$/, "");
ready(document);
setInterval(() => { if (!document.hidden) { tellTimes(); settle(); } }, 1000);
connect();
