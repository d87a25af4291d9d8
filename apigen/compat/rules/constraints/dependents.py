"""Fields that must, or must not, be set beside another."""

from __future__ import annotations

from apigen.compat.changes.change import Altered
from apigen.compat.context import Context
from apigen.compat.inclusion.restrictions import restrictions
from apigen.compat.inclusion.samples import samples
from apigen.compat.surface.constraints import Keyword
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Slot, Struct
from apigen.compat.verdict.example import Example, Side
from apigen.dataclass import dataclass

WORDS = (Keyword.REQUIRES, Keyword.FORBIDS)


@dataclass(frozen=True, slots=True)
class Dependents:
    """The names that came and went; of what came, `came` has those that an object of before can break."""

    came: tuple[str, ...]
    went: tuple[str, ...]


def dependents(change: Altered, context: Context) -> Dependents:
    """What changed of what a field asks of those beside it."""
    before, after = restrictions(change.before), restrictions(change.after)
    came, went = after - before, before - after
    if change.keyword is Keyword.FORBIDS:
        came = frozenset(name for name in came if _has(context.old, change, name))
        went = frozenset(name for name in went if _has(context.new, change, name))
    return Dependents(tuple(sorted(came)), tuple(sorted(went)))


def broken_by(change: Altered, names: tuple[str, ...], side: Side, context: Context) -> tuple[Example, ...]:
    """A value of the field with its sibling set, or without: what one side accepts and the other refuses."""
    surface, slot = (context.old, change.old) if side is Side.OLD else (context.new, change.new)
    found = samples(slot, surface, 1) if isinstance(slot, Slot) else None
    if not found or not names:
        return ()
    if change.keyword is Keyword.REQUIRES:
        return (Example(side, found[0]),)
    struct = surface.type(change.element.type_name)
    sibling = struct.fields.get(names[0]) if isinstance(struct, Struct) else None
    other = samples(sibling.slot, surface, 1) if sibling is not None else None
    return (Example(side, found[0], ((names[0], other[0]),)),) if other else ()


def in_words(change: Altered, names: tuple[str, ...]) -> str:
    """What an object has that is judged differently."""
    how = "without" if change.keyword is Keyword.REQUIRES else "beside"
    return f"`{change.element.path}` {how} {' or '.join(f'`{name}`' for name in names)}"


def _has(surface: Surface, change: Altered, name: str) -> bool:
    struct = surface.type(change.element.type_name)
    return not isinstance(struct, Struct) or name in struct.fields
