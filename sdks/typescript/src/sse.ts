/** Server-sent events, taken apart as they arrive. */

const LONGEST_LINE = 4 * 1024 * 1024;

/** What stood between two empty lines of a stream. */
export interface Message {
  id?: string;
  event: string;
  data?: string;
}

/** Takes a stream apart. */
export class Parser {
  /** How many milliseconds the server asks to wait before the next connection. */
  retry: number | undefined;
  #rest: Buffer = Buffer.alloc(0);
  #message: Message = { event: "" };

  /** Forgets what was cut off in the midst: it comes again as a whole. */
  beginAnew(): void {
    this.#rest = Buffer.alloc(0);
    this.#message = { event: "" };
  }

  /** Takes the next bytes; gives the messages they complete. */
  take(piece: Uint8Array): Message[] {
    const all = Buffer.concat([this.#rest, piece]);
    const messages: Message[] = [];
    let from = 0;
    for (let end = all.indexOf(10); end >= 0; end = all.indexOf(10, from)) {
      const message = this.#endLine(all.toString("utf8", from, end).replace(/\r$/, ""));
      if (message) messages.push(message);
      from = end + 1;
    }
    this.#rest = all.subarray(from);
    if (this.#rest.length > LONGEST_LINE) throw new RangeError("a line without an end; that is no Baton");
    return messages;
  }

  #endLine(line: string): Message | undefined {
    if (line) {
      const at = line.indexOf(":");
      const [name, value] = at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, "")];
      this.#takeField(name, value);
      return undefined;
    }
    const message = this.#message;
    this.#message = { event: "" };
    return message.data !== undefined || message.id !== undefined ? message : undefined;
  }

  #takeField(name: string, value: string): void {
    if (name === "data") this.#message.data = this.#message.data === undefined ? value : `${this.#message.data}\n${value}`;
    else if (name === "event") this.#message.event = value;
    else if (name === "id") this.#message.id = value;
    else if (name === "retry" && /^[0-9]+$/.test(value)) this.retry = Number(value);
  }
}
