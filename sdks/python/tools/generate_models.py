"""Schemas of the description as `TypedDict`s and literals."""

from __future__ import annotations

import keyword
import textwrap
from typing import Any

HEADER = '''"""Requests and answers, as plain dicts with types. Written by tools/generate.py: do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union

'''

Schema = dict[str, Any]


def write(document: dict[str, Any]) -> str:
    """The module of the models."""
    schemas: dict[str, Schema] = document["components"]["schemas"]
    aliases: list[str] = []
    classes: list[str] = []
    for name, schema in sorted(schemas.items()):
        (classes if is_object(schema) else aliases).append(model(name, schema, schemas))
    names = ",\n    ".join(f'"{model_name(name)}"' for name in sorted(schemas, key=model_name))
    return HEADER + "\n".join(aliases) + "\n\n" + "\n\n".join(classes) + f"\n\n__all__ = [\n    {names},\n]\n"


def model_name(name: str) -> str:
    """`List_Job` is a `JobList`."""
    return f"{name[5:]}List" if name.startswith("List_") else name


def is_object(schema: Schema) -> bool:
    """Whether it becomes a class."""
    return "properties" in schema or "allOf" in schema


def model(name: str, schema: Schema, schemas: dict[str, Schema]) -> str:
    """One alias or class."""
    if name.startswith("List_"):
        return page(name[5:], schema)
    if not is_object(schema):
        return f"{model_name(name)} = {type_of(schema)}\n{docstring(schema, '')}"
    return typed_dict(model_name(name), schema, schemas)


def page(item: str, schema: Schema) -> str:
    """One page of a list, whose items are known by their name."""
    lines = [f"class {item}List(TypedDict):", docstring(schema, "    "), f"    items: List[{item}]", "    next: Union[str, None]"]
    return "\n".join(lines) + "\n"


def typed_dict(name: str, schema: Schema, schemas: dict[str, Schema]) -> str:
    """Two classes, one for what has to be there: 3.10 knows no `NotRequired`."""
    properties, required = collected(schema, schemas)
    if any(not key.isidentifier() or keyword.iskeyword(key) for key in properties):
        return functional(name, schema, properties, required)
    must = {key: value for key, value in properties.items() if key in required}
    may = {key: value for key, value in properties.items() if key not in required}
    if must and may:
        base = class_of(f"_{name}", "TypedDict", {}, must)
        return base + "\n\n" + class_of(name, f"_{name}, total=False", schema, may)
    total = "TypedDict" if must else "TypedDict, total=False"
    return class_of(name, total, schema, must or may)


def functional(name: str, schema: Schema, properties: dict[str, Schema], required: set[str]) -> str:
    """Where a field is called as Python calls something of its own."""
    total = "" if required >= set(properties) else ", total=False"
    fields = ", ".join(f'"{key}": "{type_of(value)}"' for key, value in properties.items())
    return f'{name} = TypedDict("{name}", {{{fields}}}{total})\n{docstring(schema, "")}'


def collected(schema: Schema, schemas: dict[str, Schema]) -> tuple[dict[str, Schema], set[str]]:
    """The fields of a schema and of those it is made of."""
    properties = dict(schema.get("properties", {}))
    required = set(schema.get("required", []))
    for part in schema.get("allOf", []):
        whole = schemas[part["$ref"].rsplit("/", 1)[1]] if "$ref" in part else part
        more, must = collected(whole, schemas)
        properties |= more
        required |= must
    return properties, required


def class_of(name: str, base: str, schema: Schema, properties: dict[str, Schema]) -> str:
    """One class with its fields, each with its sentence."""
    lines = [f"class {name}({base}):", docstring(schema, "    ")]
    for key, value in properties.items():
        lines += [f"    {key}: {type_of(value)}", docstring(value, "    ")]
    if not properties and not schema.get("description"):
        lines.append("    pass")
    return "\n".join(line for line in lines if line) + "\n"


def docstring(schema: Schema, indent: str) -> str:
    """The description, folded."""
    text = schema.get("description") or next(
        (part["description"] for part in schema.get("oneOf", []) if "description" in part), ""
    )
    if not text:
        return ""
    text = text.replace("\\", "\\\\").replace('"""', "'''")
    folded = "\n".join(textwrap.fill(line, 110) for line in text.splitlines())
    closing = ' """' if folded.endswith('"') else '"""'
    return textwrap.indent(f'"""{folded}{closing}', indent)


def type_of(schema: Schema) -> str:
    """The type as Python writes it."""
    if "$ref" in schema:
        return model_name(schema["$ref"].rsplit("/", 1)[1])
    if "enum" in schema:
        return f"Literal[{', '.join(repr(value) for value in schema['enum'])}]"
    for word in ("oneOf", "anyOf"):
        if word in schema:
            return union([type_of(part) for part in schema[word]])
    kind = schema.get("type")
    if isinstance(kind, list):
        return union([type_of({**schema, "type": one}) for one in kind])
    return plain(kind, schema)


def union(types: list[str]) -> str:
    """One of several."""
    distinct = list(dict.fromkeys(types))
    return distinct[0] if len(distinct) == 1 else f"Union[{', '.join(distinct)}]"


def plain(kind: str | None, schema: Schema) -> str:
    """A type that stands for itself."""
    if kind == "array":
        return f"List[{type_of(schema.get('items', {}))}]"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"Dict[str, {type_of(values) if isinstance(values, dict) else 'Any'}]"
    words = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
    return words.get(kind or "", "Any")
