/** Where a worker and its handlers write their lines. */

import { AsyncLocalStorage } from "node:async_hooks";

/** What a log takes: most loggers can be given as they are, or with three lines around them. */
export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** A line's weight. */
export type Level = keyof Log;

/** Warnings and errors, on stderr. */
export const stderr: Log = {
  debug: () => {},
  info: () => {},
  warn: (message, fields) => console.warn(...line(message, fields)),
  error: (message, fields) => console.error(...line(message, fields)),
};

/** The job that is worked on here, for whoever writes logs. */
export const currentJob = new AsyncLocalStorage<{ id: string; kind: string; attempt: number }>();

/** The same log, with these fields on every line. */
export function withFields(log: Log, more: Record<string, unknown>): Log {
  const at = (level: Level) => (message: string, fields?: Record<string, unknown>) => log[level](message, { ...more, ...fields });
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

function line(message: string, fields: Record<string, unknown> | undefined): unknown[] {
  return fields && Object.keys(fields).length > 0 ? [`baton: ${message}`, fields] : [`baton: ${message}`];
}
