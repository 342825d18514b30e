/** Ids that a worker draws itself. */

import { randomBytes, randomUUID } from "node:crypto";

/** `wrk_` and a UUIDv7: a restart is another worker. */
export function workerId(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `wrk_${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** `lse_` and a random UUID, which nobody else can guess. */
export function leaseId(): string {
  return `lse_${randomUUID()}`;
}
