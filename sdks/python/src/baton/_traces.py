"""The trace that the code which runs now belongs to, if OpenTelemetry is installed and knows of one."""

from __future__ import annotations

import functools
from typing import Any, Callable, Mapping

Carrier = dict[str, str]


@functools.cache
def _inject() -> Callable[[Carrier], None] | None:
    try:
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
    except ImportError:
        return None
    return TraceContextTextMapPropagator().inject


def current() -> Carrier:
    """`traceparent`, and `tracestate` if there is one; empty where there is no trace."""
    inject = _inject()
    carrier: Carrier = {}
    if inject is not None:
        inject(carrier)
    return carrier


def of_here(job: Mapping[str, Any]) -> dict[str, Any]:
    """A job that a handler makes, in the trace of whoever makes it; one that names its own keeps that."""
    here = None if job.get("trace") else current()
    return {**job, "trace": here} if here else dict(job)
