"""A field with a counterpart in the hub: of the same name, renamed, or moved, possibly with a converted value."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.dataclass import dataclass
from apigen.hub.candidates import BETWEEN_TYPES, Pair
from apigen.hub.holding import if_another_type, is_another_type
from apigen.hub.lenses.absence import Absent, bind_absent
from apigen.hub.lenses.request import HubField, Lens, LensRequest, hub_only_fix
from apigen.hub.lenses.value import ValueLens, bind_value_lenses, changes_type
from apigen.hub.steps import SOURCE, TARGET, Assign, Loss, OfField, Parent, Side, version_object
from apigen.ir.expressions import (
    Agree,
    Both,
    Call,
    Choice,
    Compared,
    Converted,
    EachItem,
    EachValue,
    Either,
    Expression,
    IsNone,
    IsTrue,
    IsZero,
    Literal,
    Narrowed,
    Not,
    Same,
    Set,
    Sharing,
    Some,
    Statement,
    Test,
    ValueConversion,
    Variable,
    When,
    Zero,
    are_set,
    at,
    converted,
    guards,
    hub_type,
    innermost,
    narrows,
    negated,
    unless_none,
)
from apigen.ir.model import (
    EnumType,
    Field,
    FieldPath,
    ListType,
    MapType,
    Scalar,
    ScalarType,
    StructType,
    Type,
    TypeId,
    WellKnown,
    WellKnownType,
    innermost_type,
    is_text,
    json_names,
    optional_parents,
    spell,
    underlying,
)
from apigen.ir.names import HUB_VERSION
from apigen.language.model import Condition, Name


@dataclass(frozen=True, slots=True)
class Move(OfField):
    """One field of the version and one of the hub hold the same value."""

    hub: FieldPath
    value: ValueConversion
    lenses: tuple[ValueLens, ...] = ()
    absent: Absent | None = None
    parent: Parent = Parent.WHEN_SET
    declared: bool = False
    empty_is_absent: bool = False
    """An empty list or map becomes an absent one, in both directions: it does not build optional parents either."""
    sole_builder_on: frozenset[Side] = frozenset()
    """The sides on which no other field builds the optional parents of this one's field."""

    def assignments(self, to_hub: bool) -> Iterable[Assign]:
        source, target = self._ends(to_hub)
        result, is_set = self._converted_value(at(SOURCE, source), source, to_hub), self.builds_parents(SOURCE, to_hub)
        yield Assign(target, result, is_set, optional_parents(source), self.parent)

    def statements(self, to_hub: bool) -> Iterable[Statement]:
        """Yield the statements that set a field whose optional parent is unset, or unset it; conditions on the target
        follow its values.
        """
        absent, (source, target) = self.absent, self._ends(to_hub)
        if absent is None or absent.on_both_sides:
            return
        if absent.fills(to_hub):
            for tests, filling in self._fillings(absent, to_hub):
                yield When((*tests, *guards(TARGET, target)), (Set(at(TARGET, target), filling),))
        elif self._is_late(to_hub):
            is_value = absent.means_absence(at(SOURCE, source), version_object(to_hub))
            yield When(
                (*guards(SOURCE, source), *guards(TARGET, target), is_value),
                (Set(at(TARGET, target), _unset_value(target[-1])),),
            )

    def _fillings(self, absent: Absent, to_hub: bool) -> Iterable[tuple[tuple[Test, ...], Expression]]:
        """The values that replace an unset one after all fields have theirs, each with its tests."""
        source, target = self._ends(to_hub)
        root, parents_absent = version_object(to_hub), _parents_absent(SOURCE, source)
        is_after = self._is_late(to_hub) or optional_parents(target)
        unset = (absent.is_absent(at(SOURCE, source), source[-1]),) if is_after else ()
        if not absent.is_one_way or not parents_absent:
            if parents_absent or unset:
                yield (Either((*parents_absent, *unset)),), absent.filling(root)
            return
        if absent.two_way_cases:
            yield (Either(parents_absent),), absent.filling_without_parents(root)
        if unset:
            yield (*guards(SOURCE, source), *unset), absent.filling(root)

    def conditions(self) -> Iterable[Condition]:
        return () if self.absent is None else self.absent.conditions()

    def changes(self, to_hub: bool) -> Iterable[tuple[str, ...]]:
        if self._is_late(to_hub):
            yield json_names(self.version)

    def _is_late(self, to_hub: bool) -> bool:
        """Return whether the value depends on a condition on the target."""
        return not to_hub and any(self.conditions())

    def _ends(self, to_hub: bool) -> tuple[FieldPath, FieldPath]:
        """The source and the target of a direction."""
        return (self.version, self.hub) if to_hub else (self.hub, self.version)

    def builds_parents(self, root: str, to_hub: bool) -> Test:
        """Return the test that the field of `root` creates optional parents of the other field: it is set and
        not zero.
        """
        (source, _), absent = self._ends(to_hub), self.absent
        value = at(root, source)
        is_set = Not(IsZero(value, source[-1]))
        if self.empty_is_absent:
            return IsTrue(value)
        if absent is None or absent.fills(to_hub) or absent.keeps_all(to_hub):
            return is_set
        is_value = (
            absent.never_means_absence(value) if self._is_late(to_hub) else negated(absent.means_absence(value, root))
        )
        return Both((is_set, is_value)) if absent.is_alike else is_value

    def is_lost_with_parents(self, side: Side) -> Test:
        """A test: optional parents of the field on `side` are not restored for its value."""
        own_path, other_path = self._ends(side is Side.VERSION)
        zero = "" if is_text(other_path[-1].type) else 0
        is_always_set = self.absent is None and not own_path[-1].can_be_none and not optional_parents(other_path)
        if is_always_set and not self._can_become(zero, side is Side.VERSION):
            return Literal(False)
        if not self.lenses and (self.absent is None or self.absent.on_both_sides):
            return IsZero(at("obj", own_path), own_path[-1])
        return Either((*_parents_absent("other", other_path), negated(self.builds_parents("other", side is Side.HUB))))

    def hub_value(self, value: Expression) -> Expression:
        """Return the hub's value for a value of the version, in the conversion from the hub."""
        return self._converted_value(value, self.version, True, reverse=True)

    def _converted_value(
        self, value: Expression, source: FieldPath, to_hub: bool, *, reverse: bool = False
    ) -> Expression:
        path = spell(source)
        result = self._changed(value, path, to_hub)
        sharing = Sharing.ALL if reverse else None
        result = converted(result, self.value, to_hub=to_hub, path=path, sharing=sharing, reverse=reverse)
        if self.empty_is_absent:
            return Choice(Not(IsTrue(value)), Literal(None), result)
        absent, target, is_late = self.absent, self._ends(to_hub)[1][-1], self._is_late(to_hub)
        if absent is not None and absent.fills(to_hub):
            filling = _unset_value(target) if is_late else absent.filling(version_object(to_hub))
            return Choice(absent.is_absent(value, source[-1]), filling, result)
        if source[-1].can_be_none:
            result = unless_none(value, result)
        if absent is None or is_late or absent.keep_zero or absent.keeps_all(to_hub):
            return result
        return Choice(absent.means_absence(value, version_object(to_hub)), _unset_value(target), result)

    def _changed(self, value: Expression, path: str, to_hub: bool) -> Expression:
        """Return a value that is set after the value lenses."""
        for lens in self.lenses if to_hub else reversed(self.lenses):
            value = lens.convert(value, to_hub, path)
        return value

    def _converts(self, lens: ValueLens, side: Side) -> Iterable[Test]:
        """Tests that a lens, which does not keep a zero value, converts the value of a side: it may mean absence, or not create
        the optional parents of the other field.
        """
        to_hub = side is Side.VERSION
        own_path, other_path = self._ends(to_hub)
        if lens.keeps_zero(to_hub):
            return
        if self.absent is not None and not (self.absent.cases or self.absent.fills(to_hub) or self.absent.keep_zero):
            yield negated(self.absent.means_absence(at("obj", own_path), "obj"))
        yield from guards("other", other_path)

    def _can_become(self, result: object, to_hub: bool) -> bool:
        """Return whether the value lenses may convert some value to `result`."""
        lenses = self.lenses if to_hub else tuple(reversed(self.lenses))
        return not lenses or lenses[-1].can_become(result, to_hub)

    def losses(self) -> Iterable[Loss]:
        for side, path in self._sides():
            tests = (*guards("obj", path), *(are_set("obj", path) if path[-1].can_be_none else ()))
            for lens in self.lenses:
                for loss in lens.losses(at("obj", path)):
                    if loss.side is side:
                        test = Both((*tests, *self._converts(lens, side), loss.test))
                        yield Loss(side, spell(path), loss.when, test, lens.describe(), loss.rejects, loss.becomes)
            yield from narrowing(self.value, side, path, tests)
            if self.empty_is_absent:
                is_empty = Both((*tests, Not(IsTrue(at("obj", path)))))
                yield Loss(side, spell(path), "it is empty", is_empty, "empty: absent", becomes="absent")
        if self.absent is not None:
            for side, path in self._sides():
                if self.absent.cases or (self.absent.keep_zero_cases and side is Side.HUB):
                    yield from self._losses_by_case(self.absent, side)
                elif self.absent.fills(side is Side.VERSION) and not self._keeps_absence(self.absent, side):
                    yield from self._absent_losses(self.absent, side, path)

    def _absent_losses(self, absent: Absent, side: Side, path: FieldPath) -> Iterable[Loss]:
        """Yield the loss of absence, or of the values that represent it, if there are some."""
        if not absent.keep_zero and not self._can_become(absent.value, side is Side.VERSION):
            return
        value, other_path = at("obj", path), self._ends(side is Side.VERSION)[1]
        changed = self._changed(value, spell(path), side is Side.VERSION)
        test: Test
        if absent.keep_zero:  # an unset parent of the other field preserves absence
            test, when, becomes = Both((IsNone(value), *guards("other", other_path))), "it is absent", absent.text()
        else:
            verb, becomes = "is converted to", "absent"
            if isinstance(self.value, Converted):  # a struct that is not zero may be converted to one that is
                is_zero: Test = Compared(at("other", other_path), "==", absent.expression())
                test = Both((Not(IsNone(value)), Either((*_parents_absent("other", other_path), is_zero))))
            elif changed != value:
                test = Both((Not(IsNone(value)), Compared(changed, "==", absent.expression())))
            else:
                test, verb = Compared(value, "==", absent.expression(on_other_side=True)), "is"
            when = f"it {verb} {absent.text()}"
        test = Both((*guards("obj", path), test))
        yield Loss(side, spell(path), when, test, f"absent: {absent.text()}", becomes=becomes)

    def _keeps_absence(self, absent: Absent, side: Side) -> bool:
        """Return whether an absent field of a side leaves the parents of the other field unset, from which it is absent again."""
        other = Side.HUB if side is Side.VERSION else Side.VERSION
        return absent.keep_zero and other in self.sole_builder_on

    def _losses_by_case(self, absent: Absent, side: Side) -> Iterable[Loss]:
        """The losses of absence and of values that mean it, if conditions on the version's object decide."""
        to_hub, root = side is Side.VERSION, "back" if side is Side.VERSION else "other"
        own_path, other_path = self._ends(to_hub)
        value, other_value = at("obj", own_path), at("other", other_path)
        above = _parents_absent("other", other_path)
        if not absent.fills(to_hub):
            is_unset, differs = absent.is_absent(other_value, other_path[-1]), Compared(
                value, "!=", absent.filling(root)
            )
            tests: tuple[Test, ...] = (Either((*above, is_unset)), differs)
            if absent.is_one_way and above:
                without = Compared(value, "!=", absent.filling_without_parents(root))
                parent_absent = Both((Either(above), without))
                tests = (Either((parent_absent, Both((*guards("other", other_path), is_unset, differs)))),)
            test: Test = Both((*guards("obj", own_path), *tests))
            is_unbuilt = not to_hub and any(absent.conditions()) and optional_parents(other_path)
            if absent.is_alike or absent.cases_of(True) != absent.cases_of(False) or is_unbuilt:
                when = "it is converted to an absent field that means another value"
                yield Loss(side, spell(own_path), when, test, "absent", becomes=absent.text())
            return
        become_absent = (
            *above,
            *((IsZero(other_value, other_path[-1]),) if absent.is_alike else ()),
            *(() if absent.keeps_all(not to_hub) else (absent.means_absence(other_value, root),)),
        )
        changes: Test = absent.is_absent(value, own_path[-1])
        if become_absent:
            changes = Not(Agree(changes, Either(become_absent)))
        test = Both((*guards("obj", own_path), changes))
        if optional_parents(own_path):
            builds = (*guards("other", other_path), self.builds_parents("other", not to_hub))
            test = Either((Both((Either(_parents_absent("obj", own_path)), *builds)), test))
        when, becomes = "it is absent", absent.text()
        if not absent.keeps_all(not to_hub):
            other_side = "hub" if to_hub else "version"
            when = f"it is absent or {absent.text()}, of which the {other_side} can express only one"
            becomes = "the other one"
        yield Loss(side, spell(own_path), when, test, f"absent: {absent.text()}", becomes=becomes)

    def _sides(self) -> tuple[tuple[Side, FieldPath], ...]:
        return (Side.VERSION, self.version), (Side.HUB, self.hub)

    def hub_places(self) -> Iterable[str]:
        yield spell(self.hub)

    def describe(self) -> str | None:
        if not self.declared:
            return None
        parts = [lens.describe() for lens in self.lenses]
        if self.empty_is_absent:
            parts.append("an empty one becomes absent")
        if self.absent is not None:
            parts.append(f"absent is {self.absent.text()}")
        arrow = (
            f"{spell(self.version)} is {spell(self.hub)} in the hub"
            if spell(self.version) != spell(self.hub)
            else spell(self.version)
        )
        return f"{arrow} ({', '.join(parts)})" if parts else arrow


