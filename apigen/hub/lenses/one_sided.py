"""Lenses of a field that only one side has.

`{constant: value}` and `{from: $.metadata.name}`: it gets this value, that of the first case whose condition is true, or a value
of the object's metadata. `{drop: reason}` and `{byHand: reason}`: conversion loses it deliberately, or a hand-written function
converts it.
"""

from __future__ import annotations

from collections.abc import Iterable

from apigen.dataclass import dataclass, replace
from apigen.hub.lenses.cases import fits, value_cases
from apigen.hub.lenses.move import MOVE_OPTIONS, bind_declared, hub_field
from apigen.hub.steps import TARGET, Assign, Lens, LensRequest, Loss, Side, Step, names_of, version_object
from apigen.ir.expressions import (
    AtEach,
    Call,
    Compared,
    Expression,
    Here,
    Holds,
    IsNone,
    IsSet,
    Literal,
    Member,
    Not,
    OrElse,
    Set,
    Statement,
    Test,
    TupleOf,
    Zero,
    at,
)
from apigen.ir.model import STRING, FieldPath, spell, underlying
from apigen.ir.places import BoundPath, FieldStep, KeyStep, bind_path
from apigen.language.model import ByHandSpec, Condition, LensCase, Located, Path


@dataclass(frozen=True, slots=True)
class OneSided(Step):
    """A field that only one side has: conversion to its own side sets it, and conversion to the other side drops it."""

    side: Side
    bound: BoundPath

    def is_set(self, to_hub: bool) -> bool:
        """Return whether conversion in this direction sets the field."""
        return to_hub == (self.side is Side.HUB)

    def setting(self, value: Expression) -> Statement:
        """Return the statement that sets the field, in each element of the lists above it."""
        last = self.bound.steps[-1]
        assert isinstance(last, FieldStep)
        return AtEach(TARGET, self.bound.steps[:-1], (Set(Member(Here(), last.field), value),))

    def changes(self, to_hub: bool) -> Iterable[tuple[str, ...]]:
        if self.is_set(to_hub):
            yield names_of(self.bound)

    def hub_places(self) -> Iterable[str]:
        if self.side is Side.HUB:
            yield self.bound.text


@dataclass(frozen=True, slots=True)
class Constant(OneSided):
    """A field with a constant value. Below lists, each element gets it.

    Conditions refer to the version's object: for a place of the version, they are evaluated when its other fields are
    set.
    """

    cases: tuple[LensCase, ...]

    def assignments(self, to_hub: bool) -> Iterable[Assign]:
        if self._is_assigned and self.bound.fields is not None and self.is_set(to_hub):
            yield Assign(self.bound.fields, self._value(version_object(to_hub)), None)

    @property
    def _is_assigned(self) -> bool:
        return self.bound.fields is not None and not any(self.conditions())

    def conditions(self) -> Iterable[Condition]:
        return (case.when for case in self.cases if case.when is not None and self.side is Side.VERSION)

    def statements(self, to_hub: bool) -> Iterable[Statement]:
        if not self._is_assigned and self.is_set(to_hub):
            yield self.setting(self._value(version_object(to_hub)))

    def _value(self, root: str) -> Expression:
        return value_cases(self.cases, root, self.bound.type, Zero(self.bound.type, self.bound.can_be_none))

    def losses(self) -> Iterable[Loss]:
        value = self._value("back" if self.side is Side.VERSION else "other")
        test = Holds("obj", self.bound.steps, Compared(Here(), "!=", value))
        values = " or ".join(dict.fromkeys(_case_text(case) for case in self.cases))
        yield Loss(self.side, self.bound.text, f"it is not {values}", test, "constant", becomes=values)

    def describe(self) -> str | None:
        return f"{self.bound.text} is always {' or '.join(dict.fromkeys(_case_text(case) for case in self.cases))}"


def _case_text(case: LensCase) -> str:
    return str(case.value.value) if isinstance(case.value, Located) else "a structure"


@dataclass(frozen=True, slots=True)
class FromMetadata(OneSided):
    """A field whose value is a string of the object's metadata. It is not set if the structs that contain it are unset.

    An optional field is unset if the string is empty. `source` is its path in the objects of both sides.
    """

    source: FieldPath

    def statements(self, to_hub: bool) -> Iterable[Statement]:
        if self.is_set(to_hub):
            yield self.setting(self._value(TARGET))

    def _value(self, root: str) -> Expression:
        value = at(root, self.source)
        return OrElse(value, Literal(None)) if self.bound.can_be_none else value

    def losses(self) -> Iterable[Loss]:
        test = Holds("obj", self.bound.steps, Compared(Here(), "!=", self._value("obj")))
        place = spell(self.source)
        yield Loss(
            self.side, self.bound.text, f"it is not the `{place}` of the object", test, "from", becomes=f"`{place}`"
        )

    def describe(self) -> str | None:
        return f"{self.bound.text} is the {spell(self.source)} of the object"


