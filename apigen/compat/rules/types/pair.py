"""The two types of a change of type, behind the names of aliases, and what differs besides them."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.inner import differences_behind, judged_inside, slot_differences
from apigen.compat.rules.once_per_change import once_per_change
from apigen.compat.surface.resolving import unfolded
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import (
    Alias,
    Enum,
    ListOf,
    MapOf,
    Named,
    Scalar,
    Scalars,
    Slot,
    Struct,
    Type,
    TypeDef,
    spelt,
)
from apigen.compat.verdict.nested import Inner
from apigen.dataclass import dataclass, replace

INTEGERS = frozenset(
    {Scalars.INT32, Scalars.INT64, Scalars.UINT32, Scalars.UINT64, Scalars.INTEGER, Scalars.SINT32, Scalars.SINT64}
    | {Scalars.FIXED32, Scalars.FIXED64, Scalars.SFIXED32, Scalars.SFIXED64}
)
NUMBERS = frozenset({Scalars.NUMBER, Scalars.FLOAT32, Scalars.FLOAT64})


@dataclass(frozen=True, slots=True)
class TypePair:
    """Both sides of a change of type: as written, unfolded, and what the definition behind each is."""

    before: str
    after: str
    old: Slot
    new: Slot
    old_definition: TypeDef | None
    new_definition: TypeDef | None

    @property
    def scalars(self) -> tuple[Scalars, Scalars] | None:
        """The scalars, where both sides are one."""
        if isinstance(self.old.type, Scalar) and isinstance(self.new.type, Scalar):
            return self.old.type.name, self.new.type.name
        return None

    @property
    def is_same_form(self) -> bool:
        """Whether both are structs, enums, lists or maps, or the same scalar."""
        return self.shape(self.old, self.old_definition) == self.shape(self.new, self.new_definition)

    @staticmethod
    def shape(slot: Slot, definition: TypeDef | None) -> str:
        """The form of a type in a word."""
        match slot.type:
            case ListOf():
                return "list"
            case MapOf():
                return "map"
            case Named():
                return "nothing known" if definition is None else type(definition).__name__.lower()
            case Scalar(name):
                return name.value
            case _:
                return str(slot.type)

    @property
    def shapes(self) -> tuple[str, str]:
        """The forms of both types."""
        return self.shape(self.old, self.old_definition), self.shape(self.new, self.new_definition)


@once_per_change
def pair_of(change: AnyChange, context: Context) -> TypePair | None:
    """The types of a change of type or form; None for all else."""
    if not isinstance(change, Altered) or change.trait not in (Trait.TYPE, Trait.FORM):
        return None
    old, new = _slot(change.old, change.before), _slot(change.new, change.after)
    if old is None or new is None:
        return None
    mine, theirs = _as_judged(context.old_types, old), _as_judged(context.new, new)
    definitions = _definition(context.old_types, mine.type), _definition(context.new, theirs.type)
    if change.trait is Trait.FORM:
        return TypePair(str(change.before), str(change.after), mine, theirs, *definitions)
    before, after = str(old.type), str(new.type)
    if before == after:
        before, after = spelt(old.type, str), spelt(new.type, str)
    return TypePair(before, after, mine, theirs, *definitions)


def _as_judged(surface: Surface, slot: Slot) -> Slot:
    """A slot unfolded; an integer of a schema has no width where a text may stand for it."""
    whole = unfolded(surface, slot)
    if surface.has_wide_integers and whole.type == Scalar(Scalars.INT_OR_STRING):
        return replace(whole, type=Scalar(Scalars.WIDE_INT_OR_STRING))
    return whole


def _slot(part: object, type_: object) -> Slot | None:
    """The slot that has the type: a definition is a slot that names it."""
    if isinstance(part, Slot):
        return part
    if isinstance(part, Alias):
        return part.slot
    if isinstance(part, Enum) and isinstance(type_, Type):
        return Slot(type_, part.place)
    if isinstance(part, Struct | Enum):
        return Slot(Named(part.name), part.place)
    return None


def _definition(surface: Surface, type_: Type) -> TypeDef | None:
    return surface.type(type_.name) if isinstance(type_, Named) else None


def inner_of(change: AnyChange, pair: TypePair, context: Context) -> tuple[Inner, ...]:
    """What differs besides the type itself: constraints, defaults and the like, and the contents of definitions."""
    inside = judged_inside(slot_differences(change.element, pair.old, pair.new), context)
    return (*inside, *(differences_behind(pair.old, pair.new, context) or ()))
