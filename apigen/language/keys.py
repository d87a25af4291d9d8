"""Tables of keys: the keys that a mapping of the language may have. Readers and JSON Schema both use them.

Readers look up a value by the key object, which determines the type of the value:

    OWNER = Key("owner", TEXT, "The owner of the gate.")
    FEATURE = Keys("feature", "a feature gate", (OWNER, ...))
    owner = FEATURE.read(node, context).get(OWNER)       # Located[str] | None

Most keys are attributes of the model with the same name: a `Part` makes a value of a class from them, and `made` the shape
of a mapping of which nothing else is read.

    STAGE = made(Keys("stage", "a stage", (Key("release", RELEASE, "…", required=True), ...)), FeatureStageSpec)
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from collections.abc import Mapping as AbstractMapping
from collections.abc import Set as AbstractSet
from itertools import combinations
from typing import Any, Generic, TypeVar

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Related
from apigen.diagnostics.quoting import listing, quote
from apigen.language.context import Context
from apigen.language.habits import REQUIRED, habitual_key
from apigen.language.model import Located
from apigen.language.nodes import Mapping, Node, Scalar
from apigen.language.shapes import Definitions, Schema, Shape, empty_hint, mapped

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

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
