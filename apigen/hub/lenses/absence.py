"""The value for unset if a field is optional on one side only: `absent:` of lenses and of hub.yaml."""

from __future__ import annotations

import json

from apigen.dataclass import dataclass
from apigen.hub.lenses.cases import fits, flag_cases, value_cases
from apigen.hub.lenses.request import LensRejected, LensRequest
from apigen.ir.expressions import (
    Both,
    Choice,
    Compared,
    Expression,
    IsNone,
    IsTrue,
    IsZero,
    Literal,
    Meets,
    Not,
    Test,
    Typed,
    Zero,
    negated,
)
from apigen.ir.model import Field, ListType, MapType, Scalar, ScalarType, StructType, Type, spell, underlying
from apigen.language.model import Condition, Items, LensCase, LensSpec, Located, Object


@dataclass(frozen=True, slots=True)
class Absent:
    """The value for `None` of the other side: `value`, or that of the first of `cases` whose condition is true for the
    version's object.

    `keep_zero`: the value does not turn into `None`; `keep_zero_cases` decide by conditions on the version's object.
    `on_both_sides`: a list or map that is optional on both sides and becomes empty in both directions. `type` is the
    type of the side with the value, `other` that of the side with `None`. With `cases`, both sides or neither may be
    optional (`is_alike`): a zero or unset value of the version then counts as unset.
    """

    value: None | bool | int | float | str
    type: Type
    none_in_hub: bool
    keep_zero: bool = False
    keep_zero_cases: tuple[LensCase, ...] = ()
    on_both_sides: bool = False
    other: Type | None = None
    cases: tuple[LensCase, ...] = ()
    is_alike: bool = False
    value_can_be_none: bool = False

    def expression(self, *, on_other_side: bool = False) -> Expression:
        """Return the value; for a list, map or struct, the empty one."""
        behind = underlying(self.other if on_other_side and self.other is not None else self.type)
        is_empty = isinstance(behind, StructType | ListType | MapType)
        return Zero(behind) if is_empty else Typed(self.value, behind)

    def fills(self, to_hub: bool) -> bool:
        """Return whether this direction replaces `None` with the value, not the value with `None`."""
        return self.on_both_sides or self.none_in_hub != to_hub

    def cases_of(self, to_hub: bool) -> tuple[LensCase, ...]:
        """The cases of a direction."""
        return tuple(case for case in self.cases if case.direction in (None, "to_hub" if to_hub else "from_hub"))

    @property
    def two_way_cases(self) -> tuple[LensCase, ...]:
        """The cases that apply in both directions."""
        return tuple(case for case in self.cases if case.direction is None)

    @property
    def is_one_way(self) -> bool:
        """Whether a case of one direction has a value where both sides can be unset, or neither: an unset parent of the
        field has no such value, because the other side could not restore the parent.
        """
        return self.is_alike and self.two_way_cases != self.cases

    def conditions(self) -> tuple[Condition, ...]:
        """Return the conditions on the version's object that is converted from the hub."""
        return tuple(case.when for case in self.cases_of(False) if case.when is not None)

    def keeps_all(self, to_hub: bool) -> bool:
        """Return whether no value is converted to `None`."""
        return bool(self.cases) and not self.cases_of(to_hub)

    def is_absent(self, value: Expression, field: Field) -> Test:
        """A test: a value of the side that may be absent is absent."""
        return IsZero(value, field) if self.is_alike else IsNone(value)

    def filling(self, root: str) -> Expression:
        """Return the value that replaces `None`; the variable `root` is the version's object."""
        if not self.cases:
            return self.expression()
        return value_cases(
            self.cases_of(not self.none_in_hub), root, self.type, Zero(self.type, self.value_can_be_none)
        )

    def filling_without_parents(self, root: str) -> Expression:
        """Return the value of a field whose optional parent is unset, if cases of one direction have values."""
        return value_cases(self.two_way_cases, root, self.type, Zero(self.type, self.value_can_be_none))

    def means_absence(self, value: Expression, root: str) -> Test:
        """Return the test that a value represents an unset one of the other side; the version's object is in `root`."""
        is_value: Test = Compared(value, "==", self.expression())
        if self.keep_zero_cases:
            return Both((is_value, negated(flag_cases(self.keep_zero_cases, root))))
        if not self.cases:
            return Not(IsTrue(value)) if isinstance(underlying(self.type), ListType | MapType) else is_value
        test: Test = Literal(False)
        for case in reversed(self.cases_of(self.none_in_hub)):
            assert isinstance(case.value, Located)
            is_value = Compared(value, "==", Typed(case.value.value, self.type))
            if case.when is None:
                test = is_value
            elif test == Literal(False):
                test = Both((Meets(root, case.when), is_value))
            else:
                test = Choice(Meets(root, case.when), is_value, test)
        return test

    def never_means_absence(self, value: Expression) -> Test:
        """A test: a value does not mean absence, whatever the conditions say."""
        cases = self.cases_of(self.none_in_hub)
        values = (Typed(case.value.value, self.type) for case in cases if isinstance(case.value, Located))
        return Both(tuple(Compared(value, "!=", each) for each in values))

    def text(self) -> str:
        """Return the value as it is written in specs."""
        if self.cases:
            values = (case.value.value for case in self.cases if isinstance(case.value, Located))
            return " or ".join(dict.fromkeys(json.dumps(value, ensure_ascii=False) for value in values))
        behind = underlying(self.type)
        if isinstance(behind, StructType):
            return "{}"
        return _empty(behind) if isinstance(behind, ListType | MapType) else json.dumps(self.value, ensure_ascii=False)


