"""Changed defaults, and changed `nullable`, that make a server reject objects that it accepted.

An object without a field gets its default, and is validated with it. A null is kept where null is allowed, and validated and
counted like other values; elsewhere the server drops it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import reduce
from typing import cast

from apigen.dataclass import dataclass
from apigen.inputs.schemas.scope import ITEM, VALUE, SchemaPlace, member_path, stepped
from apigen.ir.surface import Surface
from apigen.language.json_values import Value, canonical_json, value_at, with_value, without
from apigen.review.pipeline.moves import (
    Hints,
    Maker,
    concrete,
    rejections,
    search,
)
from apigen.runtime.structural.engine import RULES, Structural, Violation
from apigen.runtime.structural.nodes import Schema, Shared, default, sub

_ALTERNATIVES = ("oneOf", "anyOf", "allOf", "not")
_WHOLE = r"(?:^|[^\w.])(?:{names})\s*(?:==|!=|in\b)|(?:==|!=|\bin)\s*(?:\w+\.)*(?:{names})(?![\w.(])"
_VARIABLE = re.compile(r"\(\s*(\w+)\s*,")


@dataclass(frozen=True, slots=True)
class Changed:
    """A place where the server treats an absent value differently: another default, or another `nullable`.

    `was_nullable`: stored objects may have null there.
    """

    place: SchemaPlace
    is_null: bool = False
    was_nullable: bool = False


@dataclass(frozen=True, slots=True)
class Observer:
    """A part of a schema whose result may depend on an absent value: its place, its keyword, and the fields that its text
    names.
    """

    place: SchemaPlace
    keyword: str
    hints: Hints | None
    text: str = ""

    @property
    def described(self) -> str:
        """The observer as a part of a sentence."""
        return f"the rule `{self.text}`" if self.keyword == RULES else f"`{self.keyword}`"


@dataclass(frozen=True, slots=True)
class RejectingChange:
    """A changed default or `nullable` of a kind in a version. `object` is accepted at the base and rejected at the revision because of it.

    `object` is None if none was found, and `observers` may depend on the change. `is_ratcheted`: the update of a
    stored one is accepted.
    """

    version: str
    kind: str
    changed: Changed
    observers: tuple[Observer, ...]
    object: Value = None
    violation: Violation | None = None
    is_ratcheted: bool = False

    @property
    def field(self) -> SchemaPlace:
        """The place of the field: of the list or map whose values are null."""
        place = self.changed.place
        while place[-1] in (ITEM, VALUE):
            place = place[:-1]
        return place

    @property
    def holder(self) -> str:
        """The name of the type that has the field."""
        name = self.kind
        for step in self.field[:-1]:
            name = f"{name}{step}" if step in (ITEM, VALUE) else member_path(name, step)
        return name


def rejecting_changes(old: Surface, new: Surface) -> Iterator[RejectingChange]:
    """Yield the changes that cause rejections of objects, and those for which that is unknown.

    Only surfaces of CRDs have the schemas for that; others yield nothing.
    """
    for version, written in new.schemas.items():
        before = old.schemas.get(version)
        known = new.version(*version.rpartition("/")[::2]) if before is not None else None
        for kind in known.kinds if known is not None else ():
            roots = before.root(kind) if before is not None else None, written.root(kind)
            if isinstance(roots[0], dict) and isinstance(roots[1], dict):
                yield from _of_kind(version, kind, cast(Schema, roots[0]), cast(Schema, roots[1]))


def _of_kind(version: str, kind: str, old: Schema, new: Schema) -> Iterator[RejectingChange]:
    changed = [(each, observers) for each in _changed(old, new) if (observers := tuple(_observers(new, each)))]
    if not changed:
        return
    pair = _Pair(version, kind, old, new)
    found = [pair.tried(each, observers, [each]) for each, observers in changed]
    if len(found) > 1 and not any(each.object for each in found):
        together = [each for each, _ in changed]
        found = [pair.tried(*changed[0], together), *found[1:]]
    yield from (
        each for each in found if each.object is not None or any(_is_open(old, other) for other in each.observers)
    )


def _is_open(old: Schema, observer: Observer) -> bool:
    """Return whether it is unknown if an observer rejects objects. A new rule has its own finding, and a default's
    schema is checked with the first objects of the search.
    """
    if observer.keyword != RULES:
        return bool(observer.keyword)
    listed = (_at(old, observer.place) or {}).get(RULES)
    rules = [each.get("rule", "") for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    return observer.text in {" ".join(str(each).split()) for each in rules}


class _Pair:
    """The schemas of a kind on both sides."""

    def __init__(self, version: str, kind: str, old: Schema, new: Schema) -> None:
        self._version, self._kind = version, kind
        self._schemas = old, new
        self._shared = Shared()
        self._old, self._new = Structural(old, self._shared), Structural(new, self._shared)
        self._maker = Maker(old)

    def tried(self, changed: Changed, observers: tuple[Observer, ...], reverted: Iterable[Changed]) -> RejectingChange:
        """Search for an object that is rejected because of a change, and accepted without the changes `reverted`."""
        schema = self._schemas[1]
        for each in reverted:
            before = _at(self._schemas[0], each.place)
            keyword, value = ("nullable", _is_nullable(before)) if each.is_null else ("default", default(before))
            schema = _with_keyword(schema, each.place, keyword, value)
        without_it = Structural(schema, self._shared)

        def is_rejected(value: Value) -> bool:
            # a field that became required together with its default is missing without the default
            others = (
                each
                for each in without_it.evaluate(value).violations
                if each.keyword != "required" or each.error.path.rpartition(".")[2] != changed.place[-1]
            )
            return bool(rejections(self._new, value)) and next(others, None) is None

        def steps(value: Value) -> Iterator[Value]:
            for observer in observers:
                if changed.is_null and not observer.keyword:
                    continue  # the schema of the field accepts null or not, whatever is around it
                at = concrete(value, observer.place)
                if at is not None:
                    yield from self._maker.moves(value, at, observer.hints)
                    yield from self._maker.sizes(value, at)

        rejected = search(self._old, self._maker, is_rejected, steps, self._seeds(changed))
        if rejected is None:
            return RejectingChange(self._version, self._kind, changed, observers)
        violation = rejections(self._new, rejected)[0]
        is_ratcheted = not rejections(self._new, rejected, rejected)
        return RejectingChange(self._version, self._kind, changed, observers, rejected, violation, is_ratcheted)

    def _seeds(self, changed: Changed) -> Iterator[Value]:
        """Objects that contain all parents of the place, but not the field, or null there."""
        place = changed.place
        least = self._maker.root(self._version, self._kind)
        placed = self._maker.with_place(least, place)
        if placed is not None:
            value, steps = placed
            if changed.is_null:
                yield with_value(value, steps, None)
                return
            if value_at(value, steps) is not None:
                yield without(value, steps)
            yield value
            return
        around = self._maker.with_place(least, place[:-1])  # the base does not have the field
        if around is not None:
            value, steps = around
            inner = self._maker.schema_at(value, steps)
            yield (
                value
                if value_at(value, steps) is not None or inner is None
                else with_value(value, steps, self._maker.least(inner))
            )


def _changed(old: Schema, new: Schema, place: SchemaPlace = ()) -> Iterator[Changed]:
    """Yield the fields whose defaults differ, and the fields, items and values of maps whose `nullable` differs.

    Defaults inside a new field count as part of its default.
    """
    fields, known = sub(new, "properties") or {}, sub(old, "properties") or {}
    for name, inner in fields.items():
        if not isinstance(inner, dict) or (not place and name in ("apiVersion", "kind", "metadata")):
            continue
        before = known.get(name)
        old_inner = before if isinstance(before, dict) else None
        if canonical_json(default(old_inner)) != canonical_json(default(inner)):
            yield Changed((*place, name))
        if old_inner is not None:
            if _is_nullable(old_inner) != _is_nullable(inner):
                yield Changed((*place, name), is_null=True, was_nullable=_is_nullable(old_inner))
            yield from _changed(old_inner, inner, (*place, name))
    for word, step in (("items", ITEM), ("additionalProperties", VALUE)):
        before_inner, inner_schema = sub(old, word), sub(new, word)
        if before_inner is not None and inner_schema is not None:
            if _is_nullable(before_inner) != _is_nullable(inner_schema):
                yield Changed((*place, step), is_null=True, was_nullable=_is_nullable(before_inner))
            yield from _changed(before_inner, inner_schema, (*place, step))


def _observers(root: Schema, changed: Changed) -> Iterator[Observer]:
    """The parts of a schema around a field whose result may depend on its default, or on null there."""
    place = changed.place
    own = _at(root, place)
    if changed.is_null or default(own) is not None:
        yield Observer(place[:-1], "", Hints(place[-1]))
    for count in range(len(place)):
        schema, rest = _at(root, place[:count]), place[count:]
        if schema is None:
            continue
        if len(rest) == 1:
            yield from (Observer(place[:count], each, None) for each in _counts(schema))
        for word in _ALTERNATIVES:
            text = json.dumps(schema.get(word))
            if f'"{rest[-1]}"' in text or "Properties" in text or '"enum"' in text:
                yield Observer(place[:count], word, Hints(text.replace('"', " ")))
        listed = schema.get(RULES)
        for rule in listed if isinstance(listed, list) else ():
            written = str(rule.get("rule", "")) if isinstance(rule, dict) else ""
            if _reads(written, rest):
                yield Observer(place[:count], RULES, Hints(written), " ".join(written.split()))


def _counts(schema: Schema) -> Iterator[str]:
    """The limits of an object that one more field, or one field less, may exceed."""
    most, least = schema.get("maxProperties"), schema.get("minProperties")
    is_open = "additionalProperties" in schema or schema.get("x-kubernetes-preserve-unknown-fields") is True
    if isinstance(most, int) and (is_open or most < len(sub(schema, "properties") or ())):
        yield "maxProperties"
    if isinstance(least, int) and least > 0:
        yield "minProperties"


def _reads(rule: str, rest: SchemaPlace) -> bool:
    """Return whether a rule reads a field, or compares something as a whole that the field is part of."""
    hints = Hints(rule)
    if rest[-1] in hints.words:
        return True
    names = {"self", "oldSelf", *_VARIABLE.findall(rule), *(step for step in rest[:-1] if step not in (ITEM, VALUE))}
    pattern = _WHOLE.format(names="|".join(map(re.escape, sorted(names))))
    return re.search(pattern, rule) is not None


def _at(schema: Schema | None, place: SchemaPlace) -> Schema | None:
    return reduce(stepped, place, schema)


def _with_keyword(schema: Schema, place: SchemaPlace, keyword: str, value: object) -> Schema:
    """A copy of a schema with another value of a keyword at a place; None: without one."""
    if not place:
        bare = {name: each for name, each in schema.items() if name != keyword}
        return bare if value is None else {**bare, keyword: value}
    step, rest = place[0], place[1:]
    word = {ITEM: "items", VALUE: "additionalProperties"}.get(step, "properties")
    inner = sub(schema, word) or {}
    if word != "properties":
        return {**schema, word: _with_keyword(inner, rest, keyword, value)}
    return {**schema, word: {**inner, step: _with_keyword(sub(inner, step) or {}, rest, keyword, value)}}


def _is_nullable(schema: Schema | None) -> bool:
    return schema is not None and schema.get("nullable") is True
