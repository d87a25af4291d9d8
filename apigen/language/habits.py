"""Keywords and types of other languages with their equivalents in the spec language, for hints."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from collections.abc import Mapping as AbstractMapping

from apigen.language.nodes import Mapping, Node, Scalar, Sequence

TYPES: AbstractMapping[str, str] = {
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
    "uuid": ", with `format: k8s-uuid`",
    "object": ", or declare a type with `fields:` and name it",
}

_DOC = (("doc", "write `doc:`"),)
_TYPE_NAME = (("type", "write the name of the type: `type: NAME`"),)
_RULES = (("rules", 'write `rules: [{rule: "self > 0"}]`'),)
_UNIONS = (("unions", "write `unions: [{members: [a, b]}]`"),)
_NO_TYPE = "remove it: `fields:` declares a struct, `enum:` an enum, and `is:` another name of a type"
_OTHER_PATH = (
    ("hub", "write the path of the field in the hub: `hub: PATH`"),
    ("to", "write the path of the field in the hub: `to: PATH`"),
)
KEYS: AbstractMapping[str, tuple[tuple[str, str], ...]] = {
    "description": _DOC,
    "desc": _DOC,
    "comment": _DOC,
    "min": (("minimum", "write `minimum:`, or `minLength:` for strings"),),
    "max": (("maximum", "write `maximum:`, or `maxLength:` for strings"),),
    "range": (("minimum", "write `minimum:` and `maximum:`"),),
    "length": (("maxLength", "write `maxLength:`"),),
    "regex": (("pattern", "write `pattern:`"),),
    "number": (("protobuf", "write `protobuf:`"),),
    "items": (("listType", 'write the type of a list as `type: "[]T"`'),),
    "additionalProperties": (("listType", 'write the type of a map as `type: "map[string]T"`'),),
    "$ref": _TYPE_NAME,
    "ref": _TYPE_NAME,
    "properties": (
        ("fields", "write `fields:`"),
        ("type", "declare a type with `fields:`, and write its name: `type: NAME`"),
    ),
    "enum": (("type", "declare a type, `NAME: {enum: {A: {}, B: {}}}`, and write `type: NAME`"),),
    "values": (("enum", "write `enum: {A: {}, B: {}}`"),),
    "type": (("is", _NO_TYPE), ("fields", _NO_TYPE)),
    "required": (("fields", "remove it; a field that clients may omit declares `required: false` itself"),),
    "gate": (("featureGate", "write `featureGate: NAME`"),),
    "rename": _OTHER_PATH,
    "renamedFrom": _OTHER_PATH,
    "from": _OTHER_PATH,
    "path": _OTHER_PATH,
    "field": _OTHER_PATH,
    "validation": _RULES,
    "validations": _RULES,
    "cel": _RULES,
    "x-kubernetes-validations": _RULES,
    "union": _UNIONS,
    "oneOf": _UNIONS,
    "anyOf": _UNIONS,
    "status": (("subresources", "write `subresources: {status: {}}`"),),
    "storage": (("versions", "declare it on a version: `versions: {v1: {storage: true}}`"),),
    "storageVersion": (("versions", "declare it on a version: `versions: {v1: {storage: true}}`"),),
}
"""Keys of other languages -> the replacement, by a key that must be allowed in the same mapping."""

STAGES: AbstractMapping[str, str] = {
    **dict.fromkeys(("stable", "released", "generally-available", "v1"), "ga"),
    **dict.fromkeys(("experimental", "dev"), "alpha"),
    "preview": "beta",
    "removed": "deprecated",
}
"""Stages of feature gates elsewhere -> the stage of the spec language."""

REQUIRED: AbstractMapping[str, str] = {
    "group": "group: shop.example.com",
    "versions": "versions: {v1: {}}",
    "types": "types: {}",
    "type": "type: string",
    "fields": "fields: {}",
    "stages": 'stages: [{release: "1.0", stage: alpha}]',
    "rule": 'rule: "self > 0"',
}
"""Required keys -> an example."""

_FORMATS: AbstractMapping[str, str] = {
    "date-time": "write `type: Time` in place of the format",
    "duration": "write `type: Duration` in place of the format",
    "byte": "write `type: bytes` in place of the format",
    "int32": "write `type: int32` in place of the format",
    "int64": "write `type: int64` in place of the format",
    "uuid": "write `format: k8s-uuid`",
    "dns1123": "write `format: k8s-short-name`",
    "hostname": "write `format: k8s-long-name`",
    **dict.fromkeys(("uri", "url", "email", "ipv4", "ipv6", "cidr"), "remove it, or write a `pattern:`"),
}
"""Formats of OpenAPI -> the replacement."""

_LONGEST = 200
"""Maximum length of text that is compared with expressions of other languages, which takes quadratic time."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]{0,60}")
_MOST_VALUES = 20

_LIST = re.compile(r"(?:list|List|Array|array|Sequence|Set|set|repeated)\s*[\[< ]\s*(?P<item>.+?)[\]>]?")
_MAP = re.compile(r"(?:dict|Dict|map|Map|Record)\s*[\[<]\s*(?P<key>[^,<\[]+),\s*(?P<value>.+)[\]>]")
_GO_MAP = re.compile(r"(?P<key>map\[[A-Za-z]\w*\])(?P<value>.+)")
_OPTIONAL = re.compile(r"(?:Optional|Option)[\[<](?P<a>.+)[\]>]|(?P<b>.+)\?|(?P<c>.+?)\s*\|\s*(?:None|null)")
_UNQUOTED_TYPE = re.compile(r"\btype:\s*(?P<type>(?:\w+\[[^\]\"']*\]|\[\])[\w./]*)")

