"""Which way a schema in a schema moves what is accepted."""

from __future__ import annotations

from dataclasses import dataclass

from apigen.compat.changes.change import Added, AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.slots import slot_at
from apigen.compat.surface.types import Branch, Slot

_ALTERNATIVES = frozenset({"anyOf", "oneOf", "enum"})
_LIMITS = frozenset({"allOf", "not", "propertyNames", "dependencies", "dependentRequired", "dependentSchemas", "items"})
_NOTHING = frozenset({"definitions"})


@dataclass(frozen=True, slots=True)
class BranchEffect:
    """Whether something may be refused that was accepted, and the reverse; `is_certain`: that is known for sure."""

    branch: Branch
    tightens: bool
    loosens: bool
    is_certain: bool


def branch_effect(change: AnyChange, context: Context) -> BranchEffect | None:
    """What a branch that came or went does; None for all else."""
    if change.element.kind is not ElementKind.BRANCH or not isinstance(change, Added | Removed):
        return None
    branch = change.part
    if not isinstance(branch, Branch):
        return None
    came = isinstance(change, Added)
    if branch.keyword in _NOTHING:
        return BranchEffect(branch, tightens=False, loosens=False, is_certain=True)
    if branch.keyword in _LIMITS:
        return BranchEffect(branch, tightens=came, loosens=not came, is_certain=True)
    if branch.keyword in _ALTERNATIVES:
        return _alternative(branch, came, slot_at(context.old, change.element), change.holder)
    return BranchEffect(branch, tightens=True, loosens=True, is_certain=False)


def _alternative(branch: Branch, came: bool, old: Slot | None, new: object) -> BranchEffect:
    """One more lets more through, unless it is the first: that one refuses all else."""
    before, after = _number(old, branch.keyword), _number(new, branch.keyword)
    if not before or not after:
        return BranchEffect(branch, tightens=not before, loosens=not after, is_certain=bool(before or after))
    return BranchEffect(branch, tightens=not came, loosens=came, is_certain=True)


def _number(slot: object, keyword: str) -> int:
    return sum(branch.keyword == keyword for branch in slot.branches) if isinstance(slot, Slot) else 0
