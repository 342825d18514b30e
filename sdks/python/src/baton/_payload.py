"""Payloads and results between JSON and the types that handlers name: dataclasses, `TypedDict`s, pydantic models."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import functools
import types
import typing
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from baton.errors import PayloadError

_UNIONS = (Union, getattr(types, "UnionType", Union))


def load(kind: Any, value: Any, path: str = "payload") -> Any:
    """A value of this type out of JSON; raises `PayloadError` where it is none."""
    if kind is Any or kind is object or isinstance(kind, typing.TypeVar):
        return value
    if kind is None or kind is type(None):
        return _same(value, value is None, "null", path)
    origin = get_origin(kind)
    if origin is not None:
        return _load_generic(origin, get_args(kind), value, path)
    if hasattr(kind, "model_validate"):
        return _load_pydantic(kind, value, path)
    if dataclasses.is_dataclass(kind):
        return _load_fields(kind, value, path)
    if typing.is_typeddict(kind):
        return _load_typed_dict(kind, value, path)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return _load_enum(kind, value, path)
    return _load_plain(kind, value, path)


def dump(value: Any) -> Any:
    """JSON out of a value."""
    if isinstance(value, enum.Enum):
        return dump(value.value)
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, dict):
        return {str(key): dump(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [dump(one) for one in value]
    return _dump_object(value)


def _dump_object(value: Any) -> Any:
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: dump(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    raise PayloadError(
        f"a value of the type {type(value).__name__} cannot be written as JSON: make it a dict, a dataclass, a pydantic model or a text"
    )


def checked(kind: Any, value: Any) -> Any:
    """JSON out of a value that has to be of this type."""
    written = dump(value)
    load(kind, written)
    return written


def _load_generic(origin: Any, arguments: tuple[Any, ...], value: Any, path: str) -> Any:
    if origin in _UNIONS:
        return _load_union(arguments, value, path)
    if origin is Literal:
        return _same(value, value in arguments, f"one of {', '.join(map(repr, arguments))}", path)
    if origin is typing.Annotated or str(origin) in ("typing.Required", "typing.NotRequired", "typing.ReadOnly"):
        return load(arguments[0], value, path)
    if isinstance(origin, type) and issubclass(origin, dict) or origin is getattr(typing, "Mapping", None):
        _same(value, isinstance(value, dict), "an object", path)
        return {key: load(arguments[1], one, f"{path}.{key}") for key, one in value.items()}
    if origin is tuple and not (len(arguments) == 2 and arguments[1] is ...):
        _same(value, isinstance(value, list) and len(value) == len(arguments), f"{len(arguments)} values", path)
        return tuple(load(kind, one, f"{path}[{at}]") for at, (kind, one) in enumerate(zip(arguments, value)))
    _same(value, isinstance(value, list), "an array", path)
    items = [load(arguments[0], one, f"{path}[{at}]") for at, one in enumerate(value)]
    return origin(items) if origin in (set, frozenset, tuple) else items


def _load_union(kinds: tuple[Any, ...], value: Any, path: str) -> Any:
    reasons = []
    for kind in kinds:
        try:
            return load(kind, value, path)
        except PayloadError as error:
            reasons.append(str(error))
    raise PayloadError("; or ".join(reasons))


def _load_pydantic(kind: Any, value: Any, path: str) -> Any:
    try:
        return kind.model_validate(value)
    except ValueError as error:
        raise PayloadError(f"{path}: {error}") from error


def _load_fields(kind: Any, value: Any, path: str) -> Any:
    _same(value, isinstance(value, dict), f"an object ({kind.__name__})", path)
    hints = _hints(kind)
    fields = {field.name: field for field in dataclasses.fields(kind) if field.init}
    _no_strangers(value, fields, path)
    given = {name: load(hints[name], value[name], f"{path}.{name}") for name in fields if name in value}
    for name, field in fields.items():
        has_default = field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
        _same(value, name in given or has_default, f"a field {name!r}", path)
    try:
        return kind(**given)
    except (TypeError, ValueError) as error:
        raise PayloadError(f"{path}: {error}") from error


def _load_typed_dict(kind: Any, value: Any, path: str) -> Any:
    _same(value, isinstance(value, dict), f"an object ({kind.__name__})", path)
    hints = _hints(kind)
    _no_strangers(value, hints, path)
    for name in kind.__required_keys__:
        _same(value, name in value, f"a field {name!r}", path)
    return {name: load(hints[name], one, f"{path}.{name}") for name, one in value.items()}


@functools.lru_cache(maxsize=1_000)
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _load_enum(kind: type[enum.Enum], value: Any, path: str) -> Any:
    try:
        return kind(value)
    except ValueError as error:
        raise PayloadError(f"{path}: {error}") from error


def _load_plain(kind: Any, value: Any, path: str) -> Any:
    if kind is float:
        return float(_same(value, isinstance(value, (int, float)) and not isinstance(value, bool), "a number", path))
    if kind is int:
        return _same(value, isinstance(value, int) and not isinstance(value, bool), "a whole number", path)
    if kind in (str, bool, dict, list):
        names = {str: "a text", bool: "true or false", dict: "an object", list: "an array"}
        return _same(value, isinstance(value, kind), names[kind], path)
    if hasattr(kind, "fromisoformat"):
        return _load_moment(kind, value, path)
    raise PayloadError(f"{path}: values of the type {kind!r} cannot be read from JSON")


def _load_moment(kind: Any, value: Any, path: str) -> Any:
    _same(value, isinstance(value, str), "a moment", path)
    try:
        return kind.fromisoformat(value.replace("Z", "+00:00"))
    except ValueError as error:
        raise PayloadError(f"{path}: {error}") from error


def _no_strangers(value: dict[str, Any], known: typing.Container[str], path: str) -> None:
    strange = [name for name in value if name not in known]
    if strange:
        raise PayloadError(f"{path}: unknown field {strange[0]!r}")


def _same(value: Any, fits: bool, wanted: str, path: str) -> Any:
    if not fits:
        raise PayloadError(f"{path}: expected {wanted}")
    return value
