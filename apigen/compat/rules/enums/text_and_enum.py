"""A change between free text and the values of an enum."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.inclusion.domains import said_of, texts_of
from apigen.compat.inclusion.text_inclusion import texts_included
from apigen.compat.inclusion.unfolding import Unfolded, unfold
from apigen.compat.rules.constraints.compared import Compared
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Alias, Enum, Named, Scalar, Scalars, Slot
from apigen.dataclass import dataclass

_MOST_NAMED = 6


@dataclass(frozen=True, slots=True)
class TextAndEnum:
    """The enum, on which side it is, and what the other side accepts of it and besides."""

    enum: Enum
    is_enum_now: bool
    compared: Compared

    @property
    def names(self) -> str:
        """Its values, as far as a message holds them."""
        values = [f"`{value}`" for value in self.enum.values]
        more = len(values) - _MOST_NAMED
        return ", ".join(values[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def text_and_enum(change: AnyChange, context: Context) -> TextAndEnum | None:
    """The two sides of a change of type or form from one to the other; None for all else."""
    if not isinstance(change, Altered) or change.trait not in (Trait.TYPE, Trait.FORM):
        return None
    old, new = _unfolded(change.old, context.old), _unfolded(change.new, context.new)
    if old is None or new is None:
        return None
    is_enum_now = isinstance(new.type, Enum)
    enum, text = (new.type, old.type) if is_enum_now else (old.type, new.type)
    if not isinstance(enum, Enum) or text != Scalar(Scalars.STRING) or enum.base != Scalar(Scalars.STRING):
        return None
    mine, theirs = texts_of(old.type, said_of(old)), texts_of(new.type, said_of(new))
    return TextAndEnum(enum, is_enum_now, Compared(texts_included(mine, theirs), texts_included(theirs, mine)))


def _unfolded(part: object, surface: Surface) -> Unfolded | None:
    if isinstance(part, Slot):
        return unfold(part, surface)
    if isinstance(part, Alias):
        return unfold(part.slot, surface)
    return unfold(Slot(Named(part.name), part.place), surface) if isinstance(part, Enum) else None
