"""Spans of time as the API writes them: `"30s"`, `"250ms"`, `"1h30m"`."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Union

Span = Union[str, int, float, timedelta]
"""A span: a text such as `"30s"`, seconds, or a `timedelta`."""

_MICROS = {"d": 86_400_000_000, "h": 3_600_000_000, "m": 60_000_000, "s": 1_000_000, "ms": 1_000, "us": 1}
_PART = re.compile(r"([0-9]+)(us|ms|s|m|h|d)")
_WHOLE = re.compile(r"([0-9]+(us|ms|s|m|h|d))+")


def seconds(span: Span) -> float:
    """How many seconds a span is."""
    if isinstance(span, timedelta):
        return span.total_seconds()
    if not isinstance(span, str):
        return float(span)
    if not _WHOLE.fullmatch(span):
        raise ValueError(f'{span!r} is no span; write "250ms", "30s", "5m", "24h" or "1h30m"')
    return sum(int(number) * _MICROS[unit] for number, unit in _PART.findall(span)) / 1_000_000


def text(span: Span) -> str:
    """A span as the API writes it, with the largest units that keep it whole."""
    if isinstance(span, str):
        seconds(span)
        return span
    rest = max(0, round(seconds(span) * 1_000_000))
    parts = []
    for unit, size in _MICROS.items():
        if rest >= size:
            parts.append(f"{rest // size}{unit}")
            rest %= size
    return "".join(parts) or "0s"
