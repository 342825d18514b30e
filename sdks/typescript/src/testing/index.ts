/** Helpers for tests of your own: one attempt without a server, and a real server for as long as a test wants it. */

export { type Checkpoint, run, Run, type RunOptions } from "./run";
export { NoServer, Server, server, serverBinary, type ServerOptions } from "./server";
