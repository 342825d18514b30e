"""Server-sent events, taken apart as they arrive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator, Union

_LONGEST_LINE = 4 * 1024 * 1024


@dataclass
class Message:
    """What stood between two empty lines of a stream."""

    id: Union[str, None] = None
    event: str = ""
    data: Union[str, None] = None


class Parser:
    """Takes a stream apart."""

    def __init__(self) -> None:
        self._rest = b""
        self._message = Message()
        self.retry: Union[float, None] = None

    def begin_anew(self) -> None:
        """Forgets what was cut off in the midst: it comes again as a whole."""
        self._rest = b""
        self._message = Message()

    def take(self, piece: bytes) -> Iterator[Message]:
        """Takes the next bytes; gives the messages they complete."""
        *lines, self._rest = (self._rest + piece).split(b"\n")
        if len(self._rest) > _LONGEST_LINE:
            raise ValueError("a line without an end; that is no Baton")
        for line in lines:
            message = self._end_line(line.removesuffix(b"\r").decode("utf-8", "replace"))
            if message is not None:
                yield message

    def _end_line(self, line: str) -> Union[Message, None]:
        if line:
            name, _, value = line.partition(":")
            self._take_field(name, value.removeprefix(" "))
            return None
        message, self._message = self._message, Message()
        return message if message.data is not None or message.id is not None else None

    def _take_field(self, name: str, value: str) -> None:
        if name == "data":
            before = self._message.data
            self._message.data = value if before is None else f"{before}\n{value}"
        elif name == "event":
            self._message.event = value
        elif name == "id":
            self._message.id = value
        elif name == "retry" and value.isdigit():
            self.retry = int(value) / 1000
