"""Type expressions, their one grammar and one parser.

expression = "[]" expression | "map[" name "]" expression | name
name       = Type | group "/" version "." Type        e.g. networking.k8s.io/v1.Ingress
"""

from __future__ import annotations

import re
from collections.abc import Callable

from apigen.diagnostics import Place
from apigen.diagnostics.quoting import quote
from apigen.language.habits import habitual_expression
from apigen.language.model import ListExpr, MapExpr, NamedExpr, TypeExpr
from apigen.language.text_error import TextError

PlaceAt = Callable[[int], Place]

MAX_NESTING = 16

_NAME = re.compile(
    r"(?:(?P<group>[A-Za-z0-9][A-Za-z0-9.-]*)/(?P<version>[a-z][a-z0-9]*)\.)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
)
_GO_PACKAGE = re.compile(r"(?P<group>[a-z]+)(?P<version>v[1-9]\w*)\.(?P<name>[A-Z]\w*)")
_BARE_MAP = re.compile(r"map\[(?P<name>[\w./-]+)\]\Z")
_NO_NAME_CHARACTER = re.compile(r"[^A-Za-z0-9_./-]")
_QUALIFIED_HINT = "write a type of another version as `group/version.Type`"


def parse_type(text: str, place_at: PlaceAt) -> TypeExpr:
    """Return the expression of a text; `place_at` returns the location of a character. Raises TextError."""
    wrappers: list[tuple[int, NamedExpr | None]] = []
    start = 0
    while True:
        if text.startswith("[]", start):
            wrappers.append((start, None))
            start += len("[]")
        elif text.startswith("map[", start):
            end = text.find("]", start)
            if end < 0:
                raise TextError(len(text), "expected `]` after the key type of the map", _MAP_HINT)
            wrappers.append((start, _named(text[:end], start + len("map["), place_at)))
            start = end + 1
        else:
            break
        if len(wrappers) > MAX_NESTING:
            raise TextError(start, f"a type nested more than {MAX_NESTING} levels deep")
    expression: TypeExpr = _named(text, start, place_at)
    for offset, key in reversed(wrappers):
        place = place_at(offset)
        expression = ListExpr(expression, place) if key is None else MapExpr(key, expression, place)
    return expression


def type_text(expression: TypeExpr) -> str:
    """Return the text of an expression in specs."""
    match expression:
        case ListExpr(item):
            return f"[]{type_text(item)}"
        case MapExpr(key, value):
            return f"map[{type_text(key)}]{type_text(value)}"
        case NamedExpr(name, None):
            return name
        case NamedExpr(name, group, version):
            return f"{group}/{version}.{name}"


_MAP_HINT = "write a map as `map[string]T`"


def _named(text: str, start: int, place_at: PlaceAt) -> NamedExpr:
    found = _NAME.fullmatch(text, start)
    if found is None:
        raise _not_a_name(text, start)
    return NamedExpr(found["name"], found["group"], found["version"], place_at(start))


def _not_a_name(text: str, start: int) -> TextError:
    """Return the error for a missing type name at `start`, with a hint for words of other languages."""
    rest = text[start:]
    if not rest:
        bare = _BARE_MAP.search(text)
        hint = None if bare is None else f'write `"map[string]{bare["name"]}"`'
        return TextError(start, "expected the name of a type", hint)
    go_package = _GO_PACKAGE.fullmatch(rest)
    if go_package is not None:
        package = f"{go_package['group']}/{go_package['version']}"
        return TextError(start, f"{quote(rest)} is not the name of a type", f"write `{package}.{go_package['name']}`")
    if rest.startswith("*"):
        return TextError(start, "pointer types are not supported", "set `optional: true` on the field instead")
    if rest.startswith("["):
        return TextError(start, "the brackets of a list must be empty", "write a list as `[]T`")
    if rest.endswith("[]"):
        return TextError(
            len(text) - len("[]"), "the brackets of a list precede its element type", habitual_expression(text)
        )
    if rest == "map" or re.match(r"map\W", rest):
        return TextError(start, "not a map", habitual_expression(text) or _MAP_HINT)
    bad = _NO_NAME_CHARACTER.search(text, start)
    if bad is not None:
        return TextError(bad.start(), f"{quote(bad[0])} is not valid in a type", habitual_expression(text))
    return TextError(start, f"{quote(rest)} is not the name of a type", _QUALIFIED_HINT)
