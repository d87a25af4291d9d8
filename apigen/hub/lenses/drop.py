"""`{drop: reason}` and `{byHand: reason}`: a field that conversion loses deliberately, or that a hand-written function
converts.
"""

from __future__ import annotations

from collections.abc import Iterable

from apigen.dataclass import dataclass, replace
from apigen.hub.lenses.move import MOVE_OPTIONS, MoveLens, bind_declared
from apigen.hub.lenses.request import HubField, Lens, LensRequest, allow_words, names_of
from apigen.hub.steps import TARGET, Loss, Side, Step
from apigen.ir.expressions import Call, Here, Holds, IsNone, IsSet, Literal, Not, Test, TupleOf
from apigen.ir.field_paths import spell
from apigen.ir.places import BoundPath, KeyStep
from apigen.ir.statements import AtEach, Set, Statement
from apigen.language.model import LensSpec


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


class MappedAboveLens(Lens):
    """A field for which `lenses:` of all containing types have a lens."""

    name = "from above"

    def matches(self, spec: LensSpec) -> bool:
        return spec.from_above is not None

    def bind(self, request: LensRequest) -> Iterable[Step]:
        assert request.spec.from_above is not None
        return (MappedAbove(spell(request.path), request.spec.from_above.value),)


class DropLens(Lens):
    """The option `drop` on a field of a version."""

    name = "drop"

    def matches(self, spec: LensSpec) -> bool:
        return spec.drop is not None

    def bind(self, request: LensRequest) -> Iterable[Step]:
        assert request.spec.drop is not None
        if not allow_words(request, "`drop`", "drop"):
            return ()
        return (Dropped(Side.VERSION, request.bound, request.spec.drop.value),)


class HandWrittenLens(Lens):
    """The option `byHand` on a field of a version; with `to:`, the generated body converts it first, as a move
    declares.
    """

    name = "byHand"

    def matches(self, spec: LensSpec) -> bool:
        return spec.by_hand is not None

    def hub_fields(self, request: LensRequest) -> Iterable[HubField]:
        return () if request.spec.to is None else MoveLens().hub_fields(request)

    def bind(self, request: LensRequest) -> Iterable[Step]:
        assert request.spec.by_hand is not None
        is_adjusted = request.spec.to is not None
        if not allow_words(request, "`byHand`", "by_hand", *(MOVE_OPTIONS if is_adjusted else ())):
            return ()
        place, reason, context = spell(request.path), request.spec.by_hand.value, request.spec.by_hand.context
        if not is_adjusted:
            return (ByHand(Side.VERSION, place, reason, has_context=context),)
        moves = bind_declared(request)
        if not moves:
            return ()
        hub = spell(moves[0].hub)
        is_plain = hub == place and request.spec.words() == {"by_hand", "to"}
        sides = (ByHand(Side.VERSION, place, reason, True, context), ByHand(Side.HUB, hub, reason, True, context))
        return (replace(moves[0], declared=not is_plain), *sides)
