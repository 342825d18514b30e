/** The servers of one installation, tried in turn. */

import { readFileSync } from "node:fs";

const DEFAULT = "http://127.0.0.1:7878";
/** What to do where no server answers. */
const NOBODY = "does `baton serve` run there? The address, or BATON_URL, says where it does";

/** One or more addresses, of which one is in use until it does not answer. */
export class Addresses {
  readonly all: string[];
  #at = 0;

  constructor(url?: string | readonly string[]) {
    const given = url ?? (process.env.BATON_URL || DEFAULT);
    const parts = typeof given === "string" ? given.split(",") : given;
    this.all = parts.filter((part) => part.trim()).map(checked);
    if (this.all.length === 0) throw new TypeError("no address of a server was given");
  }

  /** The one in use. */
  get current(): string {
    return this.all[this.#at]!;
  }

  /** Goes on to the next, unless somebody else has done so. */
  turn(failed: string): void {
    if (failed === this.current) this.#at = (this.#at + 1) % this.all.length;
  }
}

/** Who has not answered, why, and what to do if nobody is there at all. */
export function unanswered(base: string, why: string, refused: boolean): string {
  const told = `no answer from ${base}: ${why}`;
  return refused ? `${told}; ${NOBODY}` : told;
}

/** The API key: as given, from the file that `BATON_KEY_FILE` names, or from `BATON_KEY`, as the command line has it. */
export function keyOf(key?: string): string | undefined {
  if (key !== undefined) return key;
  const file = process.env.BATON_KEY_FILE;
  if (file) return readFileSync(file, "utf8").trim();
  return process.env.BATON_KEY || undefined;
}

function checked(address: string): string {
  const trimmed = address.trim().replace(/\/+$/, "");
  if (!/^https?:\/\/[^/]/.test(trimmed) || !URL.canParse(trimmed)) {
    throw new TypeError(`'${trimmed}' is no address of a server; it must begin with http:// or https://`);
  }
  return trimmed;
}
