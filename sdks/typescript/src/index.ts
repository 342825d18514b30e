/** Durable jobs on a Baton server: enqueue them, and run them in Node. */

export { Baton, type BatonOptions } from "./app";
export { Client, type ClientOptions, type Following } from "./client";
export { type Child, type CheckpointOptions, Context } from "./context";
export {
  type BatchHandler,
  type BatchOptions,
  type EnqueueOptions,
  type Handler,
  type Item,
  Job,
  type JobOptions,
  type Options,
} from "./definitions";
export {
  BatonError,
  CheckpointRefused,
  Failed,
  type FieldError,
  PayloadError,
  Problem,
  TimedOut,
  Unreachable,
  WorkerEnded,
} from "./errors";
export { FeedReset } from "./feed";
export type * as models from "./generated/models";
export { Handle } from "./handles";
export { currentJob, type Log } from "./log";
export { type Call, type Enqueued, type Enqueuing, type EnqueuingMany, logged, type Middleware, type Next } from "./middleware";
export type { Trace } from "./traces";
export { type Schema } from "./schema";
export { type Span } from "./spans";
export { ENQUEUE, enqueueArgument, enqueueIn, type SqlClient } from "./sql";
export { type Message } from "./sse";
export {
  Failure,
  Gone,
  Misconfigured,
  Permanent,
  RetryAfter,
  Said,
  Skip,
  Snooze,
  Stopped,
  Throttled,
  type Verdict,
  type Why,
} from "./verdicts";
export { VERSION } from "./version";
export { type ClaimedJob, type Progress } from "./worker/messages";
export { type WorkerOptions } from "./worker/settings";
export { Worker } from "./worker/worker";