def bind_absent(request: LensRequest, field: Field, target: Field) -> Absent | None:
    """Return the rule for `None`; None if both sides agree. Raises LensRejected if no rule is declared."""
    spec = request.spec
    if isinstance(spec.absent, Items | Object):
        return _bind_empty(request, field, target, spec.absent)
    if isinstance(spec.absent, tuple):
        return _bind_cases(request, field, target, spec.absent)
    if field.can_be_none == target.can_be_none:
        if spec.absent is not None:
            can = "can" if field.can_be_none else "cannot"
            raise request.rejected(
                "AG0602", f"`absent` has no effect: {request.where} and the hub's field {can} be unset"
            )
        return None
    none_in_hub = target.can_be_none
    if spec.absent is not None:
        if spec.keep_zero is not None and not all(request.check_condition(c.when) for c in spec.keep_zero):
            raise LensRejected
        type_ = field.type if none_in_hub else target.type
        if not fits(spec.absent.value, type_):
            raise request.rejected(
                "AG0602", f"`absent: {spec.absent.value}` is not a valid {type_}", place=spec.absent.place
            )
        always, cases = _keep_zero(spec)
        if cases and not none_in_hub:
            raise request.rejected("AG0602", "cases of `keepZero` require a field that can be unset in the hub only")
        return Absent(spec.absent.value, type_, none_in_hub, always, cases)
    if not none_in_hub and isinstance(target.absent, Items | Object):
        return _bind_empty(request, field, target, target.absent)
    if not none_in_hub and isinstance(target.absent, Located):
        return Absent(target.absent.value, target.type, False, keep_zero=True)
    version = request.version.id.version
    optional, required = ("the hub", version) if none_in_hub else (version, "the hub")
    raise request.rejected(
        "AG0606",
        f"`{request.version.id.name}.{spell(request.path)}` is optional in {optional} but not in {required}, and no value for unset is declared",
        hint=_absent_hint(request, (field if none_in_hub else target).type),
    )


def _absent_hint(request: LensRequest, type_: Type) -> str:
    """Return the fix of a missing `absent:`, with the zero value of the type that cannot be unset."""
    spec, absent = request.spec, f"absent: {_zero(type_)}"
    if spec.words() - {"to"}:
        return f"add `{absent}` to the lens"
    lens = f"{{to: {spec.to}, {absent}}}" if spec.to is not None else f"{{{absent}}}"
    if spec.words() and spec is not request.field.hub:
        return f"write `{spell(request.path)}: {lens}` in `lenses:` of {request.version.id.version} `{request.version.id.name}`"
    return f"write `hub: {lens}` on the field in {request.field.place.file.rpartition('/')[2]}"


