"""Parses and prints the small grammars that live within a text: paths and type expressions.

    path       = "." | ["$." | "./"] segment {"." segment}
    segment    = name {"[" inside "]"}
    inside     = nothing | index | key | prefix "*" | comparison {"," comparison}
    comparison = name {"." name} ("=" | "!=") value

A name, key or value with a character of this grammar, or a blank, is written in double quotes, in which `\\"` is a
quote and `\\\\` a backslash: `annotations["a]b"]`. A key in quotes is never an index, nor a prefix: `data["0"]`,
`data["a*"]`.

    type       = "[]" type | "map[" type name "]" type | type name
    type name  = Type | group "/" version "." Type        e.g. networking.k8s.io/v1.Ingress
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from apigen.diagnostics import Place
from apigen.diagnostics.quoting import quote
from apigen.language.habits import habitual_expression
from apigen.language.model import (
    Comparison,
    Each,
    Index,
    Key,
    ListExpr,
    MapExpr,
    Name,
    NamedExpr,
    Path,
    Prefix,
    Select,
    Step,
    TypeExpr,
)
from apigen.language.nodes import TextError

_ROOT = re.compile(r"\.(?=.)")
_BARE_NAME = re.compile(r'[^.\[\]=!,"\s]+')
_BARE_KEY = re.compile(r'[^\[\]=,"\s]+')
_BARE_VALUE = re.compile(r'[^\[\],"\s]+')
_QUOTED = re.compile(r'"((?:[^"\\]|\\["\\])*)"')
_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")
_PREFIX = re.compile(r"[^*]+\*")
_COMMA = re.compile(r",\s*")


def parse_path(text: str, place: Place) -> Path:
    """Return the path of a text with the location `place`. Raises TextError."""
    if text == ".":
        return Path((), False, text, place)
    from_type = text.startswith("$.")
    start = 2 if from_type or text.startswith("./") else 0
    return Path(_Parser(text, start).path(), from_type, text, place)


def path_text(steps: Iterable[Step], from_type: bool = False) -> str:
    """Return the text of a path in specs."""
    text = ""
    for step in steps:
        if isinstance(step, Name):
            # A leading field called `$` is quoted, because `$` has another meaning there.
            name = f'"{step.name}"' if step.name == "$" and not text else _written(step.name, _BARE_NAME)
            text += f".{name}" if text else name
        else:
            text += f"[{_inside(step)}]"
    return f"$.{text}" if from_type else text or "."


def _inside(step: Each | Index | Key | Prefix | Select) -> str:
    match step:
        case Each():
            return ""
        case Index(index):
            return str(index)
        case Key(key):
            return f'"{key}"' if _INDEX.fullmatch(key) or _PREFIX.fullmatch(key) else _written(key, _BARE_KEY)
        case Prefix(prefix):
            return f"{prefix}*"
        case Select(comparisons):
            return ",".join(_comparison(comparison) for comparison in comparisons)


def _comparison(comparison: Comparison) -> str:
    names = ".".join(_written(name.name, _BARE_NAME) for name in comparison.path)
    return f"{names}{'=' if comparison.equal else '!='}{_written(comparison.value, _BARE_VALUE)}"


def _written(text: str, bare: re.Pattern[str]) -> str:
    if bare.fullmatch(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


class _Parser:
    """Goes through a text once, from left to right."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._at = start

    def path(self) -> tuple[Step, ...]:
        steps: list[Step] = []
        while True:
            if not steps and (root := _ROOT.match(self._text, self._at)) is not None:
                raise TextError(
                    self._at, "a path begins with the name of a field", f"write `{self._text[root.end():]}`"
                )
            steps.append(Name(self._word(_BARE_NAME, "expected the name of a field")))
            while self._take("["):
                steps.append(self._bracket())
            if self._at == len(self._text):
                return tuple(steps)
            if not self._take("."):
                raise TextError(self._at, "expected `.`, `[` or the end of the path", _QUOTES)

    def _bracket(self) -> Step:
        if self._take("]"):
            return Each()
        start = self._at
        step = self._key()
        if step is not None and self._take("]"):
            return step
        self._at = start
        comparisons = [self._one_comparison()]
        while comma := _COMMA.match(self._text, self._at):
            self._at = comma.end()
            comparisons.append(self._one_comparison())
        if not self._take("]"):
            raise TextError(self._at, "expected `]`", _QUOTES)
        return Select(tuple(comparisons))

    def _key(self) -> Index | Key | Prefix | None:
        if self._text.startswith('"', self._at):
            return Key(self._quoted())
        found = self._match(_BARE_KEY)
        if found is None:
            return None
        if _PREFIX.fullmatch(found):
            return Prefix(found.removesuffix("*"))
        return Index(int(found)) if _INDEX.fullmatch(found) else Key(found)

    def _one_comparison(self) -> Comparison:
        names = [Name(self._word(_BARE_NAME, "expected the name of a field to compare"))]
        while self._take("."):
            names.append(Name(self._word(_BARE_NAME, "expected the name of a field")))
        equal = not self._take("!")
        if not self._take("="):
            raise TextError(self._at, "expected `]`, or `=` or `!=` and a value", _QUOTES)
        value = self._word(_BARE_VALUE, 'expected a value (the empty string is `""`)')
        return Comparison(tuple(names), equal, value)

    def _word(self, bare: re.Pattern[str], missing: str) -> str:
        if self._text.startswith('"', self._at):
            return self._quoted()
        found = self._match(bare)
        if found is None:
            raise TextError(self._at, missing)
        return found

    def _quoted(self) -> str:
        found = _QUOTED.match(self._text, self._at)
        if found is None:
            raise TextError(self._at, "unclosed quoted string", _QUOTES)
        self._at = found.end()
        return re.sub(r"\\(.)", r"\1", found[1])

    def _match(self, pattern: re.Pattern[str]) -> str | None:
        found = pattern.match(self._text, self._at)
        if found is None:
            return None
        self._at = found.end()
        return found[0]

    def _take(self, character: str) -> bool:
        if not self._text.startswith(character, self._at):
            return False
        self._at += 1
        return True


_QUOTES = 'double-quote a key or value with such a character: `labels["a]b"]`'


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
