/** The small parts: spans, ids, streams, addresses, cover, and that what is generated is current. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { part, SOURCES } from "../helpers.mjs";

const spans = part("spans");
const ids = part("ids");
const { Parser } = part("sse");
const { Addresses } = part("addresses");
const { Cover } = part("worker/cover");

test("a span is read and written as the API does", () => {
  const read = ["30s", "250ms", "1h30m", "1d", "1500us", 2.5].map((span) => spans.millis(span));

  assert.deepEqual(read, [30_000, 250, 5_400_000, 86_400_000, 1.5, 2_500]);
  assert.deepEqual([0, 90, 0.25].map(spans.text), ["0s", "1m30s", "250ms"]);
});

for (const wrong of ["", "soon", "30", "-1s", "1.5s", "1s ", NaN]) {
  test(`'${wrong}' is no span`, () => {
    assert.throws(() => spans.text(wrong), RangeError);
  });
}

test("a worker draws an id of version 7 and leases of version 4", () => {
  assert.match(ids.workerId(), /^wrk_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.match(ids.leaseId(), /^lse_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("a message ends with an empty line wherever the pieces break", () => {
  const text = Buffer.from('id: 1-7\nevent: job.failed\ndata: {"ä":\ndata: 1}\n\n: keep\n\ndata:x\r\n\r\nid: 1-9\nretry: 250\n\n');

  for (let size = 1; size < text.length; size++) {
    const parser = new Parser();
    const messages = [];
    for (let at = 0; at < text.length; at += size) messages.push(...parser.take(text.subarray(at, at + size)));

    const expected = [{ id: "1-7", event: "job.failed", data: '{"ä":\n1}' }, { event: "", data: "x" }, { event: "", id: "1-9" }];
    assert.deepEqual(messages, expected);
    assert.equal(parser.retry, 250);
  }
});

test("addresses are tried in turn and turned once for one failure", () => {
  const addresses = new Addresses("http://a:1, http://b:2/");

  addresses.turn("http://a:1");
  addresses.turn("http://a:1");

  assert.equal(addresses.current, "http://b:2");
});

for (const wrong of ["", "ftp://a", "a:7878", ","]) {
  test(`'${wrong}' is no address`, () => {
    assert.throws(() => new Addresses(wrong), TypeError);
  });
}

test("what is generated is current", () => {
  execFileSync(process.execPath, [`${SOURCES}/tools/generate.mjs`, "--check"], { stdio: "inherit" });
});

test("whoever waits for the end of a cover waits no longer once it is cut short", { timeout: 5_000 }, async () => {
  const cover = new Cover();
  cover.lasts(60_000);
  // One that has just begun may be waited for twice: the beginning is a change as well.
  const waits = cover.ended().then(() => cover.ended());
  await new Promise(setImmediate);

  cover.lasts(0);

  await waits;
  assert.equal(cover.isThere, false);
});
