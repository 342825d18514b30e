"""The worker: it claims jobs from a server far away, runs them by their handlers, and says how they ended.

Handlers run on the user's own loop and on threads; everything that keeps leases alive runs on one thread beside them,
the *keeper*, so that a handler that blocks costs nobody a lease.
"""

from baton.worker.settings import WorkerSettings
from baton.worker.worker import Worker

__all__ = ["Worker", "WorkerSettings"]
