"""Shapes: the accepted forms of a value. A shape reads a node, and describes the same form as JSON Schema for editors.

Shapes of single words come first: flags, numbers, text, choices, and the small grammars that live within text. They are
followed by the tables of keys that a mapping of the language may have. Readers look up a value by the key object, which
determines the type of the value:

    OWNER = Key("owner", TEXT, "The owner of the gate.")
    FEATURE = Keys("feature", "a feature gate", (OWNER, ...))
    owner = FEATURE.read(node, context).get(OWNER)       # Located[str] | None

Most keys are attributes of the model with the same name: a `Part` makes a value of a class from them, and `made` the shape
of a mapping of which nothing else is read.

    STAGE = made(Keys("stage", "a stage", (Key("release", RELEASE, "…", required=True), ...)), FeatureStageSpec)
"""

from __future__ import annotations

import json
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from collections.abc import Mapping as AbstractMapping
from collections.abc import Set as AbstractSet
from itertools import combinations
from typing import Any, Generic, TypeVar

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Related
from apigen.diagnostics.quoting import listing, quote
from apigen.language.broken import Name
from apigen.language.grammars import parse_path, parse_type
from apigen.language.habits import REQUIRED, habitual_entries, habitual_expression, habitual_flag, habitual_key
from apigen.language.json_values import JsonValue
from apigen.language.model import EmbeddedText, Items, LiteralNode, Located, Object, TypeExpr
from apigen.language.nodes import Context, Mapping, Node, Scalar, Sequence, TextError
from apigen.language.paths import Path
from apigen.language.releases import RELEASE_PATTERN, Release, contained_release, parse_release
from apigen.language.scalars import LONGEST_NUMBER

T = TypeVar("T")
V = TypeVar("V")
T_co = TypeVar("T_co", covariant=True)

_WORD = re.compile(r"[A-Za-z][\w./-]{0,60}")

Schema = dict[str, JsonValue]
Definitions = dict[str, Schema]


class Shape(ABC, Generic[T_co]):
    """The expected form of one value; `expected` describes it (`a list of text`)."""

    expected: str

    @abstractmethod
    def read(self, node: Node, context: Context) -> T_co | None:
        """The value; None after an error, and only then."""

    @abstractmethod
    def schema(self, definitions: Definitions) -> Schema:
        """Return its JSON Schema; schemas that are used more than once are added to `definitions`."""


class ListOf(Shape[tuple[T_co, ...]]):
    """A list of at least `least` and at most `most` elements; a bad element makes all of it bad. `example` is the hint
    for another value.
    """

    def __init__(
        self, item: Shape[T_co], expected: str, least: int = 0, most: int | None = None, *, example: str | None = None
    ) -> None:
        self._example = example
        self._item = item
        self._least = least
        self._most = most
        self.expected = expected

    def read(self, node: Node, context: Context) -> tuple[T_co, ...] | None:
        if not isinstance(node, Sequence):
            is_text = isinstance(node, Scalar) and isinstance(node.value, str)
            text = node.text if is_text and isinstance(node, Scalar) and _WORD.fullmatch(node.text) else "…"
            context.mismatch(node, self.expected, f"write it in brackets: `[{text}]`" if is_text else self._example)
            return None
        count = len(node.items)
        if count < self._least or (self._most is not None and count > self._most):
            elements = "1 element" if count == 1 else f"{count or 'no'} elements"
            context.error("AG0211", node.place, f"expected {self.expected}, found {elements}")
            return None
        items = [self._item.read(item, context) for item in node.items]
        read = tuple(item for item in items if item is not None)
        return read if len(read) == count else None

    def schema(self, definitions: Definitions) -> Schema:
        schema: Schema = {"type": "array", "items": self._item.schema(definitions)}
        if self._least:
            schema["minItems"] = self._least
        if self._most is not None:
            schema["maxItems"] = self._most
        return schema