def hub_field(request: LensRequest) -> Iterable[HubField]:
    """Yield the hub field that a rename or move maps to, unless it is in a list or map."""
    to = request.spec.to
    names = tuple(s.name for s in to.steps if isinstance(s, Name)) if to else (request.field.json_name,)
    if to is None or len(names) == len(to.steps):
        yield HubField(names, request.hub_type(request.field.type), request.field.presence, request.field)


MOVE_OPTIONS = (
    "to",
    "parent",
    "enum",
    "scale",
    "seconds",
    "out_of_range",
    "part",
    "version",
    "format",
    "absent",
    "keep_zero",
    "empty",
    "clamp",
)


def bind_declared(request: LensRequest) -> Move:
    """Return the step that the options of a rename or move declare."""
    hub = request.hub_path(request.spec.to)
    return bind_move(request, hub, bind_value_lenses(request, underlying(hub[-1].type)), request.parent)


MOVE = Lens("a rename or move", (*MOVE_OPTIONS, "preserve"), lambda request, _: (bind_declared(request),), hub_field)
"""`newName`, `a.b.c`, and every value lens on a field that keeps its place: the lens of all other declarations."""


def bind_move(
    request: LensRequest, hub: FieldPath, lenses: tuple[ValueLens, ...], parent: Parent, declared: bool = True
) -> Move:
    """Return the step for a field and its hub field. Raises LensRejected if types or presence are not compatible."""
    field, target = request.field, hub[-1]
    value: ValueConversion | None = Same()
    if not changes_type(request.spec):
        value = request.conversion(field.type, target.type)
    if value is None:
        place = field.place if not declared else request.spec.place
        own, other, hint = _different_types(request, field.type, target.type)
        if is_another_type(request.version.id, request.hub_of, request.types):
            hint = if_another_type(request.version.id, hint)
        message = f"{request.where} is {own}, but `{spell(hub)}` of the hub is {other}; the conversion between these types must be declared"
        raise request.rejected("AG0604", message, place=place, hint=hint)
    absent, empty = bind_absent(request, field, target), _bind_empty(request, target)
    return Move(request.path, hub, value, lenses, absent, parent, declared, empty)


