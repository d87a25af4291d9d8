"""Convert a schema, or its negation, to alternatives of elementary conditions (atoms) on the values of one type.

Both are supersets: an unsupported keyword is omitted from the conversion, and its negation is any value. So a proof
that no value remains is valid, whatever the unsupported keywords mean.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, product
from math import isfinite, prod

from apigen.dataclass import dataclass
from apigen.inputs.schemas.words import canonical
from apigen.ir.surface import CONDITIONS, WITHOUT_FRACTION
from apigen.language.json_values import JsonValue, type_of
from apigen.review.prover.schemas.rules import rule_schema
from apigen.review.prover.schemas.schema import Schema, Steps, TooMuchError, is_opaque, mapping_of

Literal = tuple[Schema, bool]
"""A schema, and whether a value must match it or must not match it."""

Formula = frozenset[Literal]
"""A conjunction of literals."""


def formula_of(value: JsonValue, schema: Schema, holds: bool) -> Formula:
    """Return the condition that a value matches a nested schema of the document of `schema`, or that it does not."""
    return frozenset({(schema.document.schema(value), holds)})


@dataclass(frozen=True, slots=True)
class OneOf:
    """A scalar that is, or is not, one of some values, given as JSON."""

    values: frozenset[str]
    holds: bool


@dataclass(frozen=True, slots=True)
class Bound:
    """A lower or an upper bound of a number."""

    value: Fraction
    is_upper: bool
    is_strict: bool


@dataclass(frozen=True, slots=True)
class Multiple:
    """A number that is a multiple of another, or is not."""

    of: Fraction
    holds: bool


@dataclass(frozen=True, slots=True)
class Size:
    """A number of characters, items or properties. `most` None: without an upper limit."""

    least: int = 0
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Matches:
    """A string in which a pattern matches, or does not."""

    pattern: str
    holds: bool


@dataclass(frozen=True, slots=True)
class HasFormat:
    """A value that has, or does not have, a format or another condition that is known by name only."""

    name: str
    holds: bool


@dataclass(frozen=True, slots=True)
class Unique:
    """A list with distinct items, or with a duplicate."""

    holds: bool


@dataclass(frozen=True, slots=True)
class Items:
    """A condition on every item from `start` up to `stop`, or on at least one of them. `stop` None: to the end."""

    start: int
    stop: int | None
    formula: Formula
    is_every: bool


@dataclass(frozen=True, slots=True)
class Names:
    """A set of property names: a single name, or all in which `pattern` matches, except some names and those in which
    some patterns match.
    """

    name: str | None = None
    pattern: str | None = None
    but_names: frozenset[str] = frozenset()
    but_patterns: frozenset[str] = frozenset()

    def has(self, name: str | None, found: frozenset[str]) -> bool:
        """Return whether the set contains a name; `found` are the patterns that match in it. None: any name that no
        schema mentions.
        """
        if self.name is not None:
            return name == self.name
        is_in = self.pattern is None or self.pattern in found
        return is_in and name not in self.but_names and not self.but_patterns & found


@dataclass(frozen=True, slots=True)
class Members:
    """A condition on every property with such a name, or on at least one; `of_name`: the condition is on the name."""

    names: Names
    formula: Formula
    is_every: bool
    of_name: bool = False


@dataclass(frozen=True, slots=True)
class Absent:
    """An object without a property."""

    name: str


Atom = OneOf | Bound | Multiple | Size | Matches | HasFormat | Unique | Items | Members | Absent
Clause = tuple[Atom, ...]
"""A conjunction of atoms."""

Form = list[Clause]
"""A disjunction of clauses. An empty list matches no value, `[()]` any value."""

NOTHING: Form = []
ANYTHING: Form = [()]
EVERYTHING: Formula = frozenset()


Words = Mapping[str, JsonValue]


class Forms:
    """Converts schemas to forms."""

    def __init__(self, steps: Steps, shared: Container[str]) -> None:
        """`shared` are the conditions of the other schema, with which those of the same text are compared by name."""
        self._steps = steps
        self._shared = shared
        self._known: dict[tuple[Schema, bool, str], Form] = {}
        self._contents: dict[tuple[str, Schema], Schema | None] = {}

    def of(self, schema: Schema, holds: bool, type_: str, depth: int = 0) -> Form:
        """Return the form of the values of a type that match a schema, or do not. Raises TooMuchError."""
        key = (schema, holds, type_)
        if key not in self._known:
            if depth > Steps.DEEPEST:
                raise TooMuchError
            self._steps.take()
            self._known[key] = self._built(schema, holds, type_, depth)
        return self._known[key]

    def all_of(self, forms: Iterable[Form]) -> Form:
        """Return the conjunction of some forms."""
        result: list[dict[Atom, None]] = [{}]
        for form in forms:
            if len(result) == len(form) == 1:
                result[0].update(dict.fromkeys(form[0]))
            else:
                result = [one | dict.fromkeys(other) for one in result for other in form]
            self._steps.take(len(result))
            if len(result) > Steps.MOST_CLAUSES:
                raise TooMuchError
        return [tuple(clause) for clause in result]

    def _built(self, schema: Schema, holds: bool, type_: str, depth: int) -> Form:
        words = schema.value
        if isinstance(words, bool):
            return ANYTHING if words is holds else NOTHING
        if not isinstance(words, dict):
            return ANYTHING
        parts = self._parts(words, schema, holds, type_, depth)
        if holds:
            return self.all_of(parts)
        return [clause for part in parts for clause in part]

    def _parts(self, words: Words, schema: Schema, holds: bool, type_: str, depth: int) -> Iterable[Form]:
        """Yield the forms of each keyword of a schema, or their negations."""
        if "$ref" in words:
            yield self._reference(words["$ref"], schema, holds, type_, depth)
            if holds:  # drafts before 2019 ignore keywords next to it
                return
        words = _plain(words, schema)
        if any(map(is_opaque, words)):
            yield ANYTHING
        yield _typed(words, holds, type_)
        yield from _of_scalars(words, schema, holds, type_)
        yield from self._conditions(words, schema, holds, type_, depth)
        if type_ == "array":
            yield from _of_lists(words, schema, holds)
        elif type_ == "object":
            yield from _of_objects(words, schema, holds)
        yield from self._nested(words, schema, holds, type_, depth)

    def _conditions(self, words: Words, schema: Schema, holds: bool, type_: str, depth: int) -> Iterable[Form]:
        """Yield the forms of conditions that are known by name; of a rule that only one side has, also its content."""
        conditions = words.get(CONDITIONS)
        for condition in conditions if isinstance(conditions, list) else ():
            if condition == WITHOUT_FRACTION and type_ != "number":
                continue
            form: Form = [(HasFormat(str(condition), holds),)]
            is_used = not holds or str(condition) not in self._shared
            content = self._content(str(condition), words, schema) if is_used else None
            if content is not None:
                form = self.all_of((form, self.of(content, holds, type_, depth + 1)))
            yield form

    def _content(self, condition: str, words: Words, schema: Schema) -> Schema | None:
        """Return a condition of a schema as a schema; None if that is unknown."""
        key = condition, schema
        if key not in self._contents:
            rule = rule_schema(condition, dict(words))
            self._contents[key] = None if rule is None else schema.document.schema(rule)
        return self._contents[key]

    def _reference(self, reference: JsonValue, schema: Schema, holds: bool, type_: str, depth: int) -> Form:
        target = schema.document.target(reference) if isinstance(reference, str) else None
        return ANYTHING if target is None else self.of(target, holds, type_, depth + 1)

    def _nested(self, words: Words, schema: Schema, holds: bool, type_: str, depth: int) -> Iterable[Form]:
        """Yield the forms of nested schemas that apply to the value itself."""

        def form(value: JsonValue, is_matched: bool) -> Form:
            return self.of(schema.document.schema(value), is_matched, type_, depth + 1)

        every, some = (self.all_of, _any_of) if holds else (_any_of, self.all_of)
        if isinstance(schemas := words.get("allOf"), list):
            yield every([form(each, holds) for each in schemas])
        if isinstance(schemas := words.get("anyOf"), list):
            yield some([form(each, holds) for each in schemas])
        if isinstance(schemas := words.get("oneOf"), list):
            yield self._one_of(schemas, holds, form)
        if "not" in words:
            yield form(words["not"], not holds)
        if "if" in words:
            yield self._condition(words, holds, form)
        yield from self._dependent(words, holds, type_, form)

    def _one_of(self, alternatives: list[JsonValue], holds: bool, form: Callable[[JsonValue, bool], Form]) -> Form:
        found: list[Form] = [] if holds else [self.all_of(form(each, False) for each in alternatives)]
        for index, each in enumerate(alternatives):
            if holds:
                found.append(
                    self.all_of(form(other, other_index == index) for other_index, other in enumerate(alternatives))
                )
            else:
                found.extend(self.all_of((form(each, True), form(other, True))) for other in alternatives[index + 1 :])
        return _any_of(found)

    def _condition(self, words: Words, holds: bool, form: Callable[[JsonValue, bool], Form]) -> Form:
        then, otherwise = words.get("then", True), words.get("else", True)
        return _any_of(
            (
                self.all_of((form(words["if"], True), form(then, holds))),
                self.all_of((form(words["if"], False), form(otherwise, holds))),
            )
        )

    def _dependent(
        self, words: Words, holds: bool, type_: str, form: Callable[[JsonValue, bool], Form]
    ) -> Iterable[Form]:
        """Yield the forms of schemas that apply to an object with a property."""
        if type_ != "object":
            return
        for keyword in ("dependentSchemas", "dependencies"):
            by_name = words.get(keyword)
            for name, value in by_name.items() if isinstance(by_name, dict) else ():
                if isinstance(value, list):
                    continue
                if holds:
                    yield [(Absent(name),), *form(value, True)]
                else:
                    yield self.all_of(([(_present(name),)], form(value, False)))


_CONDITIONAL = frozenset(
    {"anyOf", "oneOf", "not", "if", "dependentSchemas", "dependencies", "$dynamicRef", "$recursiveRef"}
)
"""Keywords whose schemas only evaluate parts of some values."""

_BESIDE = frozenset({"$ref", "allOf", "contains", *_CONDITIONAL})
"""Keywords whose schemas may evaluate parts of the value, too."""

_MOST_NESTED = 8


def _plain(words: Words, schema: Schema) -> Words:
    """Return the keywords with `unevaluated…` replaced by equivalent keywords, if it is certain which parts of the value
    are evaluated.
    """
    found = dict(words)
    if "unevaluatedItems" in found and _BESIDE.isdisjoint(words) and not isinstance(found.get("items"), list):
        found.setdefault("items", found.pop("unevaluatedItems"))
    every = _in_place(words, schema, _MOST_NESTED) if "unevaluatedProperties" in found else None
    if every is not None:
        others = found.pop("unevaluatedProperties")
        by_name: dict[str, JsonValue] = {
            keyword: {name: True for each in every for name in mapping_of(each, keyword)}
            for keyword in ("properties", "patternProperties")
        }
        if not any("additionalProperties" in each or "unevaluatedProperties" in each for each in (found, *every[1:])):
            all_of = found.get("allOf")
            found["allOf"] = [
                *(all_of if isinstance(all_of, list) else ()),
                {**by_name, "additionalProperties": others},
            ]
    return found


def _in_place(words: Words, schema: Schema, depth: int) -> list[Words] | None:
    """Return the keywords of a schema and of all schemas that each of its values matches; None if not all are known."""
    if not _CONDITIONAL.isdisjoint(words) or not depth:
        return None
    found: list[Words] = [words]
    all_of = words.get("allOf")
    inner = [each for each in all_of if isinstance(each, dict)] if isinstance(all_of, list) else []
    if isinstance(reference := words.get("$ref"), str):
        target = schema.document.target(reference)
        if target is None or not isinstance(target.value, dict) or len(words) > 1:  # a draft may ignore the others
            return None
        inner.append(target.value)
    for each in inner:
        below = _in_place(each, schema, depth - 1)
        if below is None:
            return None
        found += below
    return found


def _any_of(forms: Iterable[Form]) -> Form:
    return [clause for form in forms for clause in form]


_SIZES = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}

_MOST_WAYS = 200
"""Maximum number of combinations in which a value may differ from all of some given lists or objects."""


def _typed(words: Words, holds: bool, type_: str) -> Form:
    """Return the form of `type` for a type of JSON: any value or none, or integers."""
    written = words.get("type")
    names = [written] if isinstance(written, str) else written if isinstance(written, list) else None
    if names is None:
        return ANYTHING if holds else NOTHING
    if type_ == "number" and "integer" in names and "number" not in names:
        return [(Multiple(Fraction(1), holds),)]
    return ANYTHING if (type_ in names) is holds else NOTHING


def _of_scalars(words: Words, schema: Schema, holds: bool, type_: str) -> Iterator[Form]:
    """Yield the forms of `enum`, `const`, and the keywords of numbers, strings and sizes."""
    if "const" in words:
        yield _values([words["const"]], schema, holds, type_)
    if isinstance(listed := words.get("enum"), list):
        yield _values(listed, schema, holds, type_)
    if type_ == "number":
        for atom, opposite in _of_numbers(words):
            yield [(atom if holds else opposite,)]
    if type_ == "string" and isinstance(pattern := words.get("pattern"), str):
        yield [(Matches(pattern, holds),)]
    if type_ in ("string", "number") and isinstance(name := words.get("format"), str):
        yield [(HasFormat(name, holds),)]
    if type_ in _SIZES:
        yield from _sizes(words, *_SIZES[type_], holds=holds)


def _of_numbers(words: Words) -> Iterator[tuple[Atom, Atom]]:
    for keyword, is_upper in (("minimum", False), ("maximum", True)):
        strict = words.get("exclusiveMaximum" if is_upper else "exclusiveMinimum")
        bound = _number(words.get(keyword))
        if bound is not None:
            yield _bound(bound, is_upper, strict is True)
        bound = _number(strict)
        if bound is not None:
            yield _bound(bound, is_upper, True)
    of = _number(words.get("multipleOf"))
    if of:
        yield Multiple(abs(of), True), Multiple(abs(of), False)


def _bound(value: Fraction, is_upper: bool, is_strict: bool) -> tuple[Atom, Atom]:
    return Bound(value, is_upper, is_strict), Bound(value, not is_upper, not is_strict)


def _sizes(words: Words, least: str, most: str, *, holds: bool) -> Iterator[Form]:
    bound = _number(words.get(least))
    if bound is not None:
        count = -int(-bound // 1)
        if holds:
            yield [(Size(count),)]
        elif count > 0:
            yield [(Size(0, count - 1),)]
    bound = _number(words.get(most))
    if bound is not None:
        yield [(Size(0, int(bound // 1)) if holds else Size(int(bound // 1) + 1),)]


def _number(value: JsonValue) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        return None
    return Fraction(str(value)) if isinstance(value, float) else Fraction(value)


def _values(listed: list[JsonValue], schema: Schema, holds: bool, type_: str) -> Form:
    """Return the form of values that are, or are not, in a list."""
    fitting = [value for value in listed if type_of(value) == type_]
    if type_ == "null":
        return ANYTHING if bool(fitting) is holds else NOTHING
    if type_ in ("array", "object"):
        return [_same(value, schema) for value in fitting] if holds else _none_of(fitting, schema)
    if not fitting:
        return NOTHING if holds else ANYTHING
    return [(OneOf(frozenset(map(canonical, fitting)), holds),)]


def _same(value: JsonValue, schema: Schema) -> Clause:
    """Return the condition that a list or an object is equal to this one."""
    document = schema.document
    if isinstance(value, list):
        items = (
            Items(index, index + 1, frozenset({(document.schema({"const": item}), True)}), is_every=True)
            for index, item in enumerate(value)
        )
        return (Size(len(value), len(value)), *items)
    members = value if isinstance(value, dict) else {}
    atoms: list[Atom] = [Size(len(members), len(members))]
    for name, member in members.items():
        formula = frozenset({(document.schema({"const": member}), True)})
        atoms.append(Members(Names(name), formula, is_every=False))
    return tuple(atoms)


def _none_of(values: list[JsonValue], schema: Schema) -> Form:
    """Return the condition that a list or an object differs from each of some; any value if there are too many
    combinations.
    """
    ways = [_other(value, schema) for value in values]
    if prod(map(len, ways)) > _MOST_WAYS:
        return ANYTHING
    return [tuple(dict.fromkeys(chain.from_iterable(each))) for each in product(*ways)]


def _other(value: JsonValue, schema: Schema) -> Form:
    """Return the condition that a list or an object differs from this one: it is longer, a part is missing, or a part
    is different.
    """
    document = schema.document
    form: Form = [(Size(len(value) + 1),)] if isinstance(value, list | dict) else []
    if isinstance(value, list):
        form.extend([(Size(0, len(value) - 1),)] if value else [])
        for index, item in enumerate(value):
            formula = frozenset({(document.schema({"const": item}), False)})
            form.append((Items(index, index + 1, formula, is_every=False),))
    elif isinstance(value, dict):
        for name, member in value.items():
            formula = frozenset({(document.schema({"const": member}), False)})
            form.extend([(Absent(name),), (Members(Names(name), formula, is_every=False),)])
    return form


def _of_lists(words: Words, schema: Schema, holds: bool) -> Iterator[Form]:
    """Yield the forms of the keywords of items, apart from sizes."""
    if words.get("uniqueItems") is True:
        yield [(Unique(holds),)]
    for start, stop, value in _item_places(words):
        yield [(Items(start, stop, formula_of(value, schema, holds), is_every=holds),)]
    if "contains" in words:
        yield _contains(words, schema, holds)


def _item_places(words: Words) -> Iterator[tuple[int, int | None, JsonValue]]:
    """Yield the ranges of items with their schemas; `items` as a list is `prefixItems` of drafts before 2020."""
    items, first = words.get("items"), words.get("prefixItems")
    if isinstance(items, list):
        first, items = items, words.get("additionalItems")
    listed = first if isinstance(first, list) else []
    for index, value in enumerate(listed):
        yield index, index + 1, value
    if items is not None:
        yield len(listed), None, items


def _contains(words: Words, schema: Schema, holds: bool) -> Form:
    value, least, most = words["contains"], words.get("minContains", 1), words.get("maxContains")
    some = Items(0, None, formula_of(value, schema, True), is_every=False)
    none = Items(0, None, formula_of(value, schema, False), is_every=True)
    if not isinstance(least, int) or isinstance(least, bool):
        return ANYTHING
    if holds:
        clause: Clause = (some, Size(least)) if least else ()
        return [clause]
    fewer: Form = NOTHING if not least else [(none,)] if least == 1 else ANYTHING
    if most is None:
        return fewer
    more: Form = [(some, Size(int(most) + 1))] if isinstance(most, int) else ANYTHING
    return [*fewer, *more]


def _present(name: str) -> Members:
    """Return the condition that a property of this name exists."""
    return Members(Names(name), EVERYTHING, is_every=False)


def _of_objects(words: Words, schema: Schema, holds: bool) -> Iterator[Form]:
    """Yield the forms of the keywords of properties, apart from sizes."""
    required = words.get("required")
    for name in required if isinstance(required, list) else ():
        if isinstance(name, str):
            yield [(_present(name),) if holds else (Absent(name),)]
    for names, value in _member_places(words):
        yield [(Members(names, formula_of(value, schema, holds), is_every=holds),)]
    if "propertyNames" in words:
        formula = formula_of(words["propertyNames"], schema, holds)
        yield [(Members(Names(), formula, is_every=holds, of_name=True),)]
    yield from _dependent_names(words, holds)


def _member_places(words: Words) -> Iterator[tuple[Names, JsonValue]]:
    """Yield the sets of property names with their schemas."""
    properties, patterns = mapping_of(words, "properties"), mapping_of(words, "patternProperties")
    for name, value in properties.items():
        yield Names(name), value
    for pattern, value in patterns.items():
        yield Names(pattern=pattern), value
    if (value := words.get("additionalProperties")) is not None:
        yield Names(but_names=frozenset(properties), but_patterns=frozenset(patterns)), value


def _dependent_names(words: Words, holds: bool) -> Iterator[Form]:
    """Yield the forms of lists of properties that another property requires."""
    for keyword in ("dependentRequired", "dependencies"):
        for name, value in mapping_of(words, keyword).items():
            needed = [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
            if not isinstance(value, list):
                continue
            if holds:
                yield [(Absent(name),), (_present(name), *map(_present, needed))]
            else:
                yield [(_present(name), Absent(each)) for each in needed]
