"""A field that has a home in the hub: of the same name, renamed, or moved; its value perhaps changed on the way."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.dataclass import dataclass
from apigen.hub.lenses.absence import Absent, Unfit, bind_absent
from apigen.hub.lenses.cases import flag_cases
from apigen.hub.lenses.request import Home, Lens, LensRequest, allow_words
from apigen.hub.lenses.value import ValueLens, bind_value_lenses, changes_type
from apigen.hub.steps import SOURCE, Assign, Loss, Parent, Side, Step, version_object
from apigen.ir.expressions import (
    Agree,
    Both,
    Call,
    Choice,
    Compared,
    Either,
    Expression,
    IsNone,
    IsTrue,
    IsZero,
    Literal,
    Not,
    Some,
    Test,
    Variable,
    are_there,
    at,
    converted,
    guards,
    unless_none,
)
from apigen.ir.field_paths import FieldPath, optional_parents, spell
from apigen.ir.reserved import HUB_VERSION
from apigen.ir.types import (
    EnumType,
    ListType,
    MapType,
    Scalar,
    StructType,
    Type,
    innermost_type,
    underlying,
)
from apigen.ir.value_conversions import (
    EachItem,
    EachValue,
    Narrowed,
    Same,
    ValueConversion,
    hub_type,
    innermost,
    narrows,
)
from apigen.language.model import LensSpec
from apigen.language.paths import Index, Name


@dataclass(frozen=True, slots=True)
class Move(Step):
    """One field of the version and one of the hub hold the same value."""

    version: FieldPath
    hub: FieldPath
    value: ValueConversion
    lenses: tuple[ValueLens, ...] = ()
    absent: Absent | None = None
    parent: Parent = Parent.WHEN_SET
    declared: bool = False

    def assignments(self, to_hub: bool) -> Iterable[Assign]:
        source, target = (self.version, self.hub) if to_hub else (self.hub, self.version)
        value = at(SOURCE, source)
        is_set = Not(IsZero(value, source[-1]))
        yield Assign(target, self._made(value, source, to_hub), is_set, optional_parents(source), self.parent)

    def _made(self, value: Expression, source: FieldPath, to_hub: bool) -> Expression:
        path = spell(source)
        there = self._changed(value, path, to_hub)
        there = converted(there, self.value, to_hub=to_hub, path=path, sharing=None)
        if self.absent is None:
            return unless_none(value, there) if source[-1].can_be_none else there
        absent = self.absent.expression()
        if self.absent.on_both_sides or self.absent.none_in_hub != to_hub:
            return Choice(IsNone(value), absent, there)
        if self.absent.keep_zero_cases:
            kept = flag_cases(self.absent.keep_zero_cases, version_object(to_hub))
            return Choice(Either((Compared(value, "!=", absent), kept)), there, Literal(None))
        if self.absent.keep_zero:
            return there
        is_container = isinstance(underlying(self.absent.type), ListType | MapType)
        return Choice(Not(IsTrue(value)) if is_container else Compared(value, "==", absent), Literal(None), there)

    def _changed(self, value: Expression, path: str, to_hub: bool) -> Expression:
        """What the value lenses make of a value that is there."""
        for lens in self.lenses if to_hub else reversed(self.lenses):
            value = lens.convert(value, to_hub, path)
        return value

    def losses(self) -> Iterable[Loss]:
        for side, path in self._sides():
            there = (*guards("obj", path), *(are_there("obj", path) if path[-1].can_be_none else ()))
            for lens in self.lenses:
                for loss in lens.losses(at("obj", path)):
                    if loss.side is side:
                        test = Both((*there, loss.test))
                        yield Loss(side, spell(path), loss.when, test, lens.describe(), loss.refuses, loss.becomes)
            yield from _narrowing(self.value, side, path, there)
        if self.absent is not None:
            for side, path in self._sides():
                if self.absent.on_both_sides or self.absent.none_in_hub == (side is Side.HUB):
                    changed = self._changed(at("obj", path), spell(path), side is Side.VERSION)
                    yield _absent_loss(self.absent, side, path, changed)

    def _sides(self) -> tuple[tuple[Side, FieldPath], ...]:
        return (Side.VERSION, self.version), (Side.HUB, self.hub)

    def hub_places(self) -> Iterable[str]:
        yield spell(self.hub)

    def home(self) -> str | None:
        return spell(self.version)

    def describe(self) -> str | None:
        if not self.declared:
            return None
        parts = [lens.describe() for lens in self.lenses]
        if self.absent is not None:
            parts.append(f"absent is {self.absent.shown()}")
        arrow = (
            f"{spell(self.version)} is {spell(self.hub)} in the hub"
            if spell(self.version) != spell(self.hub)
            else spell(self.version)
        )
        return f"{arrow} ({', '.join(parts)})" if parts else arrow


class MoveLens(Lens):
    """`newName`, `a.b.c`, and every value lens on a field that keeps its place."""

    name = "move"

    def matches(self, spec: LensSpec) -> bool:
        return spec.to is None or (bool(spec.to.steps) and not any(isinstance(s, Index) for s in spec.to.steps))

    def homes(self, request: LensRequest) -> Iterable[Home]:
        to = request.spec.to
        names = tuple(s.name for s in to.steps if isinstance(s, Name)) if to else (request.field.json_name,)
        if to is None or len(names) == len(to.steps):
            yield Home(names, request.hub_type(request.field.type), request.field.presence, request.field)

    def bind(self, request: LensRequest) -> Iterable[Step]:
        allowed = ("to", "parent", "enum", "scale", "seconds", "out_of_range", "format", "absent", "keep_zero", "clamp")
        if not allow_words(request, "a rename or move", *allowed):
            return ()
        hub = request.hub_path(request.spec.to)
        if hub is None:
            return ()
        lenses = bind_value_lenses(request, underlying(hub[-1].type))
        parent = bind_parent(request)
        if lenses is None or parent is None:
            return ()
        return bind_move(request, hub, lenses, parent)


def bind_parent(request: LensRequest) -> Parent | None:
    """The word `parent:`; an error and None where it is another one."""
    word = request.spec.parent
    if word is None:
        return Parent.WHEN_SET
    try:
        return Parent(word.value)
    except ValueError:
        request.error("AG0603", f"`parent: {word.value}`?", place=word.place, hint="say whenSet or always")
        return None


def bind_move(
    request: LensRequest, hub: FieldPath, lenses: tuple[ValueLens, ...], parent: Parent, declared: bool = True
) -> tuple[Step, ...]:
    """The step for a field and its hub field, when their types and their absence fit."""
    field, target = request.field, hub[-1]
    value: ValueConversion | None = Same()
    if not changes_type(request.spec):
        value = request.conversion(field.type, target.type)
    if value is None:
        place = field.place if not declared else request.spec.place
        own, other, hint = _different_types(request, field.type, target.type)
        message = f"{request.where} is {own}, and {spell(hub)} in the hub is {other}: no checked conversion joins them"
        request.report.error("AG0604", place, message, hint=hint)
        return ()
    absent = bind_absent(request, field, target)
    if isinstance(absent, Unfit):
        return ()
    return (Move(request.path, hub, value, lenses, absent, parent, declared),)


def _different_types(request: LensRequest, own: Type, other: Type) -> tuple[str, str, str]:
    """How two types that do not convert are called, with their groups if their names are equal, and the fix."""
    hint = "rename the one in this version with `hub:`, or join them with a lens"
    left, right = innermost_type(own), innermost_type(other)
    if not isinstance(left, StructType | EnumType) or not isinstance(right, StructType | EnumType):
        return str(own), str(other), hint
    is_other_group = right.id.group != left.id.group
    if (is_other_group or right.id.version == HUB_VERSION) and hub_type(own, {left.id: right.id}) == other:
        name = f"{right.id.group}/hub.{right.id.name}" if is_other_group else right.id.name
        hint = f"if both are the same type, write `hub: {name}` on the type {left}; if not, {hint}"
    if left.id.name != right.id.name:
        return str(own), str(other), hint
    return str(own).replace(str(left), str(left.id)), str(other).replace(str(right), str(right.id)), hint


def _absent_loss(absent: Absent, side: Side, path: FieldPath, changed: Expression) -> Loss:
    """The loss of absence, or of the value that stands for it; `changed` is what value lenses make of the value."""
    value, shown = at("obj", path), absent.shown()
    is_value: Test = Compared(value, "==", absent.expression(on_other_side=True))
    verb = "is"
    if changed != value:
        is_value, verb = Both((Not(IsNone(value)), Compared(changed, "==", absent.expression()))), "is converted to"
    test: Test
    if absent.keep_zero_cases:
        kept = flag_cases(absent.keep_zero_cases, "other")
        test = Both((Either((IsNone(value), is_value)), Agree(IsNone(value), kept)))
        when, becomes = f"it is absent or {shown}, of which the version can express only one", "the other one"
    elif absent.keep_zero:
        test, when, becomes = IsNone(value), "it is absent", shown
    else:
        test, when, becomes = is_value, f"it {verb} {shown}", "absent"
    return Loss(side, spell(path), when, Both((*guards("obj", path), test)), f"absent: {shown}", becomes=becomes)


def _any_element(value: ValueConversion, expression: Expression, number: Scalar, depth: int = 0) -> Test:
    """A test: a number, or one in a list or map, does not fit a type."""
    item = "item" if depth == 0 else f"item{depth + 1}"
    match value:
        case EachItem(inner):
            return Some(expression, item, _any_element(inner, Variable(item), number, depth + 1))
        case EachValue(inner):
            return Some(expression, item, _any_element(inner, Variable(item), number, depth + 1), in_map=True)
    return Not(IsTrue(Call("fits", (expression, Literal(number.value)))))


def _narrowing(value: ValueConversion, side: Side, path: FieldPath, there: tuple[Test, ...]) -> Iterable[Loss]:
    number = innermost(value)
    if not isinstance(number, Narrowed):
        return
    from_, to = (number.version, number.hub) if side is Side.VERSION else (number.hub, number.version)
    if narrows(from_, to):
        test = Both((*there, _any_element(value, at("obj", path), to)))
        yield Loss(side, spell(path), f"it does not fit `{to}`", test, f"checked {to}", True)