def _zero(type_: Type) -> str:
    """Return the zero value of a type as it is written in specs; of an enum, a placeholder."""
    match underlying(type_):
        case ListType() | MapType() as container:
            return _empty(container)
        case StructType():
            return "{}"
        case ScalarType(Scalar.STRING):
            return '""'
        case ScalarType(Scalar.BOOL):
            return "false"
        case ScalarType(scalar) if scalar is not Scalar.BYTES:
            return "0"
    return "VALUE"


def _bind_cases(request: LensRequest, field: Field, target: Field, cases: tuple[LensCase, ...]) -> Absent:
    """Return the rule for a list of cases; one of them must apply if the other side cannot have `None`."""
    known = request.report.error_count
    is_alike = field.can_be_none == target.can_be_none
    none_in_hub = target.can_be_none and not is_alike
    owner = field if none_in_hub else target
    if request.spec.keep_zero is not None:
        hint = "limit the cases to one direction with `direction:`"
        request.error("AG0603", "`keepZero` does not apply to cases of `absent`", hint=hint)
    for case in cases:
        request.check_condition(case.when)
        if not isinstance(case.value, Located) or not fits(case.value.value, owner.type):
            written = case.value.value if isinstance(case.value, Located) else "a list or map"
            request.error("AG0602", f"`absent: {written}` is not a valid {owner.type}", place=case.place)
    absent = Absent(None, owner.type, none_in_hub, cases=cases, is_alike=is_alike, value_can_be_none=owner.can_be_none)
    filling = absent.cases_of(not none_in_hub)
    if not filling or (not is_alike and filling[-1].when is not None):
        direction = "from_hub" if none_in_hub else "to_hub"
        request.error(
            "AG0606",
            f"no case of `absent` applies to {request.where} if all conditions are false (direction {direction})",
            hint="add a case without `when` at the end: `{value: VALUE}`",
        )
    if request.report.error_count > known:
        raise LensRejected
    return absent


def _bind_empty(request: LensRequest, field: Field, target: Field, written: Items | Object) -> Absent:
    """Return the rule for `absent: []` of a list or `absent: {}` of a map; if both sides can be unset, in both
    directions.
    """
    behind = underlying(target.type)
    type_classes: tuple[type, ...] = (ListType,) if isinstance(written, Items) else (MapType, StructType)
    members = written.items if isinstance(written, Items) else written.members
    if not isinstance(behind, type_classes) or members:
        hint = "write `absent: []` for a list, `absent: {}` for a map or struct, or a scalar"
        raise request.rejected("AG0602", f"`absent` is not a valid {target.type}", place=written.place, hint=hint)
    if not field.can_be_none and not target.can_be_none:
        raise request.rejected("AG0602", f"`absent` has no effect: {request.where} and the hub's field cannot be unset")
    on_both_sides = field.can_be_none and target.can_be_none
    always, cases = _keep_zero(request.spec)
    if cases or (always and on_both_sides):
        raise request.rejected(
            "AG0602", "`keepZero` of a list or map must be a boolean, for fields that cannot be unset here"
        )
    kept = always or on_both_sides or request.spec.absent is None
    if isinstance(behind, StructType) and on_both_sides:
        raise request.rejected(
            "AG0602", f"`absent: {{}}` requires a struct that cannot be unset on one side, but {field.type} can"
        )
    none_in_hub = target.can_be_none and not on_both_sides
    absent_type, other_type = (field.type, target.type) if none_in_hub else (target.type, field.type)
    return Absent(None, absent_type, none_in_hub, kept, on_both_sides=on_both_sides, other=other_type)


def _keep_zero(spec: LensSpec) -> tuple[bool, tuple[LensCase, ...]]:
    cases = spec.keep_zero or ()
    if len(cases) == 1 and cases[0].when is None and isinstance(cases[0].value, Located):
        return cases[0].value.value is True, ()
    return False, cases


def _empty(type_: ListType | MapType) -> str:
    return "[]" if isinstance(type_, ListType) else "{}"
