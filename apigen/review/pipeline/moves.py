"""Small changes of objects by the schema of a CRD: repairs of rejected values, and steps toward values that a schema
or rule requires; and a search for an object with a property, best first, by such changes.
"""

from __future__ import annotations

import heapq
import json
import re
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from itertools import islice

from apigen.dataclass import dataclass
from apigen.inputs.schemas.scope import ITEM, VALUE, SchemaPlace, stepped
from apigen.language.json_values import Steps, Value, value_at, with_value, without
from apigen.review.prover.schemas.schema import Document
from apigen.review.prover.schemas.values import schema_values
from apigen.runtime.structural.engine import RULES, Structural, Violation
from apigen.runtime.structural.nodes import Schema, member, sub
from apigen.runtime.validation import ErrorType

_MOST_VALUES = 6
_MOST_ITEMS = 300
_DEEPEST = 4
_WORD = re.compile(r"[A-Za-z_]\w*")
_TEXT = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
_NUMBER = re.compile(r"(?<![\w.'])\d+(?![\w.'])")
_ESCAPED = re.compile(r"__(\w+?)__")
_COUNTED = {"minItems", "maxItems", "minProperties", "maxProperties", "uniqueItems", "x-kubernetes-list-type"}
_ALTERNATIVES = ("oneOf", "anyOf", "allOf", "not")


class Hints:
    """The names, strings and numbers in a rule, or in the alternatives of a schema, on which its result depends."""

    def __init__(self, text: str) -> None:
        bare = _TEXT.sub(" ", text)
        self.words = frozenset(_ESCAPED.sub(r"\1", each) for each in _WORD.findall(bare))
        self.texts = tuple(dict.fromkeys(one or other for one, other in _TEXT.findall(text)))
        found = (int(each) for each in _NUMBER.findall(bare))
        self.numbers = tuple(dict.fromkeys(near for each in found for near in (each, each + 1, each - 1)))


