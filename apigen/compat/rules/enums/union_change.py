"""A change of a union, with the union of the other side that it is about."""

from __future__ import annotations

from apigen.compat.changes.change import Added, Altered, AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.inclusion.samples import samples
from apigen.compat.rules.enums.union_effect import Choice, Effect, effect
from apigen.compat.surface.elements import Element
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Struct, Union
from apigen.compat.verdict.example import ABSENT, Example, JsonValue, Side
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class UnionChange:
    """`old` and `new` are the union on both sides; None where it is not there, or nobody can say which one it was."""

    old: Union | None
    new: Union | None
    before: Struct
    after: Struct
    effect: Effect
    examples: tuple[Example, ...]

    @property
    def hits(self) -> dict[Direction, Hit]:
        """What is refused that was accepted, and the reverse."""
        found: dict[Direction, Hit] = {}
        refused, accepted = self.effect.refused, self.effect.accepted
        if refused is not None:
            words = refused.words(_discriminator(self.new, self.old))
            found[Direction.OLD_CLIENT] = breaks(f"a client of before that sends an object with {words} is refused")
            found[Direction.STORED] = breaks(f"a stored object with {words} is refused when it is judged again")
        if accepted is not None:
            words = accepted.words(_discriminator(self.new, self.old))
            found.setdefault(Direction.OLD_CLIENT, depends(f"a client of before may read an object with {words}"))
            found[Direction.NEW_CLIENT] = breaks(f"a new client that sends {words} to a server of before is refused")
            found[Direction.ROLLBACK] = breaks(f"the release before refuses an object with {words}")
        return found


def union_change(change: AnyChange, context: Context) -> UnionChange | None:
    """Both unions of a change; one that only got another name is found by its members. None for all else."""
    before, after = _struct(context.old, change.element), _struct(context.new, change.element)
    if before is None or after is None:
        return None
    match change:
        case Altered(old=Union() as old, new=Union() as new):
            pair: tuple[Union | None, Union | None] = old, new
        case Added(part=Union() as new):
            pair = _overlapping(new, _only(before, after)), new
        case Removed(part=Union() as old):
            pair = old, _overlapping(old, _only(after, before))
        case _:
            return None
    found = effect(*pair, before, after)
    examples = (
        *_example(found.refused, Side.OLD, before, pair, context.old),
        *_example(found.accepted, Side.NEW, after, pair, context.new),
    )
    return UnionChange(*pair, before, after, found, examples)


def _struct(surface: Surface, element: Element) -> Struct | None:
    found = surface.type(element.type_name)
    return found if isinstance(found, Struct) else None


def _only(one: Struct, other: Struct) -> list[Union]:
    """The unions of one struct that the other has not."""
    return [union for union in one.unions if union not in other.unions]


def _overlapping(union: Union, others: list[Union]) -> Union | None:
    return next((other for other in others if other.members.keys() & union.members.keys()), None)


def _discriminator(*unions: Union | None) -> str | None:
    return next((union.discriminator for union in unions if union is not None and union.discriminator), None)


def _example(
    choice: Choice | None, side: Side, struct: Struct, unions: tuple[Union | None, Union | None], surface: Surface
) -> tuple[Example, ...]:
    """An object in which just these members are set."""
    if choice is None:
        return ()
    beside: list[tuple[str, JsonValue]] = []
    for name in choice.members:
        found = samples(struct.fields[name].slot, surface, 1)
        if not found:
            return ()
        beside.append((name, found[0]))
    discriminator = _discriminator(*unions)
    if discriminator is not None and choice.value_known and discriminator in struct.fields:
        beside.append((discriminator, choice.value_known))
    return (Example(side, ABSENT, tuple(beside)),)