class MapOf(Shape[tuple[T_co, ...]]):
    """A mapping from names of the author's choice; `read_entry` returns the result for a name and its value.

    With `owner`, an entry with an error is omitted alone: it is marked as broken, by the names in `owner` and its
    own. Otherwise an error makes the whole owner of the mapping unreadable. Entries that cannot be read are omitted.
    """

    def __init__(
        self,
        value: Shape[object],
        read_entry: Callable[[Scalar, Node, Context], T_co | None],
        expected: str,
        owner: Name | None = None,
        *,
        needs_no_value: bool = False,
    ) -> None:
        self._value = value
        self._read_entry = read_entry
        self._owner = owner
        self._needs_no_value = needs_no_value
        self.expected = expected

    def _listed_hint(self, node: Node) -> str | None:
        """Return the hint for a list of names or of mappings with a name; None without names."""
        if not isinstance(node, Sequence):
            return None
        names = [each.text for each in node.items if isinstance(each, Scalar)]
        if names:
            return habitual_entries(names) if self._needs_no_value else f"write `{{{names[0]}: {{…}}}}`"
        named = (_name_in(each) for each in node.items)
        name = next((name for name in named if name is not None), None)
        return None if name is None else f"write each element below its name: `{name}: {{…}}`, without `name:`"

    def read(self, node: Node, context: Context) -> tuple[T_co, ...] | None:
        if not isinstance(node, Mapping):
            context.mismatch(node, self.expected, empty_hint(node) or self._listed_hint(node))
            return None
        if node.damaged:
            context.mark_broken()
        read: list[T_co] = []
        for key, value in node.entries:
            inner = context if self._owner is None else context.inside(*self._owner, key.text)
            if key.text in node.repeated:
                inner.mark_broken()
            entry = self._read_entry(key, value, inner)
            if entry is not None:
                read.append(entry)
        return tuple(read)

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": "object", "additionalProperties": self._value.schema(definitions)}


class ByForm(Shape[T_co]):
    """A value that may be written in more than one form: as a scalar, a mapping, a list. `empty` is the hint for
    `null`.
    """

    def __init__(
        self,
        expected: str,
        scalar: Shape[T_co] | None = None,
        mapping: Shape[T_co] | None = None,
        sequence: Shape[T_co] | None = None,
        *,
        empty: str | None = None,
    ) -> None:
        self.expected = expected
        self._empty = empty
        self._scalar = scalar
        self._mapping = mapping
        self._sequence = sequence

    def read(self, node: Node, context: Context) -> T_co | None:
        match node:
            case Scalar():
                shape = None if node.value is None else self._scalar
            case Mapping():
                shape = self._mapping
            case _:
                shape = self._sequence
        if shape is None:
            context.mismatch(node, self.expected, self._empty if isinstance(node, Scalar) else None)
            return None
        return shape.read(node, context)

    def schema(self, definitions: Definitions) -> Schema:
        forms: tuple[tuple[Shape[T_co] | None, JsonValue], ...] = (
            (self._scalar, ["string", "number", "boolean"]),
            (self._mapping, "object"),
            (self._sequence, "array"),
        )
        return {"anyOf": [shape.schema(definitions) or {"type": type_} for shape, type_ in forms if shape is not None]}


class Mapped(Shape[T_co]):
    """Reads a value with another shape, and converts it."""

    def __init__(self, shape: Shape[object], read: Callable[[Node, Context], T_co | None]) -> None:
        self.expected = shape.expected
        self._shape = shape
        self._read = read

    def read(self, node: Node, context: Context) -> T_co | None:
        return self._read(node, context)

    def schema(self, definitions: Definitions) -> Schema:
        return self._shape.schema(definitions)


def mapped(shape: Shape[V], make: Callable[[V, Node, Context], T | None]) -> Shape[T]:
    """Return a shape whose values `make` converts; it returns None after it reported an error."""

    def read(node: Node, context: Context) -> T | None:
        value = shape.read(node, context)
        return None if value is None else make(value, node, context)

    return Mapped(shape, read)


