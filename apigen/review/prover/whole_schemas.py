"""Compare whole schemas of base and revision: of a document, a type, or a property."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import dataclass, replace
from apigen.ir.surface import CONDITIONS, Element, Surface, WrittenSchemas, path_in
from apigen.review.prover.result import Included
from apigen.review.prover.schemas.deciding import TOO_LARGE, Undecided, schemas_included
from apigen.review.prover.schemas.schema import Documents, Schema

_MOST_COMPARED = 200
"""Maximum number of places that are compared in one review; with more changes, most of the document is different."""

_STARTS = ".([{"
"""The first characters of a step of a path."""

_PLAIN = frozenset(
    {
        *("type", "properties", "required", "items", "additionalProperties", "minItems", "minProperties", CONDITIONS),
        *(
            "title",
            "description",
            "default",
            "examples",
            "deprecated",
            "$comment",
            "$schema",
            "$id",
            "$defs",
            "definitions",
        ),
    }
)
"""If a schema of an object or list has only these keywords, it rejects each value with a rejected part."""

_LIMITS = frozenset({"maxItems", "maxProperties"})
"""These keywords, too, unless their value is 0, which allows no part."""

_Pair = tuple[int, int]
"""The schemas of a version on both sides, each by its `id()`."""

_FULL = "too many parts of the document changed to compare the whole schema at each of them"


@dataclass(frozen=True, slots=True)
class Step:
    """`keeps`: proven that all previously accepted values are still accepted; `adds_nothing`: that no others are
    accepted.

    `given_up`: why the search stopped if neither is proven; empty if it did not stop. `may_keep` and `may_add_nothing`
    name the unsupported keywords of the place itself on which the result depends, if it depends on any.
    """

    keeps: bool
    adds_nothing: bool
    given_up: str = ""
    may_keep: str = ""
    may_add_nothing: str = ""


class WholeSchemas:
    """Compares the values that both sides accept, place by place; results are cached."""

    def __init__(self, old: Surface, new: Surface) -> None:
        self._old = old
        self._new = new
        self._documents = Documents(old), Documents(new)
        self._known: dict[tuple[_Pair, str], Step | None] = {}
        self._known_texts: dict[tuple[str, str], Step] = {}
        self._asked = 0

    def step(self, element: Element, *, of_holder: bool) -> Step | None:
        """Return the results for the places that contain an element, up to the whole document, or `None` without schemas.

        `of_holder`: the changed keyword is in the schema of the enclosing object, not in that of the member.
        """
        steps: list[Step] = []
        for path in self._paths(element, of_holder):
            step = self._of(element.api_version, path, is_around=bool(steps))
            if step is not None:
                steps.append(step)
                if step.given_up:  # the places around it are larger
                    break
        if not steps:
            return None
        keeps, adds_nothing = any(step.keeps for step in steps), any(step.adds_nothing for step in steps)
        return replace(steps[0], keeps=keeps, adds_nothing=adds_nothing)

    def _paths(self, element: Element, of_holder: bool) -> Iterator[str]:
        """Yield paths from the inside out: inner schemas are smaller, and more often unchanged."""
        path = path_in(element.type, "" if of_holder else element.path)
        yield path
        for end in range(len(path) - 1, 0, -1):
            if path[end] in _STARTS:
                yield path[:end]
        version = self._new.version(element.group, element.version)
        kinds = () if version is None else tuple(version.kinds.values())
        if len(kinds) == 1:  # with several kinds, each is a whole by itself
            yield kinds[0].root.name

    def _of(self, version: str, path: str, *, is_around: bool) -> Step | None:
        """Return the result for a place; `is_around`: it contains the changed place, and may accept values that this
        rejects.
        """
        old, new = self._old.schemas.get(version), self._new.schemas.get(version)
        key = (id(old), id(new)), path  # versions with the same schemas share results
        if key not in self._known:
            if is_around and not (
                any(_combines(side, path) for side in (old, new)) or _conditions_differ(old, new, path)
            ):
                return None
            self._known[key] = self._compared(version, path)
        return self._known[key]

    def _compared(self, version: str, path: str) -> Step | None:
        before, after = (side.at(version, path) for side in self._documents)
        if before is None or after is None:
            return None
        texts = before.text, after.text
        if not all(texts):
            return self._decided(before, after)
        if texts not in self._known_texts:  # schemas of versions are mostly equal
            self._known_texts[texts] = self._decided(before, after)
        return self._known_texts[texts]

    def _decided(self, before: Schema, after: Schema) -> Step:
        if self._asked >= _MOST_COMPARED:
            return Step(keeps=False, adds_nothing=False, given_up=_FULL)
        self._asked += 1
        forward = schemas_included(before, after)
        backward = forward if forward is TOO_LARGE else schemas_included(after, before)
        given_up = TOO_LARGE.reason if TOO_LARGE in (forward, backward) else ""
        doubts = (each.reason if isinstance(each, Undecided) else "" for each in (forward, backward))
        return Step(isinstance(forward, Included), isinstance(backward, Included), given_up, *doubts)


def _conditions_differ(old: WrittenSchemas | None, new: WrittenSchemas | None, path: str) -> bool:
    """Return whether one of the schemas has a condition, such as a rule, that may reject values with an accepted part."""
    found = (None if each is None else each.at(path) for each in (old, new))
    before, after = (each.get(CONDITIONS) if isinstance(each, dict) else None for each in found)
    return before != after


def _combines(schemas: WrittenSchemas | None, path: str) -> bool:
    """Return whether a schema has keywords beyond its parts, such as alternatives, of which another one may accept a
    value.
    """
    schema = None if schemas is None else schemas.at(path)
    return isinstance(schema, dict) and any(
        name not in _PLAIN and not (name in _LIMITS and value != 0) for name, value in schema.items()
    )