class Maker:
    """Creates and changes values of one schema; created values are cached."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._document = Document(lambda _: None)
        self._values: dict[int, tuple[Schema, list[Value]]] = {}
        self._least: dict[int, tuple[Schema, Value]] = {}

    def values(self, schema: Schema) -> list[Value]:
        """Return some values that a schema accepts; none if none is found."""
        if id(schema) not in self._values:
            structural = Structural({**schema, "nullable": False})
            candidates = islice(schema_values(self._document.schema(schema)), 40)  # type: ignore[arg-type]
            accepted = [each for each in candidates if not structural.checked(each)]
            self._values[id(schema)] = schema, _distinct(accepted)[:_MOST_VALUES]
        return self._values[id(schema)][1]

    def least(self, schema: Schema) -> Value:
        """Return a small value of a schema: of an object its required fields, of a list its least items."""
        if id(schema) not in self._least:
            self._least[id(schema)] = schema, None  # ends the recursion of a schema that contains itself
            self._least[id(schema)] = schema, self._built(schema)
        return deepcopy(self._least[id(schema)][1])

    def _built(self, schema: Schema) -> Value:
        if schema.get("default") is not None:
            return schema["default"]
        kind = schema.get("type")
        if kind == "array":
            items = sub(schema, "items")
            count = schema.get("minItems")
            return self.items(items, min(count, _MOST_ITEMS)) if items and isinstance(count, int) else []
        if kind == "object":
            required = schema.get("required")
            names = required if isinstance(required, list) else []
            members = ((name, member(schema, name)) for name in names)
            return {name: self.least(inner) for name, inner in members if inner is not None}
        values = self.values(schema)
        return values[0] if values else "a" if kind == "string" else 1

    def items(self, schema: Schema, count: int) -> list[Value]:
        """Return `count` items, different ones if there are enough."""
        values = [self.least(schema), *self.values(schema)] if schema.get("type") == "object" else self.values(schema)
        found = _distinct(values)[:count] or [self.least(schema)]
        return [deepcopy(found[index % len(found)]) for index in range(count)]

    def root(self, version: str, kind: str) -> Value:
        """Return a small object of a kind."""
        return {**self.least(self.schema), "apiVersion": version, "kind": kind, "metadata": {"name": "a"}}

    # --- places ---------------------------------------------------------------------------------------------------

    def with_place(self, value: Value, place: SchemaPlace) -> tuple[Value, Steps] | None:
        """Return a value in which a place exists with all its parents, and the steps to it; None if the schema has no
        such place.
        """
        root = deepcopy(value)
        schema: Schema | None = self.schema
        at = root
        steps: list[str | int] = []
        for count, step in enumerate(place):
            inner = stepped(schema, step)
            if inner is None:
                return None
            key: str | int = 0 if step == ITEM else "a" if step == VALUE else step
            if isinstance(at, list):
                if not at:
                    at.append(self.least(inner))
            elif not isinstance(at, dict):
                return None
            elif key not in at and count + 1 < len(place):
                at[key] = self.least(inner)
            elif key not in at:
                return root, (*steps, key)
            steps.append(key)
            at, schema = value_at(at, (key,)), inner
        return root, tuple(steps)

    def schema_at(self, value: Value, steps: Steps) -> Schema | None:
        """Return the schema of a place in an object."""
        schema: Schema | None = self.schema
        for step in steps:
            schema = sub(schema, "items") if isinstance(step, int) else member(schema, step)
        return schema

    # --- repairs --------------------------------------------------------------------------------------------------

    def repairs(self, value: Value, violation: Violation) -> Iterator[Value]:
        """Yield the object with changes that may fix a violation."""
        steps, rest = located(value, violation.error.path)
        keyword = violation.keyword
        if keyword == "required" or (keyword == "x-kubernetes-embedded-resource" and rest):
            inner = self.schema_at(value, (*steps, rest))
            if inner is not None:
                yield from (
                    with_value(value, (*steps, rest), each) for each in [self.least(inner), *self.values(inner)[:3]]
                )
            else:
                yield with_value(value, (*steps, rest), "a")
            if steps:
                yield without(value, steps)
            return
        schema = self.schema_at(value, steps)
        if schema is None:
            return
        if keyword == RULES:
            for rule in _rules(schema, violation):
                yield from self.moves(value, steps, Hints(rule))
        elif keyword in _ALTERNATIVES:
            hints = Hints(_names(schema, _ALTERNATIVES))
            yield from self.moves(value, steps, hints)
        elif keyword in _COUNTED:
            yield from self.sizes(value, steps)
        else:
            yield from (with_value(value, steps, each) for each in self.values(schema))
            if steps:
                yield without(value, steps)

    # --- steps ----------------------------------------------------------------------------------------------------

    def sizes(self, value: Value, steps: Steps) -> Iterator[Value]:
        """Yield the object with more and with fewer items or members at a place."""
        schema, at = self.schema_at(value, steps), value_at(value, steps)
        if schema is None:
            return
        if isinstance(at, list):
            items = sub(schema, "items")
            bounds = [each for name in ("minItems", "maxItems") if isinstance(each := schema.get(name), int)]
            counts = [near for each in bounds for near in (each, each + 1)] + [len(at) + 1, len(at) - 1, 0]
            if items is not None:
                yield from (with_value(value, steps, self.items(items, n)) for n in counts if 0 <= n <= _MOST_ITEMS)
        elif isinstance(at, dict):
            most = schema.get("maxProperties")
            others = [name for name in _members(schema) if name not in at]
            extra = sub(schema, "additionalProperties")
            if extra is not None:
                others = [each for each in (f"a{index}" for index in range(_MOST_ITEMS)) if each not in at][:100]
            for count in (1, most - len(at) if isinstance(most, int) else 0):
                more = {name: self.least(member(schema, name) or {}) for name in others[:count]} if count > 0 else {}
                if more:
                    yield with_value(value, steps, {**at, **more})
            yield from (without(value, (*steps, name)) for name in at)

    def moves(self, value: Value, steps: Steps, hints: Hints | None = None, depth: int = 0) -> Iterator[Value]:
        """Yield the object with one change each at a place: fields set, changed and unset, lists grown; with hints
        only the fields that they name.
        """
        schema, at = self.schema_at(value, steps), value_at(value, steps)
        if schema is None or depth > _DEEPEST:
            return
        if isinstance(at, dict):
            yield from self._moves_of_object(value, steps, schema, at, hints, depth)
        elif isinstance(at, list):
            items = sub(schema, "items")
            if items is None:
                return
            for index in range(min(len(at), 2)):
                yield from self.moves(value, (*steps, index), hints, depth)
            if at:
                yield with_value(value, steps, [*at, deepcopy(at[0])])
                yield with_value(value, steps, at[1:])
            yield from (
                with_value(value, steps, [*at, deepcopy(each)])
                for each in [self.least(items), *self._known(items, hints)]
            )
            for number in hints.numbers if hints is not None else ():
                if 0 <= number <= _MOST_ITEMS and number != len(at):
                    yield with_value(value, steps, self.items(items, number))
        else:
            yield from (with_value(value, steps, each) for each in self._known(schema, hints) if each != at)

    def _moves_of_object(
        self, value: Value, steps: Steps, schema: Schema, at: dict[str, Value], hints: Hints | None, depth: int
    ) -> Iterator[Value]:
        named = [name for name in _members(schema) if hints is None or name in hints.words]
        for name in named:
            inner = member(schema, name) or {}
            if name not in at:
                if inner.get("type") in ("object", "array"):
                    yield with_value(value, (*steps, name), self.least(inner))
                yield from (
                    with_value(value, (*steps, name), each) for each in self._known(inner, hints)[:_MOST_VALUES]
                )
            else:
                yield without(value, (*steps, name))
                yield from self.moves(value, (*steps, name), hints, depth + 1)
        extra = sub(schema, "additionalProperties")
        if extra is not None:
            keys = [*(hints.texts if hints is not None else ()), "a", "A b/c/d", "a" * 254]
            yield from (with_value(value, (*steps, key), self.least(extra)) for key in keys if key and key not in at)
            for key in [*at][:2]:
                yield from self.moves(value, (*steps, key), hints, depth + 1)

    def _known(self, schema: Schema, hints: Hints | None) -> list[Value]:
        """Values of a place: those that the hints name, then others."""
        kind = schema.get("type")
        likely: Iterable[Value] = ()
        if hints is not None and kind == "string" and "enum" not in schema:
            likely = [*hints.texts, *("a" * each for each in hints.numbers if 0 <= each <= _MOST_ITEMS)]
        elif hints is not None and kind in ("integer", "number"):
            likely = hints.numbers
        listed = schema.get("enum")
        if isinstance(listed, list):
            likely = listed[:40]
        return _distinct([*likely, *self.values(schema)])


def located(value: Value, path: str) -> tuple[Steps, str]:
    """Return the place of a path in an object, and the rest of the path that the object does not have."""
    steps: list[str | int] = []
    while path:
        path = path.removeprefix(".")
        if isinstance(value, list):
            index, _, rest = path.removeprefix("[").partition("]")
            if not index.isdigit() or int(index) >= len(value):
                break
            step: str | int = int(index)
        elif isinstance(value, dict):
            bare = path.removeprefix("[") if path.startswith("[") else path
            fits = [name for name in value if bare.startswith(name) and bare[len(name) :][:1] in ("", ".", "[", "]")]
            if not fits:
                break
            name = max(fits, key=len)
            step, rest = name, bare[len(name) :].removeprefix("]") if path.startswith("[") else bare[len(name) :]
        else:
            break
        steps.append(step)
        value, path = value_at(value, (step,)), rest
    return tuple(steps), path.strip("[]")


def concrete(value: Value, place: SchemaPlace) -> Steps | None:
    """Return the first place in an object that matches a place of the schema; None if the object has no such place."""
    steps: list[str | int] = []
    for step in place:
        if step == VALUE and isinstance(value, dict) and value:
            key: str | int = next(iter(value))
        else:
            key = 0 if step == ITEM else step
        value = value_at(value, (key,))
        if value is None:
            return None
        steps.append(key)
    return tuple(steps)


def _members(schema: Schema) -> list[str]:
    return [*(sub(schema, "properties") or ())]


def _rules(schema: Schema, violation: Violation) -> Iterator[str]:
    """Return the rules that may have reported a violation, by their messages; all rules if no message matches."""
    listed = schema.get(RULES)
    rules = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    text = str(violation.error)
    found = [each for each in rules if str(each.get("message") or each.get("rule", "")).strip() in text]
    yield from (str(each.get("rule", "")) for each in found or rules)


def _names(schema: Schema, keywords: Iterable[str]) -> str:
    """The names and values in the alternatives of a schema, as one text."""
    return " ".join(str(schema[each]) for each in keywords if each in schema).replace("'", " ")


def _distinct(values: Iterable[Value]) -> list[Value]:
    return [*{repr(each): each for each in values}.values()]


MOST = 120
"""Objects that a search evaluates."""

_MOST_REPAIRS = 24
_MOST_STEPS = 80
_LARGE = 500
"""Characters of an object that count as one error: large objects are tried later."""


def rejections(schema: Structural, value: Value, old: Value = None) -> list[Violation]:
    """Return the errors for which a server rejects an object, without internal errors, as of a rule that cannot be
    evaluated.
    """
    return [each for each in schema.evaluate(value, old).violations if each.error.type is not ErrorType.INTERNAL]


@dataclass(slots=True)
class _Tried:
    value: Value
    defaulted: Value
    violations: tuple[Violation, ...]
    has: bool
    depth: int
    others: Iterator[Value] = iter(())


def search(
    accepting: Structural,
    maker: Maker,
    has: Callable[[Value], bool],
    steps: Callable[[Value], Iterator[Value]],
    seeds: Iterable[Value],
    place: SchemaPlace = (),
    most: int = MOST,
) -> Value | None:
    """Return an object that one side accepts and that has a property; None if none is found among `most` objects.

    `accepting` is the schema that must accept it, `has` returns whether an object has the property, and `steps` yields changes of an
    object that may produce it. Objects without `place`, such as one that a repair removed, are not considered.
    """
    waiting: list[tuple[int, int, _Tried]] = []
    seen: set[str] = set()

    def following(tried: _Tried) -> Iterator[Value]:
        for each in tried.violations[:2]:
            is_filled_in = each.keyword != "required" and bool(located(tried.value, each.error.path)[1])
            wrong = _with_default_at(each.error.path, tried) if is_filled_in else tried.value
            yield from islice(maker.repairs(wrong, each), _MOST_REPAIRS)
        if not tried.has:
            yield from islice(steps(tried.value), _MOST_STEPS)

    def is_found(value: Value, depth: int) -> bool:
        key = json.dumps(value, sort_keys=True)
        if key in seen or len(seen) >= most or concrete(value, place) is None:
            return False
        seen.add(key)
        value = accepting.shared(value)
        evaluated = accepting.evaluate(value)
        tried = _Tried(value, evaluated.value, evaluated.violations, has(value), depth)
        tried.others = following(tried)
        distance = 2 * len(tried.violations) + 6 * (not tried.has) + depth // 2 + len(key) // _LARGE
        heapq.heappush(waiting, (distance, -len(seen), tried))
        return tried.has and not tried.violations

    for seed in seeds:
        if is_found(seed, 0):
            return seed
    while waiting and len(seen) < most:
        distance, number, tried = heapq.heappop(waiting)
        for other in tried.others:
            if is_found(other, tried.depth + 1):
                return other
            if waiting and waiting[0][0] < distance:  # go on from there, and return to the others later
                heapq.heappush(waiting, (distance, number, tried))
                break
    return None


def _with_default_at(path: str, tried: _Tried) -> Value:
    """Return the sent object with the default that contains a path, and without other defaults: null, which a default
    replaces, may be what the search is for.
    """
    steps = located(tried.value, path)[0]
    if value_at(tried.value, steps) is not None:
        steps = located(tried.defaulted, path)[0][: len(steps) + 1]
    return with_value(tried.value, steps, value_at(tried.defaulted, steps))
