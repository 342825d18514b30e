"""Celery on Redis: one worker with a process for each core, results ignored, acknowledged late, as what may not be lost wants it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys

import redis.asyncio
from celery import Celery

app = Celery("peer", broker=os.environ.get("PEER_REDIS"))
app.conf.update(
    task_ignore_result=True,
    task_acks_late=True,
    worker_prefetch_multiplier=64,
    broker_connection_retry_on_startup=True,
    worker_hijack_root_logger=False,
)
QUEUE = "celery"


@app.task(name="noop")
def noop(payload):
    return None


class Peer:
    concurrency = os.cpu_count() or 1
    bulk_note = "apply_async one by one: it has no bulk call"
    drain_note = "prefork, acks_late, prefetch 64, Redis with appendfsync everysec"

    @classmethod
    async def open(cls, url: str) -> Peer:
        peer = cls()
        peer.url = url
        app.conf.broker_url = url
        peer.redis = redis.asyncio.from_url(url)
        await peer.redis.flushdb()
        return peer

    async def enqueue(self, payload) -> None:
        noop.apply_async((payload,))

    async def enqueue_many(self, payloads) -> None:
        with app.producer_pool.acquire(block=True) as producer:
            for payload in payloads:
                noop.apply_async((payload,), producer=producer)

    async def start(self) -> None:
        command = [sys.executable, "-m", "celery", "-A", "peer_celery", "worker", "--loglevel", "ERROR"]
        command += ["--concurrency", str(self.concurrency), "--without-gossip", "--without-mingle", "--without-heartbeat"]
        self.worker = subprocess.Popen(
            command,
            cwd=os.path.dirname(os.path.abspath(__file__)),
            env={**os.environ, "PEER_REDIS": self.url, "PYTHONDONTWRITEBYTECODE": "1"},
            stdout=sys.stderr,
        )

    async def unfinished(self) -> int:
        # What a worker holds is in `unacked` until it is done.
        return await self.redis.llen(QUEUE) + await self.redis.hlen("unacked")

    async def close(self) -> None:
        self.worker.terminate()
        while self.worker.poll() is None:
            await asyncio.sleep(0.05)
        await self.redis.flushdb()
        await self.redis.aclose()
