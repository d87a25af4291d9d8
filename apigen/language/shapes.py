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
from apigen.language.grammars import parse_path, parse_type
from apigen.language.habits import REQUIRED, habitual_entries, habitual_expression, habitual_flag, habitual_key
from apigen.language.json_values import JsonValue
from apigen.language.model import BrokenName, EmbeddedText, Items, LiteralNode, Located, Object, Path, TypeExpr
from apigen.language.nodes import Context, Mapping, Node, Scalar, Sequence, TextError
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
        owner: BrokenName | None = None,
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
    owner: BrokenName | None = None,
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


class Word(Shape[T_co]):
    """One scalar with a value of some Python types; `make` returns the value, or None after it reported an error.

    `hint` returns the fix for another node.
    """

    def __init__(
        self,
        expected: str,
        types: tuple[type, ...],
        schema: Schema,
        make: Callable[[Scalar, Context], T_co | None],
        hint: Callable[[Node], str | None] = lambda _: None,
    ) -> None:
        self.expected = expected
        self._types = types
        self._schema = schema
        self._make = make
        self._hint = hint

    def read(self, node: Node, context: Context) -> T_co | None:
        if isinstance(node, Scalar) and type(node.value) in self._types:
            return self._make(node, context)
        context.mismatch(node, self.expected, self._hint(node))
        return None

    def schema(self, definitions: Definitions) -> Schema:
        return dict(self._schema)


def whole(least: int | None = None) -> Shape[Located[int]]:
    """Return the shape of an integer, at least `least` if that is given."""
    expected = "an integer" if least is None else f"an integer of at least {least}"

    def make(node: Scalar, context: Context) -> Located[int] | None:
        located: Located[int] = _located(node, context)
        if least is None or located.value >= least:
            return located
        context.error("AG0210", node.place, f"expected {expected}, found {located.value}")
        return None

    bounds: Schema = {} if least is None else {"minimum": least}
    return Word(expected, (int,), {"type": "integer", **bounds}, make, _number_hint)


def text_shape(expected: str = "a string", pattern: str | None = None) -> Shape[Located[str]]:
    """Return the shape of a string; with a `pattern`, all of it must match, and `expected` describes the pattern."""
    compiled = None if pattern is None else re.compile(pattern)

    def make(node: Scalar, context: Context) -> Located[str] | None:
        located: Located[str] = _located(node, context)
        if compiled is None or compiled.fullmatch(located.value):
            return located
        found = quote(located.value) if located.value else "an empty string"
        context.error("AG0210", node.place, f"expected {expected}, found {found}", hint=f"write {expected}")
        return None

    schema: Schema = {"type": "string"} if pattern is None else {"type": "string", "pattern": f"^(?:{pattern})$"}
    return Word(expected, (str,), schema, make, _text_hint)


def choice(*words: str, habits: AbstractMapping[str, str] | None = None) -> Shape[Located[str]]:
    """Return the shape of one of some words; `habits` are other words for them, for hints."""
    expected = listing(words)

    def make(node: Scalar, context: Context) -> Located[str] | None:
        if node.value in words:
            return _located(node, context)
        suggested = (habits or {}).get(node.text.lower())
        hint = f"write `{suggested}`" if suggested else context.did_you_mean(node.text, words)
        message = f"expected {expected}, found {quote(node.text)}"
        context.error("AG0206", node.place, message, hint=hint or f"write {expected}")
        return None

    return Word(expected, (str,), {"enum": list(words)}, make)


def _embedded(expected: str, least: int = 0) -> Shape[EmbeddedText]:
    """Return the shape of text in a language of its own, at least `least` characters; `expected` names it. Later stages
    check it.
    """

    def make(node: Scalar, context: Context) -> EmbeddedText | None:
        if len(node.text.strip()) < least:
            context.error("AG0210", node.place, f"expected {expected}, found an empty string")
            return None
        return EmbeddedText(node.text, node.place, node.place_at(0) if node.inner else None)

    bounds: Schema = {"minLength": least} if least else {}
    return Word(expected, (str,), {"type": "string", **bounds}, make, _text_hint)


class LiteralShape(Shape[LiteralNode]):
    """Any value: a scalar, or a structure of values."""

    expected = "a value"

    def read(self, node: Node, context: Context) -> LiteralNode | None:
        match node:
            case Scalar():
                return _finite(node, context)
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


def _read_type(scalar: Scalar, context: Context) -> TypeExpr | None:
    try:
        return parse_type(scalar.text, scalar.place_at)
    except TextError as error:
        context.text_error("AG0207", scalar, error)
        return None


def _located(scalar: Scalar, _: Context) -> Located[Any]:
    return Located(scalar.value, scalar.place)


def _finite(scalar: Scalar, context: Context) -> Located[Any] | None:
    if not isinstance(scalar.value, float) or math.isfinite(scalar.value):
        return Located(scalar.value, scalar.place)
    context.error("AG0213", scalar.place, f"expected a finite number, found {quote(scalar.text)}")
    return None


def _release(scalar: Scalar, context: Context) -> Located[Release] | None:
    """Return a release. `1.10` may be written without quotes: it is read as text, not as the number 1.1."""
    if re.fullmatch(RELEASE_PATTERN, scalar.text):
        return Located(parse_release(scalar.text), scalar.place)
    release = contained_release(scalar.text)
    hint = f"write {RELEASE.expected}" if release is None else f'write `"{release}"`'
    context.error("AG0210", scalar.place, f"expected {RELEASE.expected}, found {quote(scalar.text)}", hint=hint)
    return None


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


def _type_hint(node: Node) -> str | None:
    """Return the hint for a type that was written as a list or as its declaration."""
    if isinstance(node, Mapping):
        return (
            "add a type to `types:`, such as `NAME: {fields: {…}}` or `NAME: {enum: {A: {}}}`, and write `type: NAME`"
        )
    if not isinstance(node, Sequence):
        return None
    item = node.items[0] if len(node.items) == 1 else None
    return habitual_expression(f"list[{item.text if isinstance(item, Scalar) else 'T'}]")


FLAG: Shape[Located[bool]] = Word(
    "`true` or `false`",
    (bool,),
    {"type": "boolean"},
    _located,
    lambda node: habitual_flag(node.text) if isinstance(node, Scalar) else None,
)
WHOLE = whole()
COUNT = whole(least=0)
NUMBER: Shape[Located[int | float]] = Word("a number", (int, float), {"type": "number"}, _finite, _number_hint)
TEXT = text_shape()
REASON = text_shape("a reason", r"[\s\S]*\S[\s\S]*")
_LABEL, _NAME = r"[A-Za-z0-9](?:[-A-Za-z0-9]{0,61}[A-Za-z0-9])?", r"[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
ANNOTATION_KEY = text_shape("an annotation key such as `example.com/data`", rf"(?:{_LABEL}(?:\.{_LABEL})*/)?{_NAME}")
"""A qualified name of Kubernetes: a name of at most 63 characters, with or without a domain before it."""
RELEASE: Shape[Located[Release]] = Word(
    'a release such as "1.10"',
    (int, float, str),
    {"type": ["string", "number"], "pattern": f"^{RELEASE_PATTERN}$"},
    _release,
)
PATH: Shape[Path] = Word("a path", (str,), {"type": "string"}, read_path)
TYPE: Shape[TypeExpr] = Word("a type", (str,), {"type": "string"}, _read_type, _type_hint)
CEL = _embedded("a CEL expression", least=1)
PATTERN_TEXT = _embedded("text")
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
