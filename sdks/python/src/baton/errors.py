"""What can go wrong when the server is asked for something."""

from __future__ import annotations

from typing import Any


_KEY = "The key is what `key` says, or BATON_KEY, or the file that BATON_KEY_FILE names."
"""Where a newcomer's key is looked for."""


class BatonError(Exception):
    """Anything that this package raises of its own."""


class Unreachable(BatonError):
    """No server answered. Whether the last call was done is not known."""


class Problem(BatonError):
    """The server refused: what happened, what it means and what to do."""

    def __init__(self, status: int, body: dict[str, Any], retry_after: float | None = None) -> None:
        self.status = status
        self.body = body
        self.retry_after = retry_after
        self.code: str = body.get("code", f"http-{status}")
        self.title: str = body.get("title", "")
        self.detail: str = body.get("detail", "")
        self.errors: list[dict[str, str]] = body.get("errors") or []
        fields = "; ".join(f"{error.get('field')}: {error.get('message')}" for error in self.errors)
        told = ": ".join(part for part in (self.code, self.detail or fields or self.title) if part)
        super().__init__(f"{told} {_KEY}" if self.code == "unauthenticated" else told)


class Failed(BatonError):
    """A job has ended otherwise than by success: in which state, and why."""

    def __init__(self, job: dict[str, Any]) -> None:
        error = job.get("last_error") or {}
        self.job = job
        self.state: str = job["state"]
        self.reason: str | None = job.get("reason")
        self.error_class: str | None = error.get("class")
        self.code: str | None = error.get("code")
        self.message: str | None = error.get("message")
        why = ": ".join(part for part in (self.code, self.message) if part) or self.reason or "no reason was given"
        super().__init__(f"{job['id']} has {_ended(self.state)}: {why}")


class WorkerEnded(BatonError):
    """The server has no more use for this worker: it was shown no key that opens, or has left."""


class PayloadError(BatonError, ValueError):
    """A payload is not of the type that its job says."""


def _ended(state: str) -> str:
    words = {"canceled": "been canceled", "skipped": "been skipped", "uncertain": "an outcome that nobody knows"}
    return words.get(state, state)
