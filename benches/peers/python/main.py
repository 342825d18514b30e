"""Measures one peer: `python main.py PEER --jobs N --redis URL`.

Prints one JSON line per workload; what a peer logs goes to standard error.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import time

import peer_celery

PEERS = {"celery": peer_celery.Peer}
SINGLE_CALLERS = 8
SINGLES = 2000
BULK = 1000
POLL = 0.005


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("peer", choices=sorted(PEERS))
    parser.add_argument("--jobs", type=int, default=100_000)
    parser.add_argument("--redis", required=True)
    parser.add_argument("--postgres", help="not used here")
    options = parser.parse_args()
    asyncio.run(measure(options.peer, options.jobs, options.redis))


async def measure(name: str, jobs: int, redis: str) -> None:
    peer = await PEERS[name].open(redis)
    singles = min(SINGLES, jobs // 5) // SINGLE_CALLERS * SINGLE_CALLERS

    took = await seconds(enqueue_singles(peer, singles))
    report(name, "enqueue_single", singles, SINGLE_CALLERS, took, "")
    took = await seconds(enqueue_bulk(peer, singles, jobs))
    report(name, "enqueue_bulk", jobs - singles, 1, took, peer.bulk_note)
    took = await seconds(drain(peer))
    report(name, "drain", jobs, peer.concurrency, took, peer.drain_note)
    await peer.close()


async def enqueue_singles(peer, singles: int) -> None:
    share = singles // SINGLE_CALLERS

    async def caller(number: int) -> None:
        for i in range(share):
            await peer.enqueue(payload(number * share + i))

    await asyncio.gather(*(caller(number) for number in range(SINGLE_CALLERS)))


async def enqueue_bulk(peer, first: int, last: int) -> None:
    for start in range(first, last, BULK):
        await peer.enqueue_many([payload(i) for i in range(start, min(last, start + BULK))])


async def drain(peer) -> None:
    """The store's own word ends the drain."""
    await peer.start()
    while await peer.unfinished():
        await asyncio.sleep(POLL)


def payload(i: int) -> dict:
    """The same 200 bytes of JSON for every peer."""
    named = {"name": "Some Body", "n": 12345}
    return {"i": i, "to": "user@example.com", "template": "welcome", "vars": named, "pad": "x" * 110}


async def seconds(work) -> float:
    start = time.perf_counter()
    await work
    return time.perf_counter() - start


def report(peer: str, workload: str, n: int, concurrency: int, took: float, note: str) -> None:
    line = {
        "peer": peer,
        "workload": workload,
        "n": n,
        "concurrency": concurrency,
        "seconds": round(took, 3),
        "per_second": round(n / took, 1),
        "notes": f"{note} load1={os.getloadavg()[0]:.1f}".strip(),
    }
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