def _bind_empty(request: LensRequest, target: Field) -> bool:
    """Return whether `empty: absent` is declared."""
    word = request.spec.empty
    if word is None:
        return False
    if word.value != "absent":
        raise request.rejected(
            "AG0603", f"`empty: {word.value}` is for annotations", place=word.place, hint="write `empty: absent`"
        )
    ends = (request.field, target)
    if not all(isinstance(underlying(end.type), ListType | MapType) and end.can_be_none for end in ends):
        message = (
            f"`empty: absent` applies to lists and maps that can be unset on both sides, but {request.where} cannot"
        )
        hint = "add `omitEmpty: true` to both fields, or write `absent: []` of a list, `absent: {}` of a map"
        raise request.rejected("AG0602", message, place=word.place, hint=hint)
    if request.spec.absent is not None:
        raise request.rejected(
            "AG0603", "`empty` and `absent` contradict each other", place=word.place, hint="remove one of them"
        )
    return True


def _unset_value(field: Field) -> Expression:
    """The value of a field that is absent."""
    return Literal(None) if field.can_be_none else Zero(field.type)


def _parents_absent(root: str, path: FieldPath) -> tuple[Test, ...]:
    """Tests: an optional parent of a place is absent, from the outermost on."""
    return tuple(IsNone(at(root, parent)) for parent in optional_parents(path))


