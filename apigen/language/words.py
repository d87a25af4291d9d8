"""The shapes of single words: flags, numbers, text, choices, and the small grammars that live within text."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping as AbstractMapping

from apigen.diagnostics.quoting import listing, quote
from apigen.language.context import Context
from apigen.language.habits import habitual_expression, habitual_flag
from apigen.language.model import EmbeddedText, Items, LiteralNode, Located, Object, TypeExpr
from apigen.language.nodes import Mapping, Node, Scalar, Sequence
from apigen.language.path_parser import parse_path
from apigen.language.paths import Path
from apigen.language.releases import RELEASE_PATTERN, Release, contained_release, parse_release
from apigen.language.scalars import LONGEST_NUMBER
from apigen.language.shapes import Definitions, ListOf, Schema, Shape, mapped
from apigen.language.text_error import TextError
from apigen.language.type_expressions import parse_type


class FlagShape(Shape[Located[bool]]):
    """`true` or `false`."""

    expected = "`true` or `false`"

    def read(self, node: Node, context: Context) -> Located[bool] | None:
        if isinstance(node, Scalar) and isinstance(node.value, bool):
            return Located(node.value, node.place)
        context.mismatch(node, self.expected, habitual_flag(node.text) if isinstance(node, Scalar) else None)
        return None

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": "boolean"}


class WholeShape(Shape[Located[int]]):
    """An integer, at least `least` if that is given."""

    def __init__(self, least: int | None = None) -> None:
        self._least = least
        self.expected = "an integer" if least is None else f"an integer of at least {least}"

    def read(self, node: Node, context: Context) -> Located[int] | None:
        if not isinstance(node, Scalar) or not isinstance(node.value, int) or isinstance(node.value, bool):
            context.mismatch(node, self.expected, _number_hint(node))
            return None
        if self._least is not None and node.value < self._least:
            context.error("AG0210", node.place, f"expected {self.expected}, found {node.value}")
            return None
        return Located(node.value, node.place)

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": "integer"} if self._least is None else {"type": "integer", "minimum": self._least}


class NumberShape(Shape[Located[int | float]]):
    """A finite number."""

    expected = "a number"

    def read(self, node: Node, context: Context) -> Located[int | float] | None:
        if not isinstance(node, Scalar) or not isinstance(node.value, int | float) or isinstance(node.value, bool):
            context.mismatch(node, self.expected, _number_hint(node))
            return None
        return Located(node.value, node.place) if _is_finite(node, context) else None

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": "number"}


class TextShape(Shape[Located[str]]):
    """A string; with a `pattern`, all of it must match, and `expected` describes the pattern."""

    def __init__(self, expected: str = "a string", pattern: str | None = None) -> None:
        self.expected = expected
        self._pattern = None if pattern is None else re.compile(pattern)

    def read(self, node: Node, context: Context) -> Located[str] | None:
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            context.mismatch(node, self.expected, _text_hint(node))
            return None
        if self._pattern is not None and not self._pattern.fullmatch(node.value):
            found = quote(node.value) if node.value else "an empty string"
            context.error(
                "AG0210", node.place, f"expected {self.expected}, found {found}", hint=f"write {self.expected}"
            )
            return None
        return Located(node.value, node.place)

    def schema(self, definitions: Definitions) -> Schema:
        if self._pattern is None:
            return {"type": "string"}
        return {"type": "string", "pattern": f"^(?:{self._pattern.pattern})$"}


class ReleaseShape(Shape[Located[Release]]):
    """A release. `1.10` may be written without quotes: it is read as text, not as the number 1.1."""

    expected = 'a release such as "1.10"'

    def read(self, node: Node, context: Context) -> Located[Release] | None:
        if not isinstance(node, Scalar) or node.value is None or isinstance(node.value, bool):
            context.mismatch(node, self.expected)
            return None
        if not re.fullmatch(RELEASE_PATTERN, node.text):
            release = contained_release(node.text)
            hint = f"write {self.expected}" if release is None else f'write `"{release}"`'
            context.error("AG0210", node.place, f"expected {self.expected}, found {quote(node.text)}", hint=hint)
            return None
        return Located(parse_release(node.text), node.place)

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": ["string", "number"], "pattern": f"^{RELEASE_PATTERN}$"}


class Choice(Shape[Located[str]]):
    """One of some words; `habits` are other words for them, for hints."""

    def __init__(self, *words: str, habits: AbstractMapping[str, str] | None = None) -> None:
        self._words = words
        self._habits = habits or {}
        self.expected = listing(words)

    def read(self, node: Node, context: Context) -> Located[str] | None:
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            context.mismatch(node, self.expected)
            return None
        if node.value not in self._words:
            suggested = self._habits.get(node.value.lower())
            hint = f"write `{suggested}`" if suggested else context.did_you_mean(node.value, self._words)
            hint = hint or f"write {self.expected}"
            context.error("AG0206", node.place, f"expected {self.expected}, found {quote(node.value)}", hint=hint)
            return None
        return Located(node.value, node.place)

    def schema(self, definitions: Definitions) -> Schema:
        return {"enum": list(self._words)}


class PathShape(Shape[Path]):
    """A path."""

    expected = "a path"

    def read(self, node: Node, context: Context) -> Path | None:
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            context.mismatch(node, self.expected)
            return None
        return read_path(node, context)

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": "string"}


class TypeShape(Shape[TypeExpr]):
    """A type expression."""

    expected = "a type"

    def read(self, node: Node, context: Context) -> TypeExpr | None:
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            hint = None
            if isinstance(node, Sequence):
                item = node.items[0] if len(node.items) == 1 else None
                hint = habitual_expression(f"list[{item.text if isinstance(item, Scalar) else 'T'}]")
            elif isinstance(node, Mapping):
                hint = "add a type to `types:`, such as `NAME: {fields: {…}}` or `NAME: {enum: {A: {}}}`, and write `type: NAME`"
            context.mismatch(node, self.expected, hint)
            return None
        try:
            return parse_type(node.text, node.place_at)
        except TextError as error:
            context.text_error("AG0207", node, error)
            return None

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": "string"}


class EmbeddedShape(Shape[EmbeddedText]):
    """Text in a language of its own, at least `least` characters; `expected` names it. Later stages check it."""

    def __init__(self, expected: str, least: int = 0) -> None:
        self.expected = expected
        self._least = least

    def read(self, node: Node, context: Context) -> EmbeddedText | None:
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            context.mismatch(node, self.expected, _text_hint(node))
            return None
        if len(node.value.strip()) < self._least:
            context.error("AG0210", node.place, f"expected {self.expected}, found an empty string")
            return None
        return EmbeddedText(node.value, node.place, node.place_at(0) if node.inner else None)

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": "string", "minLength": self._least} if self._least else {"type": "string"}


class LiteralShape(Shape[LiteralNode]):
    """Any value: a scalar, or a structure of values."""

    expected = "a value"

    def read(self, node: Node, context: Context) -> LiteralNode | None:
        match node:
            case Scalar():
                return Located(node.value, node.place) if _is_finite(node, context) else None
            case Sequence():
                items = [self.read(item, context) for item in node.items]
                return Items(tuple(item for item in items if item is not None), node.place)
            case Mapping():
                if node.damaged or node.repeated:
                    context.mark_broken()
                members = [(Located(key.text, key.place), self.read(value, context)) for key, value in node.entries]
                return Object(tuple((key, value) for key, value in members if value is not None), node.place)

    def schema(self, definitions: Definitions) -> Schema:
        return {}


def read_path(scalar: Scalar, context: Context) -> Path | None:
    """Return the path in the text of a scalar, which may be a key."""
    try:
        return parse_path(scalar.text, scalar.place)
    except TextError as error:
        context.text_error("AG0208", scalar, error)
        return None


def _is_finite(scalar: Scalar, context: Context) -> bool:
    if not isinstance(scalar.value, float) or math.isfinite(scalar.value):
        return True
    context.error("AG0213", scalar.place, f"expected a finite number, found {quote(scalar.text)}")
    return False


def _number_hint(node: Node) -> str | None:
    """Return the hint for a number that was written as a string."""
    if not isinstance(node, Scalar) or not isinstance(node.value, str):
        return None
    digits = node.text.replace("_", "")
    if not digits.isascii() or not digits.isdigit() or len(digits) > LONGEST_NUMBER:
        return None
    return f"write it without quotes: {digits}" if digits == node.text else f"write it without `_`: {digits}"


def _text_hint(node: Node) -> str | None:
    """Return the hint for a string that was written like another value."""
    if not isinstance(node, Scalar) or node.value is None:
        return None
    return f'quote it: "{node.text}"'


FLAG = FlagShape()
WHOLE = WholeShape()
COUNT = WholeShape(least=0)
NUMBER = NumberShape()
TEXT = TextShape()
REASON = TextShape("a reason", r"[\s\S]*\S[\s\S]*")
_LABEL, _NAME = r"[A-Za-z0-9](?:[-A-Za-z0-9]{0,61}[A-Za-z0-9])?", r"[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
ANNOTATION_KEY = TextShape("an annotation key such as `example.com/data`", rf"(?:{_LABEL}(?:\.{_LABEL})*/)?{_NAME}")
"""A qualified name of Kubernetes: a name of at most 63 characters, with or without a domain before it."""
RELEASE = ReleaseShape()
PATH = PathShape()
TYPE = TypeShape()
CEL = EmbeddedShape("a CEL expression", least=1)
PATTERN_TEXT = EmbeddedShape("text")
LITERAL = LiteralShape()

TEXTS = ListOf(TEXT, "a list of strings")
SOME_TEXTS = ListOf(TEXT, "a list of strings with at least one element", least=1)
PATHS = ListOf(PATH, "a list of paths")

PLAIN_FLAG: Shape[bool] = mapped(FLAG, lambda flag, *_: flag.value)
"""A flag whose location nothing needs; the same for the others."""

PLAIN_COUNT: Shape[int] = mapped(COUNT, lambda number, *_: number.value)
PLAIN_TEXT: Shape[str] = mapped(TEXT, lambda text, *_: text.value)
