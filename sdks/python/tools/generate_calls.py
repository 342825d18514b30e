"""Operations of the description as methods, for asyncio and for threads, from one template."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass
from typing import Any

from generate_models import type_of, union

HEADER = '''"""The calls of the API, by their words. Written by tools/generate.py: do not edit."""

from __future__ import annotations

from typing import Any, AsyncIterator, Iterator, List, Literal, Union, cast

from baton._generated import models
from baton._groups import AsyncGroup, SyncGroup

'''
NOT_HERE = ("/healthz", "/readyz", "/metrics")
"""These are for machines that watch machines."""


@dataclass
class Operation:
    """One call."""

    name: str
    method: str
    path: str
    summary: str
    path_names: list[str]
    query: list[tuple[str, str, bool]]
    body: str | None
    body_optional: bool
    raw: list[str]
    answer: str | None
    item: str | None
    text: bool


def write(document: dict[str, Any]) -> str:
    """The module of the calls."""
    groups: dict[str, list[Operation]] = {}
    for path, methods in document["paths"].items():
        if path in NOT_HERE:
            continue
        for method, operation in methods.items():
            if is_stream(operation):
                continue
            groups.setdefault(operation["tags"][0], []).append(read(method, path, operation))
    text = HEADER
    for tag, operations in groups.items():
        tell_apart(operations)
        text += group(tag, operations, asynchronous=True) + group(tag, operations, asynchronous=False)
    return text + faces(list(groups))


def is_stream(operation: dict[str, Any]) -> bool:
    """Streams have no end to wait for: they are written by hand."""
    return any("text/event-stream" in answer.get("content", {}) for answer in operation["responses"].values())


def read(method: str, path: str, operation: dict[str, Any]) -> Operation:
    """One call out of its description."""
    parameters = operation.get("parameters", [])
    body = operation.get("requestBody", {}).get("content", {})
    json_body = body.get("application/json", {}).get("schema")
    optional = json_body is not None and any(part.get("type") == "null" for part in json_body.get("oneOf", []))
    answer, text = answer_of(operation)
    name = operation["operationId"]
    return Operation(
        name=f"{name}_" if keyword.iskeyword(name) else name,
        method=method.upper(),
        path=path,
        summary=(operation.get("summary") or operation.get("description") or name).strip().splitlines()[0].rstrip("."),
        path_names=[one["name"] for one in parameters if one["in"] == "path"],
        query=[
            (one["name"], qualified(type_of(one["schema"])), bool(one.get("required")))
            for one in parameters
            if one["in"] == "query"
        ],
        body=body_type(json_body),
        body_optional=optional,
        raw=[kind for kind in body if kind != "application/json"],
        answer=answer,
        item=item_of(answer, [one["name"] for one in parameters]),
        text=text,
    )


def answer_of(operation: dict[str, Any]) -> tuple[str | None, bool]:
    """The type of what is answered when it went well, and whether that is mere text."""
    good = [answer.get("content", {}) for status, answer in operation["responses"].items() if status.startswith("2")]
    kinds = [kind for content in good for kind in content]
    if not kinds:
        return None, False
    if "application/json" not in kinds:
        return "str", True
    types = [qualified(type_of(content["application/json"]["schema"])) for content in good if content]
    types += ["None"] if {} in good else []
    return union(types), False


def body_type(schema: dict[str, Any] | None) -> str | None:
    """The type of the body, but for bodies that say nothing."""
    if schema is None:
        return None
    parts = [part for part in schema.get("oneOf", [schema]) if part.get("type") != "null"]
    name = type_of(parts[0])
    return None if name == "Nothing" else qualified(name)


def item_of(answer: str | None, parameters: list[str]) -> str | None:
    """The type of what a page lists, if it is one that can be turned."""
    if answer is None or "after" not in parameters:
        return None
    if answer == "models.EventPage":
        return "models.Event"
    return answer.removesuffix("List") if answer.endswith("List") else None


def qualified(name: str) -> str:
    """Names of models, as they are called in another module."""
    return re.sub(r"\b(?!Any\b|Union\b|List\b|Dict\b|Literal\b|None\b)([A-Z]\w*)(?![\w']*')", r"models.\1", name)


def tell_apart(operations: list[Operation]) -> None:
    """Of two calls of one name the one with the longer path is named after its end."""
    for name in {one.name for one in operations}:
        same = sorted((one for one in operations if one.name == name), key=lambda one: len(one.path))
        for other in same[1:]:
            last = [part for part in other.path.split("/") if not part.startswith("{")][-1]
            other.name = f"{name}_{last.replace('-', '_')}"


def class_name(tag: str) -> str:
    """`dead letters` are `DeadLetters`."""
    return "".join(word.capitalize() for word in tag.split())


def group(tag: str, operations: list[Operation], *, asynchronous: bool) -> str:
    """The class of one word."""
    face = "Async" if asynchronous else "Sync"
    text = f'class {face}{class_name(tag)}({face}Group):\n    """The calls about {tag}."""\n\n'
    for operation in operations:
        text += method(operation, asynchronous)
        if operation.item:
            text += walk(operation, asynchronous)
    return text + "\n"


def method(one: Operation, asynchronous: bool) -> str:
    """One call."""
    prefix, wait = ("async def", "await ") if asynchronous else ("def", "")
    body = "body=body, " if one.body else "content=content, content_type=content_type, " if one.raw else ""
    text = "text=True, " if one.text else ""
    call = f"{wait}self._send({one.method!r}, {path_of(one)}, {body}{query_of(one)}{text}".rstrip(", ") + ")"
    if one.answer is not None:
        call = f"return cast({one.answer!r}, {call})"
    head = f"    {prefix} {one.name}(self, {signature(one)}) -> {one.answer}:".replace("(self, )", "(self)")
    return f'{head}\n        """{one.summary}."""\n        {call}\n\n'


def walk(one: Operation, asynchronous: bool) -> str:
    """The same, over all pages."""
    name = "all" if one.name == "list" else f"all_{one.name}"
    prefix, word, iterator = (
        ("async def", "async for", "AsyncIterator") if asynchronous else ("def", "for", "Iterator")
    )
    return (
        f"    {prefix} {name}(self, {signature(one)}) -> {iterator}[{one.item}]:\n"
        f'        """{one.summary}, page after page."""\n'
        f"        {word} item in self._pages({path_of(one)}, {query_of(one)}".rstrip(", ")
        + f"):\n            yield cast({one.item!r}, item)\n\n"
    )


def signature(one: Operation) -> str:
    """The parameters: the path, the body, then the query by name."""
    parts = [f"{name}: str" for name in one.path_names]
    if one.body:
        parts.append(f"body: Union[{one.body}, None] = None" if one.body_optional else f"body: {one.body}")
    if one.raw:
        kinds = ", ".join(repr(kind) for kind in one.raw)
        parts += ["content: Union[str, bytes]", f"content_type: Literal[{kinds}] = {one.raw[0]!r}"]
    if one.query:
        parts.append("*")
        parts += [
            f"{name}: {kind}" if required else f"{name}: Union[{kind}, None] = None"
            for name, kind, required in one.query
        ]
    return ", ".join(parts)


def path_of(one: Operation) -> str:
    """The path, with what stands in it escaped."""
    if not one.path_names:
        return repr(one.path)
    return 'f"' + re.sub(r"{(\w+)}", r"{self._escaped(\1)}", one.path) + '"'


def query_of(one: Operation) -> str:
    """The query as a dict."""
    if not one.query:
        return ""
    inside = ", ".join(f'"{name}": {name}' for name, _, _ in one.query)
    return f"query={{{inside}}}, "


def faces(tags: list[str]) -> str:
    """The two classes that have all groups."""
    text = ""
    for face in ("Async", "Sync"):
        text += f'class {face}Calls:\n    """All groups of calls."""\n\n    def __init__(self, group_of: Any) -> None:\n'
        for tag in tags:
            text += f"        self.{tag.replace(' ', '_')}: {face}{class_name(tag)} = group_of({face}{class_name(tag)})\n"
        text += "\n\n"
    return text.rstrip() + "\n"
