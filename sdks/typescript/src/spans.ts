/** Spans of time as the API writes them: `"30s"`, `"250ms"`, `"1h30m"`. */

/** A span: a text such as `"30s"`, or a number of seconds. */
export type Span = string | number;

const MICROS: Record<string, number> = { d: 86_400_000_000, h: 3_600_000_000, m: 60_000_000, s: 1_000_000, ms: 1_000, us: 1 };
const WHOLE = /^([0-9]+(us|ms|s|m|h|d))+$/;

/** How many milliseconds a span is. */
export function millis(span: Span): number {
  if (typeof span === "number") {
    if (!Number.isFinite(span)) throw new RangeError(`${span} is no span of time`);
    return span * 1_000;
  }
  if (!WHOLE.test(span)) throw new RangeError(`'${span}' is no span; write "250ms", "30s", "5m", "24h" or "1h30m"`);
  let sum = 0;
  for (const [, number, unit] of span.matchAll(/([0-9]+)(us|ms|s|m|h|d)/g)) sum += Number(number) * MICROS[unit!]!;
  return sum / 1_000;
}

/** A span as the API writes it. */
export function text(span: Span): string {
  return typeof span === "number" ? textOfMillis(millis(span)) : (millis(span), span);
}

/** So many milliseconds as the API writes them, with the largest units that keep them whole. */
export function textOfMillis(count: number): string {
  let rest = Math.max(0, Math.round(count * 1_000));
  let written = "";
  for (const [unit, size] of Object.entries(MICROS)) {
    if (rest >= size) {
      written += `${Math.floor(rest / size)}${unit}`;
      rest %= size;
    }
  }
  return written || "0s";
}
