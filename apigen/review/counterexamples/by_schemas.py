"""Shows findings by values that the schema of one side accepts and that of the other rejects: proven, where nothing can be run.

No code is generated that says the same as a schema with alternatives, conditions and negations. What it accepts and rejects is
proven by what decides whether all values of a schema are values of another one. A schema of a CRD is treated as what its server
keeps as it is, so that a value which it does not accept is rejected there, or comes out changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from apigen.dataclass import replace
from apigen.review.counterexamples.candidates import Candidates
from apigen.review.counterexamples.objects import Sampling, kind_of, schema_values
from apigen.review.finding import Finding, Witness
from apigen.review.prover.result import Included
from apigen.review.prover.schemas.deciding import schemas_included
from apigen.review.prover.schemas.limits import Steps
from apigen.review.prover.schemas.schema import Document, Schema
from apigen.review.surface import Element, ElementKind, Surface
from apigen.review.verdict.example import JsonValue, Missing, Side
from apigen.review.verdict.impact import Direction, Impact

_MOST_VALUES = 120
_MOST_WHOLES = 6
_MOST_JUDGED = 4_000
"""Values that are judged in a review."""

_MOST_STEPS = 1_000_000
"""Steps of the proofs of a review; some seconds of them."""

_INSIDE = "([{"
_STEP = re.compile(r"[.\[({]")
_AT_PLACE = frozenset(
    {ElementKind.FIELD, ElementKind.ITEM, ElementKind.KEY, ElementKind.VALUE, ElementKind.BRANCH, ElementKind.RULE}
)
_OF_ALL_TYPES: tuple[JsonValue, ...] = ("a", 1, False, None, [], {})
_SENDERS = {Side.OLD: Direction.OLD_CLIENT, Side.NEW: Direction.NEW_CLIENT}
_KEEPERS = {Side.OLD: Direction.STORED, Side.NEW: Direction.ROLLBACK}
_READERS = {Side.OLD: Direction.NEW_CLIENT, Side.NEW: Direction.OLD_CLIENT}
_KEPT = "is refused, or comes out changed: the {} schema does not accept it as it is"
_CHANGED = "does not come out as it was: the {} schema does not accept it as it is"
_REFUSED = "is refused: the {} schema does not accept it"


class BySchemas:
    """Completes the findings of one review."""

    def __init__(self, old: Surface, new: Surface) -> None:
        self._sides = {Side.OLD: old, Side.NEW: new}
        self._candidates: dict[Side, Candidates] = {}
        self._documents: dict[tuple[Side, str], Document] = {}
        self._left = _MOST_JUDGED
        self._steps_left = _MOST_STEPS
        self._is_all = all(each.is_all for side in (old, new) for each in side.schemas.values())

    def completed(self, finding: Finding) -> Finding:
        """The finding with what shows the directions of which nothing was shown; the same where nothing does."""
        shown = {each.direction for each in finding.witnesses}
        found = list(finding.witnesses)
        for side in Side:
            wanted = [each for each in self._directions(finding, side) if each not in shown]
            given = (each.value for each in finding.verdict.examples if each.written_by is side)
            made = self._made(finding.element, side, given) if wanted else None
            if made is not None:
                found += (self._witness(side, each, finding, *made) for each in wanted)
                shown |= set(wanted)
        if len(found) == len(finding.witnesses):
            return finding
        reason = finding.no_witness if any(direction not in shown for direction in finding.hits) else ""
        return replace(finding, witnesses=tuple(found), no_witness=reason)

    def _witness(self, side: Side, direction: Direction, finding: Finding, name: str, value: JsonValue) -> Witness:
        other = _other(side).value
        breaks = finding.hits[direction].impact is Impact.BREAKS
        if direction is _READERS[side]:
            text = f"a client that checks what it reads refuses it: the {other} schema does not accept it"
        else:
            what = "the request" if direction is _SENDERS[side] else "judged again, the stored object"
            kept = _KEPT if breaks else _CHANGED
            text = f"{what} {(_REFUSED if self._is_all else kept).format(other)}"
        return Witness(direction, name, value, f"{text} ({finding.rule} at {finding.element.name.partition('(')[0]})")

    def _directions(self, finding: Finding, side: Side) -> Iterator[Direction]:
        """Those that a value of a side shows which the other one rejects."""
        for direction in (_SENDERS[side], _KEEPERS[side], _READERS[side]):
            hit = finding.hits.get(direction) if direction in finding.verdict.hits else None
            reads = direction is _READERS[side]
            if hit is not None and (not reads or (self._is_all and hit.impact is Impact.DEPENDS)):
                yield direction

    def _made(self, element: Element, side: Side, given: Iterable[JsonValue | Missing]) -> tuple[str, JsonValue] | None:
        """A whole value of a side that the other one rejects, for what it has at the element; with the name of what it is.

        `given` are values at the element that are tried first.
        """
        examples = [value for value in given if not isinstance(value, Missing)]
        for place, member in _places(element):
            both = [self._schema(each, element, f"{element.type}{_joined(place)}") for each in (side, _other(side))]
            mine, theirs = both
            if mine is None or theirs is None:
                continue
            seen: set[str] = set()
            odd = _with_other_values(mine, member) if member and self._is_all else ()
            for value in islice(chain(examples, schema_values(mine), schema_values(theirs), odd), _MOST_VALUES):
                key = json.dumps(value, sort_keys=True)
                if key not in seen and self._is_shown(value, mine, theirs, member):
                    for name, whole in self._wholes(element, place, value, side):
                        outer, others = (self._schema(each, element, name) for each in (side, _other(side)))
                        if outer is not None and others is not None and self._tells_apart(whole, outer, others):
                            return name if self._is_all else kind_of(whole), whole
                seen.add(key)
        return None

    def _wholes(self, element: Element, place: str, value: JsonValue, side: Side) -> Iterator[tuple[str, JsonValue]]:
        if side not in self._candidates:
            mine, theirs = self._sides[side], self._sides[_other(side)]
            self._candidates[side] = Candidates(Sampling(mine), Sampling(theirs))
        at = replace(element, kind=ElementKind.FIELD, path=place)
        candidates = self._candidates[side]
        return islice((candidates.wholes if self._is_all else candidates.whole_objects)(at, value), _MOST_WHOLES)

    def _is_shown(self, value: JsonValue, mine: Schema, theirs: Schema, member: str) -> bool:
        """Whether the one accepts a value and the other does not, on account of `member` if it has a name: with another one, both do."""
        if not self._tells_apart(value, mine, theirs):
            return False
        if not member or not isinstance(value, dict):
            return True
        others = [{name: each for name, each in value.items() if name != member}]
        for schema in (mine, theirs):
            made = (each for each in schema_values(schema) if isinstance(each, dict) and member in each)
            others += ({**value, member: each[member]} for each in islice(made, _MOST_WHOLES))
        return any(self._is_proven(each, mine) and self._is_proven(each, theirs) for each in others)

    def _tells_apart(self, value: JsonValue, mine: Schema, theirs: Schema) -> bool:
        """Whether it is certain that the one accepts a value and the other does not."""
        self._left -= 1
        if self._left < 0:
            return False
        refuses = theirs.document.schema({"not": theirs.value})
        return self._is_proven(value, refuses) and self._is_proven(value, mine)

    def _is_proven(self, value: JsonValue, schema: Schema) -> bool:
        steps = Steps(min(Steps.MOST, self._steps_left))
        found = schemas_included(schema.document.schema(_alone(value)), schema, steps)
        self._steps_left -= steps.done
        return isinstance(found, Included)

    def _schema(self, side: Side, element: Element, path: str) -> Schema | None:
        """The schema of a place."""
        version = "/".join(part for part in (element.group, element.version) if part)
        written = self._sides[side].schemas.get(version)
        if written is None:
            return None
        if (side, version) not in self._documents:
            self._documents[side, version] = Document(written.target)
        value = written.at(path)
        return None if value is None else self._documents[side, version].schema(value)


def _with_other_values(schema: Schema, member: str) -> Iterator[JsonValue]:
    """An object with values of all types for a member: where nothing is said of it, it may be what it is on no other side."""
    made = next((each for each in schema_values(schema) if isinstance(each, dict)), {})
    yield from ({**made, member: value} for value in _OF_ALL_TYPES)


def _places(element: Element) -> Iterator[tuple[str, str]]:
    """Where in its type an element says something: at its own place, and as a member of the object around it, too."""
    if element.type and element.kind is not ElementKind.KIND:
        yield element.path.partition("(")[0] if element.kind in _AT_PLACE else "", ""
        if element.kind is ElementKind.FIELD and not _STEP.search(element.path):
            yield "", element.path


def _joined(place: str) -> str:
    return place if not place or place[0] in _INSIDE else f".{place}"


def _other(side: Side) -> Side:
    return Side.NEW if side is Side.OLD else Side.OLD


def _alone(value: JsonValue) -> JsonValue:
    """The schema of one value: in words of which more is understood than of `const`, where it holds others."""
    match value:
        case dict():
            members: JsonValue = {name: _alone(member) for name, member in value.items()}
            return {"type": "object", "properties": members, "required": [*value], "additionalProperties": False}
        case list():
            items: JsonValue = [_alone(item) for item in value]
            return {"type": "array", "prefixItems": items, "minItems": len(value), "maxItems": len(value)}
        case _:
            return {"const": value}
