"""Durable jobs on a Baton server: enqueue them, and run them in Python.

```python
import baton

app = baton.App("http://127.0.0.1:7878")

@app.job("hello")
async def hello(name: str) -> str:
    return f"hello, {name}"

if __name__ == "__main__":
    app.run()
```
"""

from baton._feed import FeedReset
from baton._generated import models
from baton._version import VERSION as __version__
from baton.app import App, SyncApp
from baton.client import Client, SyncClient
from baton.context import Context, SyncContext
from baton.definitions import BatchJob, Item, Job
from baton.errors import BatonError, Failed, PayloadError, Problem, Unreachable, WorkerEnded
from baton.handles import Handle, SyncHandle
from baton.middleware import Call, JobFilter, Middleware, Next, logged
from baton.verdicts import (
    Failure,
    Gone,
    Misconfigured,
    Permanent,
    RetryAfter,
    Skip,
    Snooze,
    Stopped,
    Throttled,
    Verdict,
)
from baton.worker import Worker
from baton.worker.checkpoints import CheckpointRefused

__all__ = [
    "App", "BatchJob", "BatonError", "Call", "CheckpointRefused", "Client", "Context", "Failed", "Failure", "FeedReset", "Gone",
    "Handle", "Item", "Job", "JobFilter", "Middleware", "Misconfigured", "Next", "PayloadError", "Permanent",
    "Problem", "RetryAfter", "Skip", "Snooze", "Stopped", "SyncApp", "SyncClient", "SyncContext", "SyncHandle",
    "Throttled", "Unreachable", "Verdict", "Worker", "WorkerEnded", "__version__", "logged", "models",
]  # fmt: skip