VERSION_RULE = "versions are named like `v1`, `v2beta3` or `v1alpha1`"
_VERSION = re.compile(
    r"v?(?P<major>[0-9]{0,9})(?:\.[0-9]+)*[-_.]?(?P<stage>a(?:lpha)?|b(?:eta)?)?[-_.]?(?P<minor>[0-9]{0,9})",
    re.IGNORECASE,
)

_FLAGS: AbstractMapping[str, str] = {
    **dict.fromkeys(("yes", "on", "true", "y", "1"), "true"),
    **dict.fromkeys(("no", "off", "false", "n", "0"), "false"),
}


def habitual_flag(text: str) -> str | None:
    """Return the fix for a boolean of YAML 1.1 or in quotes; None for other text."""
    flag = _FLAGS.get(text.lower())
    return f"write `{flag}`, without quotes" if flag else None


def habitual_version(name: str, taken: Container[str]) -> str | None:
    """Return the version that a name of another form (`1`, `v1.0`, `V1`, `beta1`) means, or the next one that is not
    `taken`; None if the name is not like that of a version.
    """
    found = _VERSION.fullmatch(name)
    if found is None or not (found["major"] or found["stage"]):
        return None
    major, minor = int(found["major"] or 1) or 1, int(found["minor"] or 1) or 1
    stage = {"a": "alpha", "b": "beta"}.get((found["stage"] or "")[:1].lower(), "")
    version = f"v{major}{stage}{minor}" if stage else f"v{major}"
    return free_version(version, taken)


def free_version(version: str, taken: Container[str]) -> str:
    """Return a version, or the first one after it that is not `taken`: `v2` after `v1`, `v1beta2` after `v1beta1`."""
    stem = version.rstrip("0123456789")
    number = int(version[len(stem) :])
    while f"{stem}{number}" in taken:
        number += 1
    return f"{stem}{number}"


def habitual_entries(names: Iterable[str]) -> str:
    """Return the form of a list of names whose entries may have keys."""
    return f"write `{{{', '.join(f'{name}: {{}}' for name in names)}}}`"


def habitual_enum(field: str, entries: Iterable[tuple[Scalar, Node]]) -> str | None:
    """Return how to declare an enum that is written as the type of a field, `{type: enum, values: [A, B]}`; None for
    any other field.
    """
    written = {key.text: value for key, value in entries}
    type_ = written.get("type")
    if not isinstance(type_, Scalar) or type_.text.lower() != "enum":
        return None
    listed = next((written[key] for key in ("values", "enum", "symbols", "options") if key in written), None)
    names: list[str] = []
    if isinstance(listed, Sequence):
        names = [each.text for each in listed.items if isinstance(each, Scalar) and _NAME.fullmatch(each.text)]
    elif isinstance(listed, Mapping):
        names = [key.text for key, _ in listed.entries if _NAME.fullmatch(key.text)]
    if not names or len(names) > _MOST_VALUES:
        names = ["A", "B"]
    name = f"{field[:1].upper()}{field[1:]}" if _NAME.fullmatch(field) else "NAME"
    values = ", ".join(f"{each}: {{}}" for each in names)
    return f"add `{name}: {{enum: {{{values}}}, unknown: {names[0]}}}` to `types:`, and write `type: {name}`"


def habitual_key(name: str, allowed: Container[str]) -> str | None:
    """Return the fix for a key of another language in a mapping with the `allowed` keys; None for other keys."""
    return next((hint for needed, hint in KEYS.get(name, ()) if needed in allowed), None)


def unquoted_type(line: str, column: int) -> str | None:
    """Return the fix for a type whose brackets need quotes at this column of YAML; None without a type."""
    found = next((each for each in _UNQUOTED_TYPE.finditer(line) if each.start() < column <= each.end() + 1), None)
    if found is None:
        return None
    return habitual_expression(found["type"]) or f'put the type in quotes: `"{found["type"]}"`'


def habitual_type(name: str) -> str | None:
    """Return the fix for the name of a type of another language; None for other names."""
    if name in _SHAPES:
        return f'write `"{_SHAPES[name]}"`'
    return f"write `{TYPES[name]}`{_MORE.get(name, '')}" if name in TYPES else None


def habitual_format(name: str) -> str | None:
    """Return the fix for a format of OpenAPI; None for other formats."""
    return _FORMATS.get(name)


def habitual_expression(text: str) -> str | None:
    """Return the fix for a type expression of another language (`list[Line]`, `string?`); None for other text."""
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    optional = _OPTIONAL.fullmatch(text)
    if optional is not None:
        inner = next(filter(None, optional.groups()))
        return f'write `type: "{_translated(inner)}"` and `optional: true`'
    found = f"[]{_translated(text[2:])}" if text.startswith("[]") else _translated(text)
    return f'write `"{found}"`' if found != text else None


def _translated(text: str) -> str:
    text = text.strip()
    list_, map_ = _LIST.fullmatch(text), _MAP.fullmatch(text)
    if text == "interface{}":
        return TYPES["any"]
    go_map = _GO_MAP.fullmatch(text)
    if go_map is not None:
        return f"{go_map['key']}{_translated(go_map['value'])}"
    if map_ is not None:
        return f"map[{_translated(map_['key'])}]{_translated(map_['value'])}"
    if list_ is not None:
        return f"[]{_translated(list_['item'])}"
    if text.endswith("[]"):
        return f"[]{_translated(text[:-2])}"
    return TYPES.get(text, text)