def _shared_hub_type(request: LensRequest, type_: TypeId) -> str | None:
    """The name of a struct's hub type if a struct of another version has it, too."""
    own = request.hub_of.get(type_)
    others = (id_ for id_, hub in request.hub_of.items() if hub == own and id_.version != type_.version)
    return None if own is None or next(others, None) is None else own.name


def _different_types(request: LensRequest, own: Type, other: Type) -> tuple[str, str, str]:
    """Return the names of two types that cannot be converted, with their groups if their names are equal, and
    the fix.
    """
    left, right = innermost_type(own), innermost_type(other)
    hint = _fitting_lens(request, own, other)
    if {left, right} == {ScalarType(Scalar.STRING), WellKnownType(WellKnown.DURATION)}:
        hint = f"declare the same type in both versions, since the JSON of each is text, or {hint}"
    if not isinstance(left, StructType | EnumType) or not isinstance(right, StructType | EnumType):
        return str(own), str(other), hint
    is_other_group = right.id.group != left.id.group
    if (is_other_group or right.id.version == HUB_VERSION) and hub_type(own, {left.id: right.id}) == other:
        name = f"{right.id.group}/hub.{right.id.name}" if is_other_group else right.id.name
        shared = None if is_other_group or isinstance(left, EnumType) else _shared_hub_type(request, left.id)
        if shared is None:
            hint = f"if both are the same type, write `hub: {name}` on the type {left}; if not, {hint}"
        else:
            hint = f"write `hubType: {name}` on this field, because {left} is `{shared}` of the hub in other fields, or {hint}"
    if left.id.name != right.id.name:
        return str(own), str(other), hint
    return str(own).replace(str(left), str(left.id)), str(other).replace(str(right), str(right.id)), hint


