"""Values that are generated from the constraints of a schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations, islice

from apigen.diagnostics import Place
from apigen.ir.surface import Constraint, Constraints, Keyword, Scalar, Scalars, Slot, Surface
from apigen.language.json_values import JsonValue
from apigen.review.prover.samples import samples
from apigen.review.prover.schemas.schema import Document, Schema, mapping_of

Words = Mapping[str, JsonValue]

_DEEPEST_SCHEMA = 6
_MOST_OF_MEMBER = 6
_MOST_PAIRS = 6
_LONGEST = 300
"""The maximum number of generated characters of a string, or items of a list, for a bound."""

_ANYTHING: tuple[JsonValue, ...] = ("a", 1, {}, [], True, None, 1.5, "", 0)
_PLACE = Place("")
_NOWHERE = Surface("", "", {})
_BRANCHES = ("allOf", "anyOf", "oneOf")
_NESTED = frozenset({*_BRANCHES, "not", "if", "then", "else", "$ref", "dependentSchemas"})
_MEMBERS = frozenset({"properties", "patternProperties"})
_TYPES: dict[str, frozenset[str]] = {
    "object": frozenset(
        {*_MEMBERS, "required", "additionalProperties", "minProperties", "maxProperties", "propertyNames"}
    ),
    "array": frozenset({"items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"}),
    "string": frozenset({"pattern", "minLength", "maxLength", "format"}),
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}),
}
"""The keywords that apply to a type; they imply the type of a schema without `type`."""

_OF_FORMATS = {
    "byte": ("YQ==",),
    "cidr": ("10.0.0.0/8", "2001:db8::/32"),
    "creditcard": ("4111111111111111",),
    "date": ("2020-01-31",),
    "date-time": ("2020-01-31T12:30:00Z", "2020-01-31T12:30:00.5+01:00"),
    "duration": ("90s", "1h30m", "2 days"),
    "email": ("a@example.com", "A <a@example.com>"),
    "hostname": ("example.com", "a"),
    "ipv4": ("10.0.0.1",),
    "ipv6": ("2001:db8::1",),
    "isbn": ("0306406152",),
    "isbn10": ("0306406152",),
    "isbn13": ("9780306406157",),
    "mac": ("00:00:5e:00:53:01",),
    "rgbcolor": ("rgb(0,0,0)",),
    "ssn": ("123-45-6789",),
    "uri": ("https://example.com/a", "/a"),
    **{f"uuid{version}": (f"123e4567-e89b-{version or 4}2d3-a456-426614174000",) for version in ("", "3", "4", "5")},
}
"""For each format, strings that have it."""

_OF_TEXTS = {"pattern": Keyword.PATTERN, "minLength": Keyword.MIN_LENGTH, "maxLength": Keyword.MAX_LENGTH}


def schema_values(schema: Schema) -> Iterator[JsonValue]:
    """Yield values for each alternative of a schema, close to its bounds; it accepts many of them, and rejects some."""
    return _Making(schema.document).of(schema.value)


class _Making:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._of_types = {"object": self._objects, "array": self._lists, "string": _texts, "number": _numbers}

    def of(self, words: JsonValue, depth: int = 0) -> Iterator[JsonValue]:
        if depth > _DEEPEST_SCHEMA or words is False:
            return
        if not isinstance(words, dict):
            yield from _ANYTHING
            return
        parts = (self.of(part, depth + 1) for part in self._parts(words))
        typed = (self._typed(type_, words, depth) for type_ in _types(words))
        yield from _in_turn((_contained_values(words), *typed, *parts))

    def _typed(self, type_: str, words: Words, depth: int) -> Iterator[JsonValue]:
        if type_ in self._of_types:
            yield from self._of_types[type_](words, depth)
        elif type_ == "null":
            yield None
        elif type_ == "boolean":
            yield from (True, False)
        else:
            yield from _ANYTHING

    def _parts(self, words: Words) -> Iterator[JsonValue]:
        """Yield the schema merged with each schema that is nested in it and applies to the same value."""
        plain: JsonValue = {name: value for name, value in words.items() if name not in _NESTED}
        target = self._document.target(str(words["$ref"])) if "$ref" in words else None
        if target is not None:
            yield _merged(plain, target.value)
        for keyword in _BRANCHES:
            branches = words.get(keyword)
            if isinstance(branches, list):
                yield from (_merged(plain, branch) for branch in branches)
                yield from (_merged(plain, *pair) for pair in islice(combinations(branches, 2), _MOST_PAIRS))
        for names in (("not",), ("if",), ("if", "then"), ("else",)):
            if names[0] in words:
                yield _merged(plain, *(words.get(name, True) for name in names))
        dependent = words.get("dependentSchemas")
        if isinstance(dependent, dict):
            yield from (_merged(plain, {"required": [name]}, inner) for name, inner in dependent.items())

    def _first(self, words: JsonValue, depth: int) -> JsonValue:
        return next(self.of(words, depth + 1), "a")

    def _objects(self, words: Words, depth: int) -> Iterator[JsonValue]:
        members = mapping_of(words, "properties")
        required = words.get("required")
        names = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
        least = {name: self._first(members.get(name, True), depth) for name in names}
        yield least
        for name in names:
            yield {other: value for other, value in least.items() if other != name}
        for name, inner in members.items():
            for value in islice(self.of(inner, depth + 1), _MOST_OF_MEMBER):
                yield {**least, name: value}
        yield {**least, **{name: self._first(inner, depth) for name, inner in members.items()}}
        for pattern, inner in mapping_of(words, "patternProperties").items():
            for key in islice(_texts({"pattern": pattern}), 1):
                yield {**least, str(key): self._first(inner, depth)}
        for value in islice(self.of(words.get("additionalProperties", True), depth + 1), 2):
            yield {**least, "another": value}

    def _lists(self, words: Words, depth: int) -> Iterator[JsonValue]:
        yield []
        items = words.get("prefixItems", words.get("items", True))
        if isinstance(items, list):
            items_of_tuple = [self._first(item, depth) for item in items]
            yield from (items_of_tuple[: count + 1] for count in range(len(items_of_tuple)))
            others = words.get("items" if "prefixItems" in words else "additionalItems", True)
            yield from ([*items_of_tuple, value] for value in islice(self.of(others, depth + 1), _MOST_OF_MEMBER))
            for index, item in enumerate(items):
                before, after = items_of_tuple[:index], items_of_tuple[index + 1 :]
                yield from ([*before, value, *after] for value in islice(self.of(item, depth + 1), 1, 3))
            items = True
        for item in islice(chain(self.of(items, depth + 1), self.of(words.get("contains", True), depth + 1)), 12):
            yield [item]
        first = self._first(items, depth)
        yield from ([first] * count for count in _around(words, ("minItems", "maxItems")))


def _types(words: Words) -> list[str]:
    """Return the types of a schema, or those that its keywords imply; without either, any type."""
    declared = words.get("type")
    named = [declared] if isinstance(declared, str) else declared if isinstance(declared, list) else []
    found = ["number" if each == "integer" else str(each) for each in named]
    found = found or [type_ for type_, names in _TYPES.items() if names & words.keys()]
    return found or ([] if _NESTED & words.keys() else ["anything"])


def _contained_values(words: Words) -> Iterator[JsonValue]:
    """Yield the values that a schema contains."""
    for keyword in ("const", "default"):
        if keyword in words:
            yield words[keyword]
    for keyword in ("enum", "examples"):
        listed = words.get(keyword)
        yield from listed if isinstance(listed, list) else ()


def _texts(words: Words, depth: int = 0) -> Iterator[JsonValue]:
    constraints: Constraints = {
        keyword: Constraint(value, _PLACE)
        for name, keyword in _OF_TEXTS.items()
        if isinstance(value := words.get(name), str | int)
    }
    slot = Slot(Scalar(Scalars.STRING), _PLACE, constraints=constraints)
    yield from _OF_FORMATS.get(str(words.get("format")), ())
    yield from samples(slot, _NOWHERE, 3) or samples(slot, _NOWHERE, 1) or ()
    yield ""
    yield from ("a" * length for length in _around(words, ("minLength", "maxLength")))


def _numbers(words: Words, depth: int = 0) -> Iterator[JsonValue]:
    for keyword in sorted(_TYPES["number"] & words.keys()):
        bound = words[keyword]
        if isinstance(bound, int | float) and not isinstance(bound, bool):
            yield from (bound, bound + 1, bound - 1)
    yield from (1, 0, -1, *(() if words.get("type") == "integer" else (1.5,)))


def _around(words: Words, keywords: Iterable[str]) -> Iterator[int]:
    """Yield sizes next to bounds."""
    for keyword in keywords:
        bound = words.get(keyword)
        if isinstance(bound, int) and bound <= _LONGEST:
            yield from (size for size in (bound, bound - 1, bound + 1) if size >= 0)


def _merged(*parts: JsonValue) -> JsonValue:
    """Return one schema for several that apply together; of two values for one keyword, the later one is used."""
    found: dict[str, JsonValue] = {}
    for part in parts:
        for name, value in part.items() if isinstance(part, dict) else ():
            old = found.get(name)
            if name in _MEMBERS and isinstance(old, dict) and isinstance(value, dict):
                merged = {key: _merged(old[key], inner) for key, inner in value.items() if key in old}
                value = {**old, **value, **merged}
            elif name == "required" and isinstance(old, list) and isinstance(value, list):
                value = [*old, *value]
            found[name] = value
    return found


def _in_turn(sources: Iterable[Iterator[JsonValue]]) -> Iterator[JsonValue]:
    """Yield one value of each source in turn, so that no source waits for the end of another."""
    waiting = list(sources)
    while waiting:
        unfinished: list[Iterator[JsonValue]] = []
        for source in waiting:
            for value in islice(source, 1):
                yield value
                unfinished.append(source)
        waiting = unfinished
