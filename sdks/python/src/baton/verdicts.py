"""What a handler says of its attempt: by returning a value, or by raising one of these."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field, replace
from typing import Any

from baton import _spans
from baton._spans import Span

_LONGEST_MESSAGE = 2_000
_LONGEST_CODE = 100
"""In bytes."""


@dataclass(frozen=True)
class Verdict:
    """One verdict, as it is sent to the server."""

    word: str
    fields: dict[str, Any] = field(default_factory=dict)
    error: BaseException | None = field(default=None, compare=False)
    """What the handler raised, for those who watch; it is not sent."""

    @property
    def result(self) -> Any:
        """What was answered, if it was accepted."""
        return self.fields.get("result")


class Said(Exception):
    """Raised by a handler to say something else than "it is done"."""

    def verdict(self) -> Verdict:
        """What is sent."""
        raise NotImplementedError


class Skip(Said):
    """There was nothing to do."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why

    def verdict(self) -> Verdict:
        return Verdict("skipped", {"why": _plain(self.why[:_LONGEST_MESSAGE])})


class Snooze(Said):
    """Not now: run it again later. That was no try."""

    def __init__(self, after: Span) -> None:
        super().__init__(f"again in {_spans.text(after)}")
        self.after = after

    def verdict(self) -> Verdict:
        return Verdict("snoozed", {"after": _spans.text(self.after)})


class Failure(Said):
    """It did not work."""

    error_class = "retry"

    def __init__(self, code: str, message: str = "", retry_after: Span | None = None) -> None:
        super().__init__(f"{code}: {message}" if message else code)
        self.code = code
        self.message = message
        self.retry_after = retry_after

    def verdict(self) -> Verdict:
        return failed(self.error_class, self.code, self.message, self.retry_after)


class RetryAfter(Failure):
    """It may work later: try again then. That was a try."""

    def __init__(self, after: Span, message: str = "", *, code: str = "retry_after") -> None:
        super().__init__(code, message, after)


class Throttled(Failure):
    """Somebody asked us to slow down: try again then. That was no try."""

    error_class = "throttled"

    def __init__(self, after: Span, message: str = "", *, code: str = "throttled") -> None:
        super().__init__(code, message, after)


class Permanent(Failure):
    """It will never work: a dead letter, for a person to look at."""

    error_class = "permanent"


class Gone(Failure):
    """What it was for is gone."""

    error_class = "gone"


class Misconfigured(Failure):
    """It cannot work until somebody mends the configuration: credentials, addresses, money."""

    error_class = "misconfigured"


class Stopped(Said):
    """Raised by `ctx.checkpoint` where the job is to end: it was canceled, its worker stops, its time is over, or it is not ours any more."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why

    def verdict(self) -> Verdict:
        if self.why == "canceled":
            return Verdict("canceled")
        if self.why == "stopping":
            return Verdict("snoozed", {"after": "1s"})
        code = _CODES.get(self.why, self.why)
        return failed("unknown", code, _ENDS.get(self.why, self.why))


_CODES = {"lost": "lease_lost", "beside": "timeout"}
_ENDS = {
    "lost": "the lease of this attempt has ended",
    "timeout": "its time is over",
    "beside": "a job of its batch took longer than it may",
    "shutdown": "its worker stopped before it had ended",
}


def accepted(result: Any) -> Verdict:
    """It is done."""
    return Verdict("accepted", {"result": result})


def failed(error_class: str, code: str, message: str = "", retry_after: Span | None = None) -> Verdict:
    """It did not work."""
    fields: dict[str, Any] = {"class": error_class, "code": _code(code), "message": _plain(message[:_LONGEST_MESSAGE])}
    if retry_after is not None:
        fields["retry_after"] = _spans.text(retry_after)
    return Verdict("failed", fields)


def _plain(given: str) -> str:
    """Without halves of characters, as names of files can have them: they could not be sent."""
    return given.encode("utf-8", "replace").decode()


def _code(given: str) -> str:
    """As the server takes it: some bytes of whole characters, and none that control anything."""
    plain = "".join(" " if unicodedata.category(one) == "Cc" else one for one in given[:_LONGEST_CODE])
    return plain.encode("utf-8", "replace")[:_LONGEST_CODE].decode("utf-8", "ignore") or "error"


def of_exception(error: BaseException) -> Verdict:
    """What an exception says: what it is made for, or that it did not work and may work later."""
    verdict = error.verdict() if isinstance(error, Said) else failed("retry", type(error).__name__, str(error))
    return replace(verdict, error=error)