def _fitting_lens(request: LensRequest, own: Type, other: Type) -> str:
    """Return the lenses for a field and its hub field that differ in their types: the one for these types, else a
    hand-written function.
    """
    field, target = request.field, request.hub.field(request.field.json_name)
    if request.spec.to is None and target is not None and target.type == other:
        pair = Pair(request.version, request.hub, (field,), (target,), request.types, request.hub_of)
        found = next((text for find in BETWEEN_TYPES for candidate in find(pair) for text in candidate.texts), None)
        if found is not None:
            return f"add a lens to the field: `hub: {found}`"
    path = field.json_name if request.spec.to is None else request.spec.to
    by_hand = hub_only_fix(request.version, f"{path}: {{byHand: REASON}}")
    return f"convert it in a hand-written function: add `hub: {{byHand: REASON}}` to the field, and {by_hand}"


def _any_element(value: ValueConversion, expression: Expression, number: Scalar, depth: int = 0) -> Test:
    """A test: a number, or one in a list or map, does not fit a type."""
    item = "item" if depth == 0 else f"item{depth + 1}"
    match value:
        case EachItem(inner):
            return Some(expression, item, _any_element(inner, Variable(item), number, depth + 1))
        case EachValue(inner):
            return Some(expression, item, _any_element(inner, Variable(item), number, depth + 1), in_map=True)
    return Not(IsTrue(Call("fits", (expression, Literal(number.value)))))


def narrowing(value: ValueConversion, side: Side, path: FieldPath, tests: tuple[Test, ...]) -> Iterable[Loss]:
    """Return the loss of numbers that the type of the other side cannot represent; `tests` tests that the value
    is set.
    """
    number = innermost(value)
    if not isinstance(number, Narrowed):
        return
    from_, to = (number.version, number.hub) if side is Side.VERSION else (number.hub, number.version)
    if narrows(from_, to):
        test = Both((*tests, _any_element(value, at("obj", path), to)))
        yield Loss(side, spell(path), f"it does not fit `{to}`", test, f"checked {to}", True)
