"""What a change of a constraint lets through: both directions, decided or not."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.inclusion.domains import Said
from apigen.compat.inclusion.keywords import satisfies
from apigen.compat.inclusion.result import INCLUDED, Inclusion, NotProven
from apigen.compat.inclusion.unfolding import unfold
from apigen.compat.rules.once_per_change import once_per_change
from apigen.compat.surface.constraints import Keyword
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Scalar, Slot
from apigen.dataclass import dataclass

_EXCLUSIVE = {Keyword.EXCLUSIVE_MINIMUM: Keyword.MINIMUM, Keyword.EXCLUSIVE_MAXIMUM: Keyword.MAXIMUM}

_NOT_MONOTONE = ("(not[", "(if[", "(contains[", "(oneOf (may overlap)[")


@dataclass(frozen=True, slots=True)
class Compared:
    """`forward`: whether what the old side accepts has the new constraint; `backward`: the reverse."""

    forward: Inclusion
    backward: Inclusion

    @property
    def tightens(self) -> bool:
        """Whether something may be refused that was accepted."""
        return self.forward != INCLUDED

    @property
    def loosens(self) -> bool:
        """Whether something may be accepted that was refused."""
        return self.backward != INCLUDED

    @property
    def doubts(self) -> str:
        """Why it could not be decided; empty if it could."""
        found = (each.reason for each in (self.forward, self.backward) if isinstance(each, NotProven))
        return ", and ".join(dict.fromkeys(found))


def constraint_change(change: AnyChange, *words: Keyword) -> Altered | None:
    """A change of one of these keywords; None for all else."""
    if isinstance(change, Altered) and change.trait is Trait.CONSTRAINT and change.keyword in words:
        return change
    return None


@once_per_change
def compared(change: Altered, context: Context) -> Compared:
    """Compare all that a side says of a value with the one keyword of the other."""
    old, new = change.old, change.new
    assert isinstance(old, Slot) and isinstance(new, Slot) and change.keyword is not None
    if any(word in change.element.path for word in _NOT_MONOTONE):
        doubt = NotProven("which way a change moves the whole of an alternative, a condition or a negation")
        return Compared(doubt, doubt)
    if not _are_alike(old, new, context):
        old, new = _only(old, change.keyword), _only(new, change.keyword)
    return Compared(
        _satisfies(old, context.old, new, change.keyword),
        _satisfies(new, context.new, old, change.keyword),
    )


def _satisfies(slot: Slot, surface: Surface, other: Slot, word: Keyword) -> Inclusion:
    """Whether what a slot accepts has the keyword of another."""
    wanted = other.constraints.get(word)
    if wanted is None:
        return INCLUDED
    said: list[Said] = [(word, wanted.value)]
    bound = other.constraints.get(_EXCLUSIVE[word]) if word in _EXCLUSIVE else None
    if bound is not None and wanted.value is True:
        said.append((_EXCLUSIVE[word], bound.value))
    return satisfies(slot, surface, said)


def _are_alike(old: Slot, new: Slot, context: Context) -> bool:
    """Whether both hold values of the same kind, so that what is said of them can be compared as a whole."""
    mine, theirs = unfold(old, context.old).type, unfold(new, context.new).type
    if isinstance(mine, Scalar) or isinstance(theirs, Scalar):
        return mine == theirs
    return type(mine) is type(theirs)


def _only(slot: Slot, word: Keyword) -> Slot:
    """The slot with nothing but one keyword."""
    kept = {each: said for each, said in slot.constraints.items() if each is word}
    return Slot(slot.type, slot.place, constraints=kept)