def _bind_source(request: LensRequest, source: Path) -> Iterable[Step]:
    bound = request.bound
    in_version = bind_path(source, request.version, request.types)
    in_hub = bind_path(source, request.hub, request.types)
    field_paths = [each.fields for each in (in_version, in_hub) if isinstance(each, BoundPath)]
    paths = [path for path in field_paths if path is not None and path[0].json_name == "metadata" and len(path) == 2]
    if len(paths) != 2 or any(field.can_be_none or field.type != STRING for field in (*paths[0][1:], *paths[1][1:])):
        name = request.version.id.name
        raise request.rejected(
            "AG0602",
            f"`from: {source}` is not a string in the metadata of {request.version.id.version} `{name}`",
            place=source.place,
            hint="write `from: $.metadata.namespace` or `$.metadata.name` in `lenses:` or `hubOnly:` of the type of the kind",
        )
    if paths[0][0].can_be_none or paths[1][0].can_be_none:
        raise request.rejected("AG0602", "`from` requires `metadata` without `optional: true`", place=source.place)
    if not isinstance(bound.steps[-1], FieldStep) or underlying(bound.type) != STRING:
        message = f"`from` sets a string, but {bound.text} is {bound.type}"
        raise request.rejected("AG0602", message, hint="give the field `type: string`")
    return (FromMetadata(request.side, bound, paths[0]),)


def _bind_constant(request: LensRequest, cases: tuple[LensCase, ...]) -> Iterable[Step]:
    bound, ok = request.bound, True
    for case in cases:
        if case.when is not None and not request.check_condition(case.when):
            ok = False
        if not isinstance(case.value, Located):
            request.error("AG0602", "a constant must be a scalar", place=case.place)
            ok = False
        elif not (fits(case.value.value, bound.type) or (case.value.value is None and bound.can_be_none)):
            request.error("AG0602", f"`{case.value.value}` is not a valid {bound.type}", place=case.value.place)
            ok = False
    return (Constant(request.side, bound, cases),) if ok else ()


def bind_from_above(request: LensRequest) -> Iterable[Step]:
    """Return the step that `lenses:` of a containing type declare, at a place that the hub does not have: an existing one
    would be overwritten without an error.
    """
    is_source, field = request.spec.source is not None, request.bound.field
    if field is not None and field.hub is None and request.same_place() is not None:
        raise request.rejected(
            "AG0602",
            f"the hub has a field for {request.bound.text}, so a constant would lose its value",
            hint=f"set `hub: {{{'from: PATH' if is_source else 'constant: VALUE'}}}` on the field itself if it has no counterpart anywhere",
        )
    return (FROM_METADATA if is_source else CONSTANT).bind(request)


FROM_METADATA = Lens("`from`", ("source",), _bind_source)
"""The option `from`."""

CONSTANT = Lens("`constant`", ("constant",), _bind_constant)
"""The option `constant`."""


def _is_set(bound: BoundPath) -> Test:
    """Return the test that the value at the end of the path is set and not zero."""
    if isinstance(bound.steps[-1], KeyStep):
        return Literal(True)
    return Not(IsNone(Here())) if bound.can_be_none else IsSet(Here(), bound.type, False)


