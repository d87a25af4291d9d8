"""Searches for objects of CRDs that show a finding, in addition to the generated objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from apigen.inputs.schemas.scope import SchemaPlace, place_of
from apigen.ir.surface import Element, ElementKind, Slot, Surface, path_in, slot_at
from apigen.language.json_values import Steps, Value, value_at, with_value
from apigen.review.counterexamples.crd_server import CrdServer, rejection_of
from apigen.review.counterexamples.outcome import Rejections
from apigen.review.finding import Finding
from apigen.review.pipeline.moves import (
    Hints,
    Maker,
    concrete,
    rejections,
    search,
)
from apigen.review.results import Missing, Severity, Side
from apigen.runtime.structural.engine import Structural

_MOST = 80
"""Maximum number of objects that a search evaluates: in the two largest steps of gateway-api, none succeeds after the 67th."""


Found = tuple[Value, Steps | None]
"""An object that shows a finding, and the place inside which it may have parts that are not needed; None: it has none."""


class ByPipeline:
    """Searches by the schemas of both sides; `servers` have the schemas of kinds.

    The part of an object that a finding is about is tried first for the same change in another version, place or kind.
    """

    def __init__(self, surfaces: tuple[Surface, Surface], servers: tuple[CrdServer, CrdServer]) -> None:
        self._surfaces = dict(zip(Side, surfaces, strict=True))
        self._servers = dict(zip(Side, servers, strict=True))
        self._parts: dict[_Change, list[Value]] = {}

    def found(self, finding: Finding, side: Side, expected: Rejections, paths: tuple[str, ...]) -> Found | None:
        """Return an object that `side` accepts, and that the other side rejects for the finding; None if none is found.

        Findings of warnings are not searched for, but the parts of objects that show the same change are tried.
        """
        element = finding.element
        parts = self._parts.get(_change_of(finding, side), [])
        is_searched = finding.severity >= Severity.UNVERIFIED
        kind, version = element.type.partition(".")[0], element.api_version
        own_schema, other_schema = (self._servers[each].schema(version, kind) for each in (side, side.other))
        if own_schema is None or other_schema is None or not element.type or expected.are_before_schemas:
            return None
        if not parts and not is_searched:
            return None

        def is_rejected(value: Value) -> bool:
            found = (rejection_of(other_schema, value, each) for each in rejections(other_schema, value))
            return any(expected.fit(each, paths) for each in found)

        maker, other = Maker(own_schema.schema), Maker(other_schema.schema)
        place = _place(element)
        root = _bare(maker.root(version, kind), own_schema)
        around = maker.with_place(root, _place_of_part(finding))
        tried = [] if around is None else [with_value(*around, part) for part in parts]
        searched = partial(
            search, own_schema, maker, is_rejected, self._steps(finding, place, maker, other), place=place[:-1]
        )
        value = searched(tried, most=len(tried))
        reduced: Steps | None = None
        if value is None and is_searched:
            value = searched(self._seeds(finding, side, place, root, maker, other), most=_MOST)
            # the search changes little outside of the place of the finding
            is_only_around = (
                value is not None
                and around is not None
                and with_value(value, around[1], None) == with_value(*around, None)
            )
            reduced = around[1] if around is not None and is_only_around else ()
        return None if value is None else (value, reduced)

    def keep(self, finding: Finding, side: Side, value: Value) -> None:
        """Keep the part of a counterexample that its finding is about, to try it for the same change elsewhere."""
        at = concrete(value, _place_of_part(finding))
        known = self._parts.setdefault(_change_of(finding, side), [])
        part = None if at is None else value_at(value, at)
        if part is not None and part not in known:
            known.append(part)

    def _seeds(
        self, finding: Finding, side: Side, place: SchemaPlace, root: Value, maker: Maker, other: Maker
    ) -> Iterator[Value]:
        """Yield objects with values at the place of a finding, from which a search starts."""
        placed = maker.with_place(root, place)
        if placed is None:
            return
        value, at = placed
        yield value
        for of in (maker, other):
            inner = of.schema_at(value, at)
            if inner is not None:
                yield from (with_value(value, at, each) for each in (of.least(inner), *of.values(inner)))
        for example in finding.result.examples:
            if example.written_by is side and not isinstance(example.value, Missing):
                yield with_value(value, at, example.value)

    def _steps(
        self, finding: Finding, place: SchemaPlace, maker: Maker, other: Maker
    ) -> Callable[[Value], Iterator[Value]]:
        """Return the function that yields changes of an object at the place of a finding."""
        hints: Hints | None = None
        if finding.element.kind is ElementKind.RULE:  # the texts of the CEL rules that the finding is about
            slots = (slot_at(surface, finding.element) for surface in self._surfaces.values())
            rules = [rule for slot in slots if isinstance(slot, Slot) for rule in slot.rules]
            own = [rule.text for rule in rules if finding.element.path.endswith(f"({rule.name})")]
            hints = Hints(" ".join(own or [rule.text for rule in rules]))

        def steps(value: Value) -> Iterator[Value]:
            at = concrete(value, place)
            if at is None:
                placed = maker.with_place(value, place)
                if placed is not None and placed[0] != value:
                    yield placed[0]
                return
            yield from maker.moves(value, at, hints)
            yield from maker.sizes(value, at)
            yield from other.sizes(value, at)
            if hints is not None and len(at) > 1:
                yield from maker.moves(value, at[:-1], hints)

        return steps


def _bare(root: Value, schema: Structural) -> Value:
    """Return an object without metadata, unless the schema requires it."""
    required = schema.schema.get("required")
    is_required = isinstance(required, list) and "metadata" in required
    return root if is_required else {name: each for name, each in root.items() if name != "metadata"}


_Change = tuple[Side, str, ElementKind, str, str, str]
"""A change without its place: the side that accepts the object, the rule, the kind and path of the element, both sides."""


def _change_of(finding: Finding, side: Side) -> _Change:
    element = finding.element
    return side, finding.rule, element.kind, element.path, finding.old, finding.new


def _place_of_part(finding: Finding) -> SchemaPlace:
    """Return the place of the part of an object that shows a finding: the value that a rule is about, or the object
    that has the field.
    """
    place = _place(finding.element)
    return place if finding.element.kind in _OF_VALUES else place[:-1]


_OF_VALUES = frozenset({ElementKind.RULE, ElementKind.BRANCH})


def _place(element: Element) -> SchemaPlace:
    path = "" if element.kind is ElementKind.ENUM_VALUE else element.path.partition("(")[0]
    return place_of(path_in(element.type, path))[1:]
