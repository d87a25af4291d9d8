"""What absence means where one side has it and the other has not: the word `absent:`, of lenses and of hub.yaml."""

from __future__ import annotations

import json
from enum import Enum

from apigen.dataclass import dataclass
from apigen.hub.lenses.cases import fits
from apigen.hub.lenses.request import LensRequest
from apigen.ir.expressions import Expression, Typed, Zero
from apigen.ir.model import Field
from apigen.ir.types import (
    ListType,
    MapType,
    StructType,
    Type,
    underlying,
)
from apigen.language.model import Items, LensCase, LensSpec, Located, Object


@dataclass(frozen=True, slots=True)
class Absent:
    """`None` on one side is `value` on the other.

    `keep_zero`: the value does not turn into `None`; `keep_zero_cases` decide by conditions on the version's object.
    `on_both_sides`: a list or map that may be `None` on both, and becomes empty whichever way it goes. `type` is that of
    the side that has the value, `other` that of the side that has `None`.
    """

    value: None | bool | int | float | str
    type: Type
    none_in_hub: bool
    keep_zero: bool = False
    keep_zero_cases: tuple[LensCase, ...] = ()
    on_both_sides: bool = False
    other: Type | None = None

    def expression(self, *, on_other_side: bool = False) -> Expression:
        """The value; that of a list, map or struct is always the empty one."""
        behind = underlying(self.other if on_other_side and self.other is not None else self.type)
        is_empty = isinstance(behind, StructType | ListType | MapType)
        return Zero(behind) if is_empty else Typed(self.value, behind)

    def shown(self) -> str:
        """The value as people write it."""
        behind = underlying(self.type)
        if isinstance(behind, StructType):
            return "{}"
        return _empty(behind) if isinstance(behind, ListType | MapType) else json.dumps(self.value, ensure_ascii=False)


class Unfit(Enum):
    """The answer of a check that has reported why."""

    UNFIT = 0


def bind_absent(request: LensRequest, field: Field, target: Field) -> Absent | None | Unfit:
    """The rule for `None`; None where both sides agree, UNFIT where nothing says what it means."""
    spec = request.spec
    if isinstance(spec.absent, Items | Object):
        return _bind_empty(request, field, target, spec.absent)
    if field.can_be_none == target.can_be_none:
        if spec.absent is not None:
            both = "can" if field.can_be_none else "cannot"
            request.error("AG0602", f"`absent` does nothing: {request.where} and the hub's field both {both} be absent")
            return Unfit.UNFIT
        return None
    none_in_hub = target.can_be_none
    if spec.absent is not None:
        if spec.keep_zero is not None and not all(request.check_condition(c.when) for c in spec.keep_zero):
            return Unfit.UNFIT
        type_ = field.type if none_in_hub else target.type
        if not fits(spec.absent.value, type_):
            request.error("AG0602", f"`absent: {spec.absent.value}` is no {type_}", place=spec.absent.place)
            return Unfit.UNFIT
        always, cases = _keep_zero(spec)
        if cases and not none_in_hub:
            request.error("AG0602", "cases of `keepZero` are for fields that can be absent in the hub only")
            return Unfit.UNFIT
        return Absent(spec.absent.value, type_, none_in_hub, always, cases)
    if not none_in_hub and isinstance(target.absent, Items | Object):
        return _bind_empty(request, field, target, target.absent)
    if not none_in_hub and isinstance(target.absent, Located):
        return Absent(target.absent.value, target.type, False, keep_zero=True)
    where = "in the hub" if none_in_hub else "in this version"
    other = "in this version" if none_in_hub else "in the hub"
    request.report.error(
        "AG0606",
        spec.place,
        f"{request.where} can be absent {where} and not {other}: nothing says what absence means there",
        hint="say `hub: {absent: VALUE}` on the field"
        + ("" if none_in_hub else ", or `absent:` on the field in hub.yaml"),
    )
    return Unfit.UNFIT


def _bind_empty(request: LensRequest, field: Field, target: Field, written: Items | Object) -> Absent | Unfit:
    """`absent: []` of a list, `absent: {}` of a map; where both sides can be absent, it holds both ways."""
    behind = underlying(target.type)
    wanted: tuple[type, ...] = (ListType,) if isinstance(written, Items) else (MapType, StructType)
    members = written.items if isinstance(written, Items) else written.members
    if not isinstance(behind, wanted) or members:
        hint = "say `absent: []` of a list, `absent: {}` of a map or struct, or a plain value"
        request.error("AG0602", f"`absent` is no {target.type}", place=written.place, hint=hint)
        return Unfit.UNFIT
    if not field.can_be_none and not target.can_be_none:
        request.error("AG0602", f"`absent` does nothing: {request.where} and the hub's field both cannot be absent")
        return Unfit.UNFIT
    both = field.can_be_none and target.can_be_none
    always, cases = _keep_zero(request.spec)
    if cases or (always and both):
        request.error("AG0602", "`keepZero` of a list or map is a plain flag, for fields that cannot be absent here")
        return Unfit.UNFIT
    kept = always or both or request.spec.absent is None
    if isinstance(behind, StructType) and both:
        request.error(
            "AG0602", f"`absent: {{}}` is for a struct that cannot be absent on one side, and {field.type} can"
        )
        return Unfit.UNFIT
    none_in_hub = target.can_be_none and not both
    there, other = (field.type, target.type) if none_in_hub else (target.type, field.type)
    return Absent(None, there, none_in_hub, kept, on_both_sides=both, other=other)


def _keep_zero(spec: LensSpec) -> tuple[bool, tuple[LensCase, ...]]:
    cases = spec.keep_zero or ()
    if len(cases) == 1 and cases[0].when is None and isinstance(cases[0].value, Located):
        return cases[0].value.value is True, ()
    return False, cases


def _empty(type_: ListType | MapType) -> str:
    return "[]" if isinstance(type_, ListType) else "{}"
