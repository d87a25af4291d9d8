"""Counterexamples for documents of JSON Schema: values that the schema of one side accepts and that of the other rejects.

Both are proven: a schema accepts a value if each value of the schema that only accepts this value is one of its values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from apigen.dataclass import replace
from apigen.ir.surface import CONDITIONS, WITHOUT_FRACTION, Element, ElementKind, Surface, path_in
from apigen.language.json_values import JsonValue
from apigen.review.counterexamples.candidates import Candidates, Sampling
from apigen.review.counterexamples.outcome import KEEPERS, READERS, SENDERS
from apigen.review.finding import Counterexample, Finding
from apigen.review.prover.result import Included
from apigen.review.prover.schemas.deciding import schemas_included
from apigen.review.prover.schemas.schema import Documents, Schema, Steps
from apigen.review.prover.schemas.values import schema_values
from apigen.review.results import Direction, Impact, Missing, Side

_MOST_VALUES = 120
_MOST_WHOLES = 6
_MOST_EVALUATED = 4_000
"""Maximum number of values that are checked against the schemas in one review."""

_MOST_STEPS = 1_000_000
"""Maximum number of steps of the proofs in one review, which take some seconds."""

_STEP = re.compile(r"[.\[({]")
_AT_PLACE = frozenset(
    {ElementKind.FIELD, ElementKind.ITEM, ElementKind.KEY, ElementKind.VALUE, ElementKind.BRANCH, ElementKind.RULE}
)
_OF_ALL_TYPES: tuple[JsonValue, ...] = ("a", 1, False, None, [], {})


class BySchemas:
    """Adds counterexamples to the findings of one review."""

    def __init__(self, old: Surface, new: Surface) -> None:
        self._sides = {Side.OLD: old, Side.NEW: new}
        self._candidates: dict[Side, Candidates] = {}
        self._documents = {side: Documents(surface) for side, surface in self._sides.items()}
        self._left = _MOST_EVALUATED
        self._steps_left = _MOST_STEPS

    def completed(self, finding: Finding) -> Finding:
        """Return the finding with counterexamples for directions that have none, as far as any are found."""
        shown_directions = {each.direction for each in finding.counterexamples}
        counterexamples = list(finding.counterexamples)
        for side in Side:
            missing_directions = [each for each in self._directions(finding, side) if each not in shown_directions]
            examples = (each.value for each in finding.result.examples if each.written_by is side)
            counterexample = self._document_of(finding.element, side, examples) if missing_directions else None
            if counterexample is not None:
                counterexamples += (
                    self._counterexample(side, each, finding, *counterexample) for each in missing_directions
                )
                shown_directions |= set(missing_directions)
        if len(counterexamples) == len(finding.counterexamples):
            return finding
        reason = (
            finding.no_counterexample if any(direction not in shown_directions for direction in finding.effects) else ""
        )
        return replace(finding, counterexamples=tuple(counterexamples), no_counterexample=reason)

    def _counterexample(
        self, side: Side, direction: Direction, finding: Finding, name: str, value: JsonValue
    ) -> Counterexample:
        other = side.other.value
        if direction is READERS[side]:
            text = f"a client that validates responses rejects it: the {other} schema does not accept it"
        else:
            subject = "the request" if direction is SENDERS[side] else "when it is validated again, the stored object"
            text = f"{subject} is rejected: the {other} schema does not accept it"
        return Counterexample(
            direction, name, value, f"{text} ({finding.rule} at {finding.element.name.partition('(')[0]})"
        )

    def _directions(self, finding: Finding, side: Side) -> Iterator[Direction]:
        """Yield the directions in which a value of a side shows the finding if the other side rejects it."""
        for direction in (SENDERS[side], KEEPERS[side], READERS[side]):
            effect = finding.effects.get(direction) if direction in finding.result.effects else None
            reads = direction is READERS[side]
            if effect is not None and (not reads or effect.impact is Impact.DEPENDS):
                yield direction

    def _document_of(
        self, element: Element, side: Side, examples_of_rule: Iterable[JsonValue | Missing]
    ) -> tuple[str, JsonValue] | None:
        """Return a value of a side that the other one rejects because of the element, with the name of its type; None
        if none is found.

        `examples_of_rule` are values at the element that are tried first.
        """
        examples = [value for value in examples_of_rule if not isinstance(value, Missing)]
        for place, member in _places(element):
            path = path_in(element.type, place)
            own_schema, other_schema = self._schemas(side, element, path)
            if own_schema is None or other_schema is None:
                continue
            seen: set[str] = set()
            first, last = (examples, ()) if not member else _with_values(own_schema, member, examples)
            values = chain(first, schema_values(own_schema), schema_values(other_schema), last)
            for value in islice(values, _MOST_VALUES):
                key = json.dumps(value, sort_keys=True)
                if key not in seen and self._is_shown(value, own_schema, other_schema, member):
                    for name, document in self._wholes(element, place, value, side):
                        outer, others = self._schemas(side, element, name)
                        if outer is not None and others is not None and self._tells_apart(document, outer, others):
                            return name, document
                seen.add(key)
        return None

    def _wholes(self, element: Element, place: str, value: JsonValue, side: Side) -> Iterator[tuple[str, JsonValue]]:
        if side not in self._candidates:
            own_surface, other_surface = self._sides[side], self._sides[side.other]
            self._candidates[side] = Candidates(Sampling(own_surface), Sampling(other_surface))
        at = replace(element, kind=ElementKind.FIELD, path=place)
        return islice(self._candidates[side].wholes(at, value), _MOST_WHOLES)

    def _is_shown(self, value: JsonValue, own_schema: Schema, other_schema: Schema, member: str) -> bool:
        """Return whether one schema accepts a value and the other rejects it; with `member`, because of that field:
        with another value, both accept it.
        """
        if not self._tells_apart(value, own_schema, other_schema):
            return False
        if not member or not isinstance(value, dict):
            return True
        others = [{name: each for name, each in value.items() if name != member}]
        for schema in (own_schema, other_schema):
            accepted_objects = (each for each in schema_values(schema) if isinstance(each, dict) and member in each)
            others += ({**value, member: each[member]} for each in islice(accepted_objects, _MOST_WHOLES))
        return any(self._is_proven(each, own_schema) and self._is_proven(each, other_schema) for each in others)

    def _tells_apart(self, value: JsonValue, own_schema: Schema, other_schema: Schema) -> bool:
        """Return whether it is certain that one schema accepts a value and the other rejects it."""
        self._left -= 1
        if self._left < 0:
            return False
        rejects = other_schema.document.schema({"not": other_schema.value})
        return self._is_proven(value, rejects) and self._is_proven(value, own_schema)

    def _is_proven(self, value: JsonValue, schema: Schema) -> bool:
        steps = Steps(min(Steps.MOST, self._steps_left))
        found = schemas_included(schema.document.schema(_alone(value)), schema, steps)
        self._steps_left -= steps.done
        return isinstance(found, Included)

    def _schemas(self, side: Side, element: Element, path: str) -> tuple[Schema | None, Schema | None]:
        """Return the schema of a place on a side, and on the other one; None if it is unknown."""
        own, other = (self._documents[each].at(element.api_version, path) for each in (side, side.other))
        return own, other


def _with_values(
    schema: Schema, member: str, examples: Iterable[JsonValue]
) -> tuple[Iterable[JsonValue], Iterable[JsonValue]]:
    """Return objects with examples for a field, and objects with a value of each type for it: the schema may not constrain
    a field that the other side constrains.
    """
    accepted_object = next((each for each in schema_values(schema) if isinstance(each, dict)), {})
    of_examples, of_types = (
        [{**accepted_object, member: value} for value in values] for values in (examples, _OF_ALL_TYPES)
    )
    return of_examples, of_types


def _places(element: Element) -> Iterator[tuple[str, str]]:
    """Yield the places in its type that an element constrains: its own, and, for a field, the enclosing object with
    the field's name.
    """
    if element.type and element.kind is not ElementKind.KIND:
        yield element.path.partition("(")[0] if element.kind in _AT_PLACE else "", ""
        if element.kind is ElementKind.FIELD and not _STEP.search(element.path):
            yield "", element.path


def _alone(value: JsonValue) -> JsonValue:
    """Return a schema that accepts one value only, with keywords that the prover supports better than `const`."""
    match value:
        case dict():
            members: JsonValue = {name: _alone(member) for name, member in value.items()}
            return {"type": "object", "properties": members, "required": [*value], "additionalProperties": False}
        case list():
            items: JsonValue = [_alone(item) for item in value]
            return {"type": "array", "prefixItems": items, "minItems": len(value), "maxItems": len(value)}
        case int() if not isinstance(value, bool):
            return {"const": value, CONDITIONS: [WITHOUT_FRACTION]}
        case _:
            return {"const": value}
