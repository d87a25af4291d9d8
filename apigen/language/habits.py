"""Keywords and types of other languages with their equivalents in the spec language, for hints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

TYPES: Mapping[str, str] = {
    "int": "int64",
    "integer": "int64",
    "long": "int64",
    "short": "int32",
    "uint": "uint64",
    "float": "float64",
    "double": "float64",
    "number": "float64",
    "decimal": "Quantity",
    "str": "string",
    "text": "string",
    "boolean": "bool",
    "binary": "bytes",
    "datetime": "Time",
    "timestamp": "Time",
    "date": "Time",
    "timedelta": "Duration",
    "uuid": "string",
    "url": "string",
    "any": "RawExtension",
    "json": "RawExtension",
    "object": "RawExtension",
}
"""Names of types elsewhere -> the type of the spec language."""

_SHAPES = {"array": "[]T", "list": "[]T", "dict": "map[string]T", "map": "map[string]T"}
_MORE = {
    "int": ", or `int32` for small numbers",
    "integer": ", or `int32` for small numbers",
    "uuid": ", with `format: uuid`",
    "url": ", with `format: uri`",
    "date": ", or `string` with `format: date`",
    "object": ", or declare a type with `fields:` and name it",
}

KEYS: Mapping[str, tuple[str, str]] = {
    "description": ("doc", "write `doc:`"),
    "desc": ("doc", "write `doc:`"),
    "comment": ("doc", "write `doc:`"),
    "min": ("minimum", "write `minimum:`, or `minLength:` for strings"),
    "max": ("maximum", "write `maximum:`, or `maxLength:` for strings"),
    "length": ("maxLength", "write `maxLength:`"),
    "regex": ("pattern", "write `pattern:`"),
    "number": ("protobuf", "write `protobuf:`"),
    "items": ("listType", 'write the type of a list as `type: "[]T"`'),
    "additionalProperties": ("listType", 'write the type of a map as `type: "map[string]T"`'),
    "$ref": ("type", "write the name of the type: `type: NAME`"),
    "ref": ("type", "write the name of the type: `type: NAME`"),
    "properties": ("fields", "write `fields:`"),
    "enum": ("type", "declare a type, `NAME: {enum: {A: {}, B: {}}}`, and write `type: NAME`"),
}
"""Keys of other languages -> the key that must be allowed in the same place, and what to write."""

_LONGEST = 200
"""Maximum length of text that is compared with expressions of other languages, which takes quadratic time."""

_LIST = re.compile(r"(?:list|List|Array|array|Sequence|Set|set|repeated)\s*[\[< ]\s*(?P<item>.+?)[\]>]?")
_MAP = re.compile(r"(?:dict|Dict|map|Map|Record)\s*[\[<]\s*(?P<key>[^,<\[]+),\s*(?P<value>.+)[\]>]")
_OPTIONAL = re.compile(r"(?:Optional|Option)[\[<](?P<a>.+)[\]>]|(?P<b>.+)\?|(?P<c>.+?)\s*\|\s*(?:None|null)")


_FLAGS: Mapping[str, str] = {
    **dict.fromkeys(("yes", "on", "true", "y", "1"), "true"),
    **dict.fromkeys(("no", "off", "false", "n", "0"), "false"),
}


def habitual_flag(text: str) -> str | None:
    """Return what to write for a boolean of YAML 1.1 or in quotes; None if it is not one."""
    meant = _FLAGS.get(text.lower())
    return f"write `{meant}`, without quotes" if meant else None


def habitual_entries(names: Iterable[str]) -> str:
    """Return how a list of names is written where each may have keys of its own."""
    return f"write `{{{', '.join(f'{name}: {{}}' for name in names)}}}`"


def habitual_type(name: str) -> str | None:
    """Return what to write for the name of a type of another language; None if it is not one."""
    if name in _SHAPES:
        return f'write `"{_SHAPES[name]}"`'
    return f"write `{TYPES[name]}`{_MORE.get(name, '')}" if name in TYPES else None


def habitual_expression(text: str) -> str | None:
    """Return what to write for a type expression of another language (`list[Line]`, `string?`); None if it is not one."""
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    optional = _OPTIONAL.fullmatch(text)
    if optional is not None:
        inner = next(filter(None, optional.groups()))
        return f'write `type: "{_translated(inner)}"` and `optional: true`'
    found = _translated(text)
    return f'write `"{found}"`' if found != text else None


def _translated(text: str) -> str:
    text = text.strip()
    list_, map_ = _LIST.fullmatch(text), _MAP.fullmatch(text)
    if map_ is not None:
        return f"map[{_translated(map_['key'])}]{_translated(map_['value'])}"
    if list_ is not None:
        return f"[]{_translated(list_['item'])}"
    if text.endswith("[]"):
        return f"[]{_translated(text[:-2])}"
    return TYPES.get(text, text)