def map_of(
    value: Shape[V],
    make: Callable[[Scalar, V, Context], T | None],
    expected: str,
    owner: Name | None = None,
    *,
    needs_no_value: bool = False,
) -> Shape[tuple[T, ...]]:
    """Return the shape of a mapping whose entries `make` converts; see MapOf."""

    def read_entry(key: Scalar, node: Node, context: Context) -> T | None:
        read = value.read(node, context)
        return None if read is None else make(key, read, context)

    return MapOf(value, read_entry, expected, owner, needs_no_value=needs_no_value)


def _name_in(node: Node) -> str | None:
    """Return the value of `name:` in a mapping; None without it."""
    entries = node.entries if isinstance(node, Mapping) else ()
    return next((v.text for k, v in entries if k.text == "name" and isinstance(v, Scalar)), None)


def empty_hint(node: Node) -> str | None:
    """Return the hint for an empty value where a mapping is expected."""
    return "an empty one is written `{}`" if isinstance(node, Scalar) and node.value is None else None


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


MOST_LISTED = 12
_LONGEST_SHOWN = 60
_EVERY_KEY = "remove it; `apigen schema` prints which keys each file has"
_NOTHING: frozenset[str | None] = frozenset()
_CAPITAL = re.compile(r"[A-Z]")


def _example(name: str) -> str:
    """Return a key with a value that is accepted, or with a placeholder."""
    return REQUIRED.get(name, f"{name}: …")


def _quoted(text: str) -> str:
    """Return a string as a value in quotes; a placeholder for a long one."""
    return json.dumps(text, ensure_ascii=False) if len(text) <= _LONGEST_SHOWN and "`" not in text else "…"


def _required_hint(name: str, doc: str = "") -> str | None:
    """Return what to add for a missing key: an example of it, or its meaning."""
    if name in REQUIRED:
        return f"add `{REQUIRED[name]}`"
    return f"add `{name}:` ({doc[:1].lower()}{doc[1:].rstrip('.')})" if doc else None


@dataclass(frozen=True, slots=True, eq=False)
class Key(Generic[T_co]):
    """A key, the shape of its value, and its meaning, in a sentence. `to` is its attribute in the model, if that has
    another name.
    """

    name: str
    shape: Shape[T_co]
    doc: str
    required: bool = False
    to: str = ""

    @property
    def attribute(self) -> str:
        """Its attribute in the model."""
        return self.to or _CAPITAL.sub(lambda capital: f"_{capital[0].lower()}", self.name)


def key_of(attribute: str) -> str:
    """Return the key of an attribute of the model with the same name: `minItems` of `min_items`, `not` of `not_value`."""
    first, *others = attribute.removesuffix("_value").split("_")
    return first + "".join(other.capitalize() for other in others)


def declared(block: Any) -> dict[str, Any]:
    """Return the values of a part of the model that differ from its defaults, by key."""
    empty = type(block)()
    values = {attribute: getattr(block, attribute) for attribute in type(block).__match_args__}
    return {key_of(each): value for each, value in values.items() if value != getattr(empty, each)}


@dataclass(frozen=True, slots=True)
class Found:
    """The entries of a mapping: the values that could be read, and the location of each key."""

    place: Place
    values: AbstractMapping[str, Any]
    written: AbstractMapping[str, Scalar]

    def get(self, key: Key[T]) -> T | None:
        """The value of a key, None if it was not written or could not be read."""
        value: T | None = self.values.get(key.name)
        return value

    def some(self, key: Key[tuple[T, ...]]) -> tuple[T, ...]:
        """Return the values of a key with several values; empty if it was not written or could not be read."""
        values: tuple[T, ...] | None = self.values.get(key.name)
        return values or ()

    def is_written(self, key: Key[object]) -> bool:
        """Return whether the key was written, be its value good or not."""
        return key.name in self.written

    def is_true(self, key: Key[Located[bool]]) -> bool:
        """Return whether a flag was written and is true."""
        flag: Located[bool] | None = self.values.get(key.name)
        return flag is not None and flag.value

    def is_bad(self, key: Key[object]) -> bool:
        """Return whether the key was written and its value could not be read."""
        return key.name in self.written and key.name not in self.values

    def place_of(self, key: Key[object]) -> Place:
        """Return the location of a key, or else of the mapping."""
        scalar = self.written.get(key.name)
        return self.place if scalar is None else scalar.place


