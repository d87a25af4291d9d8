"""`{drop: reason}` and `{byHand: reason}`: a field that conversion loses deliberately, or that a hand-written function
converts.
"""

from __future__ import annotations

from collections.abc import Iterable

from apigen.dataclass import dataclass, replace
from apigen.hub.lenses.move import MOVE_OPTIONS, bind_declared, hub_field
from apigen.hub.lenses.request import Lens, LensRequest, names_of
from apigen.hub.steps import TARGET, Loss, Side, Step
from apigen.ir.expressions import AtEach, Call, Here, Holds, IsNone, IsSet, Literal, Not, Set, Statement, Test, TupleOf
from apigen.ir.model import spell
from apigen.ir.places import BoundPath, KeyStep
from apigen.language.model import ByHandSpec, Located


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