@dataclass(frozen=True, slots=True)
class Dropped(Step):
    """A field or map entry for which the other side has no field.

    `other` is the place of a map entry in the other side's map, which becomes this one: the entry is removed in both
    directions. `more` are keys of the same map that are removed with it.
    """

    side: Side
    bound: BoundPath
    reason: str
    other: BoundPath | None = None
    more: tuple[str, ...] = ()

    def place(self, side: Side) -> BoundPath:
        """The place in the objects of a side, for a map entry."""
        return self.bound if self.other is None or side is self.side else self.other

    def statements(self, to_hub: bool) -> Iterable[Statement]:
        if self.other is None:
            return
        *map_, last = self.place(Side.HUB if to_hub else Side.VERSION).steps
        assert isinstance(last, KeyStep)
        keys = tuple(Literal(key) for key in (last.key, *self.more))
        remaining = Call("without_keys", (Here(), TupleOf(keys))) if self.more else Call("without_key", (Here(), *keys))
        yield AtEach(TARGET, tuple(map_), (Set(Here(), remaining),), present=False)

    def joined(self, other: Step) -> Step | None:
        """Join entries of one map."""
        if not (isinstance(other, Dropped) and self.other is not None and other.other is not None):
            return None
        maps = [[step.place(side).steps[:-1] for side in Side] for step in (self, other)]
        last = other.bound.steps[-1]
        assert isinstance(last, KeyStep)
        return replace(self, more=(*self.more, last.key)) if maps[0] == maps[1] else None

    def changes(self, to_hub: bool) -> Iterable[tuple[str, ...]]:
        return (names_of(self.place(Side.HUB if to_hub else Side.VERSION)),) if self.other is not None else ()

    def losses(self) -> Iterable[Loss]:
        for side in (self.side,) if self.other is None else Side:
            bound = self.place(side)
            yield Loss(side, bound.text, "", Holds("obj", bound.steps, _is_set(bound)), f"drop: {self.reason}")

    def hub_places(self) -> Iterable[str]:
        if self.side is Side.HUB and self.other is None:
            yield self.bound.text

    def describe(self) -> str | None:
        where = f"of the {self.side}" if self.other is None else "both ways"
        return f"{self.bound.text} is dropped ({where}): {self.reason}"


@dataclass(frozen=True, slots=True)
class ByHand(Step):
    """A field that a hand-written function of a containing type converts; its losses are not verified.

    `is_adjusted`: the generated body converts it first, and the function changes the result. Both sides then declare it.
    `has_context`: the function takes the context of the caller.
    """

    side: Side
    place: str
    reason: str
    is_adjusted: bool = False
    has_context: bool = False

    def hub_places(self) -> Iterable[str]:
        if self.side is Side.HUB:
            yield self.place

    def describe(self) -> str | None:
        if not self.is_adjusted:
            return f"{self.place} is converted by a hand-written function: {self.reason}"
        return (
            f"{self.place} is adjusted by a hand-written function: {self.reason}" if self.side is Side.VERSION else None
        )


@dataclass(frozen=True, slots=True)
class MappedAbove(Step):
    """A field that the lenses of a containing type, `above`, map wherever the struct is used."""

    place: str
    above: str

    def describe(self) -> str | None:
        return f"{self.place} is mapped by the lenses of {self.above}"


def _bind_mapped_above(request: LensRequest, above: Located[str]) -> Iterable[Step]:
    return (MappedAbove(request.bound.text, above.value),)


def _bind_drop(request: LensRequest, reason: Located[str]) -> Iterable[Step]:
    """Return the step for a field, or for an entry of a map that both sides have: it is removed in both directions."""
    if not isinstance(request.bound.steps[-1], KeyStep):
        return (Dropped(request.side, request.bound, reason.value),)
    other = request.same_place()
    if other is None:
        owner = "this version" if request.side is Side.HUB else "the hub"
        raise request.rejected(
            "AG0602",
            f"an entry is dropped from a map that both sides have at one path, and {owner} has no `{request.bound.text}`",
            hint="drop the map, or declare the entry in a type that both sides have",
        )
    return (Dropped(request.side, request.bound, reason.value, other),)


def _bind_by_hand(request: LensRequest, by_hand: ByHandSpec) -> Iterable[Step]:
    return (ByHand(request.side, request.bound.text, by_hand.value, has_context=by_hand.context),)


def _bind_adjusted(request: LensRequest, by_hand: ByHandSpec) -> Iterable[Step]:
    move, reason, context = bind_declared(request), by_hand.value, by_hand.context
    place, hub = spell(request.path), spell(move.hub)
    is_plain = hub == place and request.spec.words() == {"by_hand", "to"}
    sides = (ByHand(Side.VERSION, place, reason, True, context), ByHand(Side.HUB, hub, reason, True, context))
    return (replace(move, declared=not is_plain), *sides)


MAPPED_ABOVE = Lens("a lens of a containing type", ("from_above",), _bind_mapped_above)
"""A field for which `lenses:` of all containing types have a lens."""

DROP = Lens("`drop`", ("drop",), _bind_drop)
"""The option `drop`."""

BY_HAND = Lens("`byHand`", ("by_hand",), _bind_by_hand)
"""The option `byHand`."""

ADJUSTED = Lens(
    "`byHand`", ("by_hand", *MOVE_OPTIONS), _bind_adjusted, hub_field, restriction=lambda spec: spec.to is not None
)
"""The option `byHand` with `to:`: the generated body converts the field first, as a move declares."""
