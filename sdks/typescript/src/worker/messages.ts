/** What the thread of the keeper and the thread of the handlers say to each other. */

import type { SaveBody, Child } from "../context";
import type { FieldError } from "../errors";
import type { Level } from "../log";
import type { Trace } from "../traces";
import type { Connection } from "../transport";
import type { Why } from "../verdicts";
import type { KeeperSettings } from "./settings";

/** How far a job is, for people. */
export interface Progress {
  done: number;
  total?: number | null;
  note?: string | null;
}

/** A job as a claim tells of it, but for its token, which stays with the keeper. */
export interface ClaimedJob {
  id: string;
  kind: string;
  payload: any;
  key?: string | null;
  tags?: string[];
  attempt: number;
  tries: number;
  max_attempts: number;
  run: number;
  losses: number;
  timeout: string;
  delivery: string;
  idempotency_key: string;
  queued_ago: string;
  created_ago: string;
  expires_in?: string | null;
  /** The trace of whoever asked for the job. */
  trace?: Trace | null;
  /** The queue it stood in, which its batch tells. */
  queue?: string;
  checkpoint?: { seq: number; era: number; cursor: any; progress?: Progress | null; ago: string } | null;
}

/** What the keeper is started with. */
export interface KeeperData {
  connection: Connection;
  settings: KeeperSettings;
  kinds: Kind[];
}

/** What the keeper has to know of a definition. */
export interface Kind {
  kind: string;
  queue: string;
  isBatch: boolean;
  batchSize: number;
  linger: number;
}

/** An attempt that is to begin, unless `until` has passed: its lease may then have ended. */
export interface Begin {
  n: number;
  job: ClaimedJob;
  timeout: number;
  until: number;
}

/** How an attempt ended: in the words of its result, `cancelled` because it was told to, or `unbegun`. */
export interface Ended {
  n: number;
  words: string | "cancelled" | "unbegun";
  at: number;
}

/** From the keeper. */
export type ToHandlers =
  | { is: "begin"; attempts: Begin[] }
  | { is: "batch"; attempts: Begin[] }
  | { is: "cancel"; n: number; why: Why }
  | { is: "stopping"; attempts: number[] }
  | { is: "saved"; save: number; children: Child[] }
  | { is: "not saved"; save: number; stopped?: Why; recorded: boolean; errors?: FieldError[] }
  | { is: "registered"; id: string }
  | { is: "stuck"; count: number }
  | { is: "ping" }
  | { is: "log"; level: Level; line: string; fields?: Record<string, unknown> }
  | { is: "done"; code: number; ended?: string; broke?: string };

/** To the keeper. */
export type ToKeeper =
  | { is: "ended"; attempts: Ended[] }
  | { is: "save"; n: number; save: number; body: SaveBody }
  | { is: "progress"; n: number; progress: Progress }
  | { is: "pong" }
  | { is: "heard" }
  | { is: "stop" };