KeySet = tuple[Key[object], ...]


class Part(Generic[T]):
    """Keys of a mapping that make a value of the model. `parts` are attributes that several of the keys make together.

    Attributes without a key are the defaults of `make`.
    """

    def __init__(self, make: Callable[..., T], keys: KeySet, **parts: Part[Any]) -> None:
        self.keys = keys
        self._make = make
        self._parts = parts
        in_parts = {key.name for part in parts.values() for key in part.keys}
        self._attributes = {key.name: key.attribute for key in keys if key.name not in in_parts}
        self._required = frozenset(key.name for key in keys if key.required)

    def of(self, found: Found, **more: Any) -> T:
        """Return the value for the entries of a mapping; `more` are attributes that no key gives."""
        for name, value in found.values.items():
            attribute = self._attributes.get(name)
            if attribute is not None:
                more[attribute] = value
        for attribute, part in self._parts.items():
            if not part._attributes.keys().isdisjoint(found.values):
                more[attribute] = part.of(found)
        return self._make(**more)

    def complete(self, found: Found, **more: Any) -> T | None:
        """Return the value; None if a required key was not written, or could not be read."""
        return self.of(found, **more) if self._required.issubset(found.values) else None

    def named(self, name: Scalar, found: Found, _: Context) -> T | None:
        """Return the value of an entry of a mapping, with the name of the entry and its place."""
        return self.complete(found, name=name.text, place=name.place)


