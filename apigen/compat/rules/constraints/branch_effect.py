"""Which way a schema in a schema moves what is accepted."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.rules.types.acceptance import accepts
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.slots import slot_at
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Branch, Named, Scalar, Scalars, Slot, Struct
from apigen.dataclass import dataclass, replace

_OVERLAPPING = "oneOf (may overlap)"
_ALTERNATIVES = frozenset({"anyOf", "oneOf", _OVERLAPPING, "enum"})
_LIMITS = frozenset(
    {
        *("allOf", "not", "if", "contains", "propertyNames", "dependencies", "dependentRequired", "dependentSchemas"),
        *("keys", "values"),
    }
)
_MEMBERS = frozenset({"patternProperties", "additionalProperties"})
_NOTHING = frozenset({"definitions"})


@dataclass(frozen=True, slots=True)
class BranchEffect:
    """Whether something may be refused that was accepted, and the reverse; `is_certain`: that is known for sure.

    `doubt` is on what it hangs, where that is known.
    """

    branch: Branch
    tightens: bool
    loosens: bool
    is_certain: bool
    doubt: str = ""

    @property
    def reason(self) -> str:
        """The doubt as the end of a sentence."""
        return f", as {self.doubt}" if self.doubt else ""


def branch_effect(change: AnyChange, context: Context) -> BranchEffect | None:
    """What a branch that came or went does; None for all else. What the schemas as wholes accept counts more than how they are written."""
    found = _as_written(change, context)
    if found is None or not context.new.schemas or not (found.tightens or found.loosens):
        return found
    step = context.whole_schemas.step(change.element, of_holder=False)
    if step is None:
        return found
    if step.keeps is not step.adds_nothing:
        agrees = found.is_certain and found.tightens is not step.keeps
        found = BranchEffect(found.branch, tightens=not step.keeps, loosens=step.keeps, is_certain=agrees)
    doubt = (step.may_keep if found.tightens else "") or (step.may_add_nothing if found.loosens else "")
    return replace(found, is_certain=False, doubt=doubt) if doubt and not (step.keeps and step.adds_nothing) else found


def _as_written(change: AnyChange, context: Context) -> BranchEffect | None:
    if change.element.kind is not ElementKind.BRANCH or not isinstance(change, Added | Removed):
        return None
    branch = change.part
    if not isinstance(branch, Branch):
        return None
    came = isinstance(change, Added)
    if branch.keyword in _NOTHING:
        return BranchEffect(branch, tightens=False, loosens=False, is_certain=True)
    if branch.keyword in _MEMBERS and _says_nothing(branch.slot):
        is_felt = not _keeps_all(context.old if came else context.new, change, branch)
        return BranchEffect(branch, tightens=not came and is_felt, loosens=came and is_felt, is_certain=True)
    if _is_limit(branch, change, context):
        return BranchEffect(branch, tightens=came, loosens=not came, is_certain=True)
    if branch.keyword in _ALTERNATIVES:
        path = change.element.path.removesuffix(f"({branch.keyword}[{branch.label}])")
        return _alternative(branch, came, slot_at(context.old, replace(change.element, path=path)), change.holder)
    return BranchEffect(branch, tightens=True, loosens=True, is_certain=False)


def _is_limit(branch: Branch, change: Added | Removed, context: Context) -> bool:
    """Whether it only adds to what has to hold. One member or item in a tuple also takes away from what is said of the others."""
    if branch.keyword in _LIMITS or (branch.keyword == "items" and not branch.label):
        return True
    return branch.keyword in _MEMBERS and all(_keeps_all(side, change, branch) for side in (context.old, context.new))


def _says_nothing(slot: Slot) -> bool:
    """Whether it takes any value, so that all it does is to take members away from what is said of the others."""
    is_any = slot.type == Scalar(Scalars.ANYTHING) and slot.nullable
    return is_any and not (slot.constraints or slot.branches or slot.rules)


def _keeps_all(side: Surface, change: Added | Removed, branch: Branch) -> bool:
    """Whether an object takes all members that nothing is said of, but for this branch."""
    slot = slot_at(side, change.element)
    struct = side.type(slot.type.name) if slot is not None and isinstance(slot.type, Named) else None
    if slot is None or not isinstance(struct, Struct) or not struct.unknown.keeps:
        return False
    others = (each for each in slot.branches if (each.keyword, each.label) != (branch.keyword, branch.label))
    return not any(each.keyword in _MEMBERS or each.keyword.startswith("unevaluated") for each in others)


def _alternative(branch: Branch, came: bool, old: Slot | None, new: object) -> BranchEffect:
    """One more lets more through, unless it is the first: that one refuses all else. Where a value must not match two, both."""
    others = _number(old if came else new, branch.keyword)
    if not others:
        with_it, without = (new, old) if came else (old, new)
        changes_nothing = branch.keyword != _OVERLAPPING and _is_covered(without, with_it, branch.keyword)
        is_felt = not changes_nothing
        return BranchEffect(branch, tightens=came and is_felt, loosens=not came and is_felt, is_certain=True)
    if branch.keyword == _OVERLAPPING:
        return BranchEffect(branch, tightens=True, loosens=True, is_certain=False)
    return BranchEffect(branch, tightens=not came, loosens=came, is_certain=True)


def _is_covered(slot: object, other: object, keyword: str) -> bool:
    """Whether one of the other's alternatives surely takes all that a slot takes; what tells them apart leaves it the only one."""
    if not isinstance(slot, Slot) or not isinstance(other, Slot):
        return False
    return any(each.keyword == keyword and _takes_all(each.slot, slot) for each in other.branches)


def _takes_all(wide: Slot, slot: Slot) -> bool:
    """Whether it surely does; an alternative whose inside is not compared is anything, which says nothing of it."""
    if not isinstance(wide.type, Scalar) or wide.type.name is Scalars.ANYTHING:
        return False
    is_free = not (wide.rules or wide.branches or set(wide.constraints) - set(slot.constraints))
    same = all(slot.constraints.get(keyword) == limit for keyword, limit in wide.constraints.items())
    has_null = wide.nullable or not slot.nullable
    return is_free and same and has_null and accepts(wide.type, slot.type)


def _number(slot: object, keyword: str) -> int:
    return sum(branch.keyword == keyword for branch in slot.branches) if isinstance(slot, Slot) else 0
