"""Shows findings by values that the schema of one side accepts and that of the other refuses: proven, where nothing can be run.

What judges values is a schema alone: no code is generated from it that says the same, where it has alternatives, conditions and
negations. What it accepts and refuses is proven by what decides whether all values of a schema are values of another one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from apigen.compat.finding import Finding, Witness
from apigen.compat.inclusion.result import Included
from apigen.compat.inclusion.schemas.deciding import schemas_included
from apigen.compat.inclusion.schemas.schema import Document, Schema
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.example import JsonValue, Missing, Side
from apigen.compat.verdict.impact import Direction, Impact
from apigen.compat.witnesses.candidates import Candidates
from apigen.compat.witnesses.sampling import Sampling
from apigen.compat.witnesses.schema_values import schema_values
from apigen.dataclass import replace

_MOST_VALUES = 120
_MOST_WHOLES = 6
_MOST_JUDGED = 4_000
"""Values that are judged in a review."""

_INSIDE = "([{"
_AT_PLACE = frozenset(
    {ElementKind.FIELD, ElementKind.ITEM, ElementKind.KEY, ElementKind.VALUE, ElementKind.BRANCH, ElementKind.RULE}
)
_OF_SIDE: dict[Side, dict[Direction, str]] = {
    Side.OLD: {
        Direction.OLD_CLIENT: "the request is refused",
        Direction.STORED: "judged again, the stored object is refused",
        Direction.NEW_CLIENT: "a client that checks what it reads refuses it",
    },
    Side.NEW: {
        Direction.NEW_CLIENT: "the request is refused",
        Direction.ROLLBACK: "judged again, the stored object is refused",
        Direction.OLD_CLIENT: "a client that checks what it reads refuses it",
    },
}
"""What happens to an object of a side that the other one refuses; the last one only where it depends on what clients do."""

_READERS = {Side.OLD: Direction.NEW_CLIENT, Side.NEW: Direction.OLD_CLIENT}


class BySchemas:
    """Completes the findings of one review."""

    def __init__(self, old: Surface, new: Surface) -> None:
        self._sides = {Side.OLD: old, Side.NEW: new}
        self._candidates: dict[Side, Candidates] = {}
        self._documents: dict[tuple[Side, str], Document] = {}
        self._left = _MOST_JUDGED

    def completed(self, finding: Finding) -> Finding:
        """The finding with what shows the directions of which nothing was shown; the same where nothing does."""
        shown = {each.direction for each in finding.witnesses}
        found = list(finding.witnesses)
        for side in Side:
            wanted = [each for each in _directions(finding, side) if each not in shown]
            given = (each.value for each in finding.verdict.examples if each.written_by is side)
            made = self._made(finding.element, side, given) if wanted else None
            if made is not None:
                found += (self._witness(side, each, *made) for each in wanted)
                shown |= set(wanted)
        if len(found) == len(finding.witnesses):
            return finding
        reason = "" if shown.issuperset(finding.hits) else finding.no_witness
        return replace(finding, witnesses=tuple(found), no_witness=reason)

    def _witness(self, side: Side, direction: Direction, name: str, value: JsonValue) -> Witness:
        other = "new" if side is Side.OLD else "old"
        return Witness(direction, name, value, f"{_OF_SIDE[side][direction]}: the {other} schema does not accept it")

    def _made(self, element: Element, side: Side, given: Iterable[JsonValue | Missing]) -> tuple[str, JsonValue] | None:
        """A whole value of a side that the other one refuses, for what it has at the element; with the name of what it is.

        `given` are values at the element that are tried first.
        """
        examples = [value for value in given if not isinstance(value, Missing)]
        for place in _places(element):
            both = [self._schema(each, element, f"{element.type}{_joined(place)}") for each in (side, _other(side))]
            mine, theirs = both
            if mine is None or theirs is None:
                continue
            seen: set[str] = set()
            for value in islice(chain(examples, schema_values(mine), schema_values(theirs)), _MOST_VALUES):
                key = json.dumps(value, sort_keys=True)
                if key not in seen and self._tells_apart(value, mine, theirs):
                    for name, whole in self._wholes(element, place, value, side):
                        outer, others = (self._schema(each, element, name) for each in (side, _other(side)))
                        if outer is not None and others is not None and self._tells_apart(whole, outer, others):
                            return name, whole
                seen.add(key)
        return None

    def _wholes(self, element: Element, place: str, value: JsonValue, side: Side) -> Iterator[tuple[str, JsonValue]]:
        if side not in self._candidates:
            mine, theirs = self._sides[side], self._sides[_other(side)]
            self._candidates[side] = Candidates(Sampling(mine), Sampling(theirs))
        at = replace(element, kind=ElementKind.FIELD, path=place)
        return islice(self._candidates[side].wholes(at, value), _MOST_WHOLES)

    def _tells_apart(self, value: JsonValue, mine: Schema, theirs: Schema) -> bool:
        """Whether it is certain that the one accepts a value and the other does not."""
        self._left -= 1
        if self._left < 0:
            return False
        refuses = theirs.document.schema({"not": theirs.value})
        return _is_proven(value, refuses) and _is_proven(value, mine)

    def _schema(self, side: Side, element: Element, path: str) -> Schema | None:
        """The schema of a place, where nothing but schemas judges values."""
        version = "/".join(part for part in (element.group, element.version) if part)
        written = self._sides[side].schemas.get(version)
        if written is None or not written.is_all:
            return None
        if (side, version) not in self._documents:
            self._documents[side, version] = Document(written.target)
        value = written.at(path)
        return None if value is None else self._documents[side, version].schema(value)


def _directions(finding: Finding, side: Side) -> Iterator[Direction]:
    """Those that a value of a side shows which the other one refuses."""
    for direction in _OF_SIDE[side]:
        hit = finding.hits.get(direction) if direction in finding.verdict.hits else None
        if hit is not None and (direction is not _READERS[side] or hit.impact is Impact.DEPENDS):
            yield direction


def _places(element: Element) -> Iterator[str]:
    """Where in its type an element says something: at its own place, and a member in the object around it, too."""
    if element.type and element.kind is not ElementKind.KIND:
        place = element.path.partition("(")[0] if element.kind in _AT_PLACE else ""
        yield place
        if element.kind is ElementKind.FIELD:
            yield ""


def _joined(place: str) -> str:
    return place if not place or place[0] in _INSIDE else f".{place}"


def _other(side: Side) -> Side:
    return Side.NEW if side is Side.OLD else Side.OLD


def _is_proven(value: JsonValue, schema: Schema) -> bool:
    return isinstance(schemas_included(schema.document.schema(_alone(value)), schema), Included)


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
