// What is measured, the same for every peer: single enqueues, bulk enqueues, the drain of all of them, and the
// time from an enqueue to its start.
//
// `open(stage)` of a peer returns an object with
//   concurrency, bulkNote, drainNote    what to say beside the figures
//   enqueue(i)                          adds one job and returns when the peer has acknowledged it
//   enqueueMany(indices)                adds jobs by the peer's own bulk call
//   beforeDrain?()                      what a running system has done long ago, such as statistics
//   start(handled)                      starts the workers; they call `handled(count)` as jobs run
//   unfinished()                        how many jobs the store does not yet call finished
//   beforeLatency?()                    other workers for the latency; without `hasLatency` it is not measured
//   close()                             lets go of the store and removes what was made there
import os from "node:os";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

const SINGLE_CALLERS = 8;
const SINGLES = 2000;
const BULK = 1000;
const POLL_MS = 5;

export async function measure(name, open, stage) {
  const peer = await open(stage);
  const progress = new Progress();
  const report = (line) => console.log(JSON.stringify({ peer: name, ...line }));

  const singles = Math.floor(Math.min(SINGLES, stage.jobs / 5) / SINGLE_CALLERS) * SINGLE_CALLERS;
  report(rate("enqueue_single", singles, SINGLE_CALLERS, await seconds(() => enqueueSingles(peer, singles)), ""));
  report(rate("enqueue_bulk", stage.jobs - singles, 1, await seconds(() => enqueueBulk(peer, singles, stage.jobs)), peer.bulkNote));
  await peer.beforeDrain?.();
  report(rate("drain", stage.jobs, peer.concurrency, await seconds(() => drain(peer, progress, stage.jobs)), peer.drainNote));
  if (peer.hasLatency) {
    await peer.beforeLatency?.();
    report(await latency(peer, progress, stage.samples));
  }
  await peer.close();
}

async function enqueueSingles(peer, singles) {
  const share = singles / SINGLE_CALLERS;
  const caller = async (_, number) => {
    for (let i = 0; i < share; i++) await peer.enqueue(number * share + i);
  };
  await Promise.all(Array.from({ length: SINGLE_CALLERS }, caller));
}

async function enqueueBulk(peer, from, to) {
  for (let first = from; first < to; first += BULK) {
    const count = Math.min(BULK, to - first);
    await peer.enqueueMany(Array.from({ length: count }, (_, i) => first + i));
  }
}

// The handlers' own count only says when to begin to ask the store: its word ends the drain.
async function drain(peer, progress, jobs) {
  await peer.start((count) => progress.add(count));
  while (progress.handled < jobs) await sleep(POLL_MS);
  while ((await peer.unfinished()) > 0) await sleep(POLL_MS);
}

async function latency(peer, progress, samples) {
  const took = [];
  for (let i = 0; i < samples; i++) {
    await sleep(10 + Math.random() * 20);
    const started = progress.next();
    const called = performance.now();
    await peer.enqueue(i);
    took.push((await started) - called);
  }
  took.sort((a, b) => a - b);
  const quantile = (q) => Number(took[Math.min(took.length - 1, Math.floor(q * took.length))].toFixed(3));
  return {
    workload: "latency_idle",
    n: samples,
    concurrency: peer.concurrency,
    p50_ms: quantile(0.5),
    p99_ms: quantile(0.99),
    max_ms: quantile(1),
    notes: notes("enqueue call to handler, same process"),
  };
}

/** How many jobs the handlers have seen, and who waits for the next one. */
class Progress {
  handled = 0;
  #waiting = null;

  add(count) {
    this.handled += count;
    this.#waiting?.(performance.now());
    this.#waiting = null;
  }

  next() {
    return new Promise((resolve) => (this.#waiting = resolve));
  }
}

/** The same 200 bytes of JSON for every peer. */
export function payload(i) {
  return {
    i,
    to: "user@example.com",
    template: "welcome",
    vars: { name: "Some Body", n: 12345 },
    pad: "x".repeat(110),
  };
}

async function seconds(work) {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

function rate(workload, n, concurrency, seconds, note) {
  return {
    workload,
    n,
    concurrency,
    seconds: Number(seconds.toFixed(3)),
    per_second: Number((n / seconds).toFixed(1)),
    notes: notes(note),
  };
}

function notes(text) {
  return `${text} load1=${os.loadavg()[0].toFixed(1)}`.trim();
}