class Keys(Shape[Found]):
    """The keys of a mapping. `subject` names the mapping in messages (`a field`).

    Of the keys of each set in `exclusive` at most one may be written, of those of `one_of` one must be. `elsewhere`
    are keys of other mappings, with the reason. With `hint`, a mapping without any known key is reported once, with the
    hint.
    """

    expected = "a mapping"

    def __init__(
        self,
        name: str,
        subject: str,
        keys: KeySet,
        *,
        exclusive: tuple[KeySet, ...] = (),
        one_of: KeySet = (),
        elsewhere: AbstractMapping[str, str] | None = None,
        hint: str | None = None,
    ) -> None:
        self.name = name
        self._subject = subject
        self._keys = {key.name: key for key in keys}
        self._required = tuple(key for key in keys if key.required)
        self._required_names = frozenset(key.name for key in self._required)
        self._exclusive = (*exclusive, one_of) if one_of else exclusive
        self._exclusive_names = tuple(frozenset(key.name for key in keys) for keys in self._exclusive)
        self._one_of = one_of
        self._elsewhere = elsewhere or {}
        self._hint = hint

    @property
    def keys(self) -> KeySet:
        """The keys, in order."""
        return tuple(self._keys.values())

    def read(self, node: Node, context: Context) -> Found | None:
        if not isinstance(node, Mapping):
            context.mismatch(node, self.expected, self._hint_for(node))
            return None
        if node.damaged or node.repeated:
            context.mark_broken()
        values: dict[str, object] = {}
        written: dict[str, Scalar] = {}
        unknown: list[Scalar] = []
        for scalar, child in node.entries:
            key = self._keys.get(scalar.text)
            if key is None:
                unknown.append(scalar)
                continue
            written[key.name] = scalar
            value = key.shape.read(child, context)
            if value is not None:
                values[key.name] = value
        if self._hint is not None and unknown and not written:
            self._reject(unknown[0], written, context)
            return None
        found = Found(node.place, values, written)
        suggested = {self._reject(scalar, written, context) for scalar in unknown} if unknown else _NOTHING
        if not node.damaged and (self._one_of or not self._required_names.issubset(written)):
            self._check_missing(found, suggested, context)
        if len(written) > 1:
            self._check_exclusive(found, context)
        return found

    def schema(self, definitions: Definitions) -> Schema:
        if self.name not in definitions:
            definitions[self.name] = {}  # a table may contain itself
            definitions[self.name] = self._own_schema(definitions)
        return {"$ref": f"#/$defs/{self.name}"}

    def _reject(self, scalar: Scalar, written: AbstractMapping[str, Scalar], context: Context) -> str | None:
        """Report an invalid key; return the similar key that was probably intended."""
        name = quote(scalar.text)
        reason = self._elsewhere.get(scalar.text)
        if reason is not None:
            context.error("AG0205", scalar.place, f"{name} does not belong in {self._subject}: {reason}")
            return None
        suggested = context.nearest(scalar.text, (key for key in self._keys if key not in written))
        hint = habitual_key(scalar.text, self._keys)
        if hint is not None:
            suggested = None
        else:
            hint = self._keys_hint(written) if suggested is None else f"did you mean `{suggested}`?"
        context.error("AG0201", scalar.place, f"unknown key {name}", hint=hint)
        return suggested

    def _hint_for(self, node: Node) -> str | None:
        """Return the fix for a value that is not a mapping; None for `write a mapping`."""
        needed = [key.name for key in self._required] or [key.name for key in self._one_of]
        if isinstance(node, Scalar) and node.value is None:
            return f"add its keys: `{_example(needed[0])}`" if needed else empty_hint(node)
        if needed and isinstance(node, Scalar) and isinstance(node.value, str):
            value = node.text if node.plain and node.text.isalnum() else _quoted(node.value)
            return f"write `{{{needed[0]}: {value}}}`"
        return self._hint

    def _keys_hint(self, written: AbstractMapping[str, Scalar]) -> str | None:
        """Return the hint for an unknown key that is similar to no known one."""
        if self._hint is not None and not written:
            return self._hint
        if not self._keys:
            return f"{self._subject} is written `{{}}`"
        return (
            f"{self._subject} has {listing(tuple(self._keys), 'and')}" if len(self._keys) <= MOST_LISTED else _EVERY_KEY
        )

    def _check_missing(self, found: Found, suggested: AbstractSet[str | None], context: Context) -> None:
        for key in self._required:
            if not found.is_written(key) and key.name not in suggested:
                hint = _required_hint(key.name, key.doc)
                context.error("AG0203", found.place, f"{self._subject} needs `{key.name}`", hint=hint)
        names = tuple(key.name for key in self._one_of)
        if names and not any(name in found.written or name in suggested for name in names):
            context.error(
                "AG0203", found.place, f"{self._subject} needs one of {listing(names)}", hint=_required_hint(names[0])
            )

    def _check_exclusive(self, found: Found, context: Context) -> None:
        for names in self._exclusive_names:
            if len(names.intersection(found.written)) < 2:
                continue
            first, *others = [name for name in found.written if name in names] or [""]
            for other in others:
                related = [Related(found.written[first].place, f"`{first}` is here")]
                message = f"`{other}` and `{first}` are mutually exclusive"
                context.error("AG0204", found.written[other].place, message, related=related)

    def _own_schema(self, definitions: Definitions) -> Schema:
        schema: Schema = {
            "type": "object",
            "properties": {
                key.name: {"description": key.doc, **key.shape.schema(definitions)} for key in self._keys.values()
            },
            "additionalProperties": False,
        }
        if self._required:
            schema["required"] = [key.name for key in self._required]
        if self._one_of:
            schema["anyOf"] = [{"required": [key.name]} for key in self._one_of]
        pairs = [pair for keys in self._exclusive for pair in combinations(keys, 2)]
        if pairs:
            schema["allOf"] = [{"not": {"required": [key.name for key in pair]}} for pair in pairs]
        return schema


def made(keys: Keys, make: Callable[..., T]) -> Shape[T]:
    """Return the shape of a mapping that makes a value of the model, with its place if it has one; it has no value without
    its required keys.
    """
    part = Part(make, keys.keys)
    has_place = "place" in getattr(make, "__match_args__", ())

    def value(found: Found, node: Node, _: Context) -> T | None:
        return part.complete(found, place=node.place) if has_place else part.complete(found)

    return mapped(keys, value)
