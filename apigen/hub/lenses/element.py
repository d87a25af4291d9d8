"""Lenses of a field of the version that is one element of a list of the hub, or a field of one: `names[0]`, `names[0].ip`, the
singular of a plural, and `{select: "metrics[type=Resource].resource.value"}`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from apigen.dataclass import dataclass, replace
from apigen.hub.steps import SOURCE, TARGET, Assign, Lens, LensRejected, LensRequest, Loss, OfField, Side, Step
from apigen.ir.expressions import (
    Appended,
    Both,
    Choice,
    Compared,
    Either,
    Element,
    Expression,
    First,
    IsNone,
    IsSelected,
    IsTrue,
    ListOf,
    Literal,
    Made,
    Member,
    Not,
    OrElse,
    Set,
    Some,
    Statement,
    Test,
    Truth,
    ValueConversion,
    Variable,
    When,
    Zero,
    are_set,
    at,
    converted,
    guards,
)
from apigen.ir.model import (
    Field,
    FieldPath,
    ListType,
    StructType,
    TypeId,
    is_text,
    json_names,
    optional_parents,
    spell,
    struct_behind,
    underlying,
)
from apigen.ir.places import BoundComparison, BoundPath, FieldStep, IndexStep, SelectStep, fields_of, named_fields
from apigen.language.model import Comparison, Index, LensSpec, Name, Path, Select


@dataclass(frozen=True, slots=True)
class Singular(OfField):
    """The first element of a list as a field of its own, with or without the list.

    `member` is the field of the list's items, None for lists of strings, `version_member` the same in the version, if
    that has the list. `plural`: the version has the list, too; if the two differ, the singular or the plural takes
    precedence. `by_request`: requests are reconciled, with the old object, before they are converted; else (`wins:` is
    declared) conversion alone decides.
    """

    hub: FieldPath
    member: Field | None
    item: StructType | None
    plural: FieldPath | None
    singular_wins: bool
    by_request: bool = False
    version_member: Field | None = None

    def assignments(self, to_hub: bool) -> Iterable[Assign]:
        if to_hub:
            return
        items = at(SOURCE, self.hub)
        first = Choice(IsTrue(items), _member(Element(items, 0), self.member), Literal(""))
        yield Assign(self.version, first, Truth(items), optional_parents(self.hub))

    def statements(self, to_hub: bool) -> Iterable[Statement]:
        if not to_hub:
            return
        value, items = at(SOURCE, self.version), at(TARGET, self.hub)
        is_empty, first = Not(IsTrue(items)), _member(Element(items, 0), self.member)
        differ: tuple[Test, ...] = (is_empty,)
        if self.plural is None:
            differ = ()
        elif self.singular_wins:
            differ = (Either((is_empty, Compared(first, "!=", value))),)
        one = value if self.item is None or self.member is None else Made(self.item, self.member, value)
        tests = (*guards(SOURCE, self.version), Compared(value, "!=", Literal("")), *differ)
        yield When(tests, (Set(items, ListOf((one,))),))

    def changes(self, to_hub: bool) -> Iterable[tuple[str, ...]]:
        return (json_names(self.hub),) if to_hub else ()

    def losses(self) -> Iterable[Loss]:
        yield from self._losses_beside(self.plural) if self.plural is not None else [self._loss_alone()]

    def _losses_beside(self, plural: FieldPath) -> Iterable[Loss]:
        value, listed = at("obj", self.version), at("obj", plural)
        first = Choice(IsTrue(listed), _member(Element(listed, 0), self.version_member), Literal(""))
        differs = Compared(value, "!=", first)
        test = Both((*guards("obj", plural), differs))
        yield Loss(
            Side.VERSION, spell(self.version), f"it is not the first item of `{spell(plural)}`", test, "singular"
        )
        replaces = differs if self.singular_wins else Not(IsTrue(listed))
        test = Both((*guards("obj", plural), Compared(value, "!=", Literal("")), replaces))
        when = f"`{spell(self.version)}` is set and {'differs from its first item' if self.singular_wins else 'it is empty'}"
        yield Loss(Side.VERSION, spell(plural), when, test, "singular")

    def _loss_alone(self) -> Loss:
        items = at("obj", self.hub)
        only: Expression = OrElse(_member(Element(items, 0), self.member), Literal("?"))
        if self.item is not None and self.member is not None:
            only = Made(self.item, self.member, only)
        alone = Choice(IsTrue(items), Compared(items, "!=", ListOf((only,))), Not(IsNone(items)))
        test = Both((*guards("obj", self.hub), alone))
        return Loss(
            Side.HUB,
            spell(self.hub),
            "it has several items, or an item with other fields",
            test,
            "singular",
            becomes="its first item",
        )

    def hub_places(self) -> Iterable[str]:
        if self.plural is None:
            yield spell(self.hub)

    def describe(self) -> str | None:
        wins = "" if self.plural is None else f" ({'singular' if self.singular_wins else 'plural'} wins)"
        return f"{spell(self.version)} is the first of {spell(self.hub)}{wins}"

    @property
    def version_suffix(self) -> str:
        """Return the attribute to append to an element of the version's plural to get the string that the
        singular has.
        """
        return f".{self.version_member.py_name}" if self.version_member else ""

    @property
    def member_suffix(self) -> str:
        """The attribute access to the member, such as `.name`; empty without a member."""
        return f".{self.member.py_name}" if self.member else ""


def _member(value: Expression, field: Field | None) -> Expression:
    return value if field is None else Member(value, field)


def _bind_singular(request: LensRequest, path: Path) -> Iterable[Step]:
    bound = request.hub_bound(path)
    if bound is None:
        raise LensRejected
    parts = _parts(bound)
    if parts is None or not is_text(request.field.type) or request.field.can_be_none:
        raise request.rejected(
            "AG0602", f"{request.where} must be a string, the first of a list: `names[0]` or `names[0].name`"
        )
    hub, member, item = parts
    wins = request.spec.wins
    if wins is not None and wins.value not in ("singular", "plural"):
        raise request.rejected("AG0603", f"`wins: {wins.value}`?", place=wins.place, hint="write singular or plural")
    plural = next((f for f in request.version.fields if _is_at(f, hub)), None)
    version_member = None
    if plural is not None and member is not None:
        version_member = _member_in_version(plural, member, request)
        if version_member is None:
            message = f"no field of the elements of `{plural.json_name}` is `{spell((*hub, member))}` in the hub"
            raise request.rejected("AG0602", message)
    return (
        Singular(
            request.path,
            hub,
            member,
            item,
            (plural,) if plural else None,
            wins is None or wins.value == "singular",
            by_request=wins is None,
            version_member=version_member,
        ),
    )


def _has_index(spec: LensSpec) -> bool:
    return spec.to is not None and any(isinstance(step, Index) for step in spec.to.steps)


SINGULAR = Lens("a singular", ("to", "wins"), _bind_singular, restriction=_has_index)
"""A path with `[0]`."""


def _is_at(field: Field, hub: FieldPath) -> bool:
    """Return whether a field of the version has that path in the hub, by its name or its declaration."""
    names = tuple(Name(f.json_name) for f in hub)
    if field.hub is None:
        return (Name(field.json_name),) == names
    return field.hub.to is not None and field.hub.to.steps == names


def _member_in_version(plural: Field, member: Field, request: LensRequest) -> Field | None:
    """The field of the elements of the version's list that is `member` in the hub."""
    listed = underlying(plural.type)
    item = underlying(listed.item) if isinstance(listed, ListType) else None
    struct = struct_behind(item, request.types)
    if struct is None:
        return None
    return next((f for f in struct.fields if _is_at(f, (member,)) and not f.can_be_none), None)


def _parts(bound: BoundPath) -> tuple[FieldPath, Field | None, StructType | None] | None:
    at = next(i for i, step in enumerate(bound.steps) if isinstance(step, IndexStep))
    index, rest = bound.steps[at], bound.steps[at + 1 :]
    before = fields_of(bound.steps[:at])
    if before is None or not isinstance(index, IndexStep) or index.index != 0 or not is_text(bound.type):
        return None
    listed = underlying(before[-1].type)
    item = underlying(listed.item) if isinstance(listed, ListType) else None
    if not rest:
        return before, None, None
    if (
        len(rest) == 1
        and isinstance(rest[0], FieldStep)
        and isinstance(item, StructType)
        and not rest[0].field.can_be_none
    ):
        return before, rest[0].field, item
    return None


@dataclass(frozen=True, slots=True)
class Selected(OfField):
    """The conversion of a field to and from an element of a list.

    From the hub, the field is the value of the first (or last) element that matches `comparisons` and has a value. To
    the hub, an element is appended that has the values of `comparisons`, those of `constants`, and the field's value.
    """

    hub: FieldPath
    comparisons: tuple[BoundComparison, ...]
    constants: tuple[BoundComparison, ...]
    item: TypeId
    below: FieldPath
    value: ValueConversion
    list_in_version: bool
    last: bool = False

    def assignments(self, to_hub: bool) -> Iterable[Assign]:
        if to_hub:
            return
        found = self.found(SOURCE, converted(at("item", self.below), self.value, to_hub=False))
        yield Assign(self.version, found, Truth(at(SOURCE, self.hub)), optional_parents(self.hub))

    def found(self, root: str, value: Expression) -> Expression:
        """The value of the first (or last) element of the list that matches."""
        return First(at(root, self.hub), value, self._matches(), self.last)

    def _matches(self) -> Test:
        set_if_selected = {path for each in self.comparisons for path in optional_parents(named_fields(each.steps))}
        optional = (*optional_parents(self.below), *((self.below,) if self.below[-1].can_be_none else ()))
        unknown = (path for path in optional if path not in set_if_selected)
        return Both((IsSelected("item", self.comparisons), *are_set("item", *unknown)))

    def statements(self, to_hub: bool) -> Iterable[Statement]:
        if not to_hub:
            return
        value, items = at(SOURCE, self.version), at(TARGET, self.hub)
        statements: list[Statement] = [Set(Variable("item"), Zero(StructType(self.item)))]
        built: set[FieldPath] = set()
        for comparison in (*self.comparisons, *self.constants):
            statements += _set_in_item(named_fields(comparison.steps), Literal(comparison.value), built)
        statements += _set_in_item(self.below, converted(value, self.value, to_hub=True), built)
        statements.append(Set(items, Appended(items, Variable("item"), self.hub[-1].can_be_none)))
        yield When((*guards(SOURCE, self.version), Not(IsNone(value))), tuple(statements))

    def changes(self, to_hub: bool) -> Iterable[tuple[str, ...]]:
        return (json_names(self.hub),) if to_hub else ()

    def losses(self) -> Iterable[Loss]:
        items, longer = at("obj", self.hub), "longer by one item"
        test: Test
        if self.list_in_version:
            other_value = self.found("other", at("item", self.below))
            test = Both((*guards("other", self.hub), Compared(at("obj", self.version), "!=", other_value)))
            yield Loss(
                Side.VERSION, spell(self.version), f"`{spell(self.hub)}` has a matching item already", test, "select"
            )
            test = Both((*guards("obj", self.version), *are_set("obj", self.version)))
            when = f"`{spell(self.version)}` is set"
            yield Loss(Side.VERSION, spell(self.hub), when, test, "select", becomes=longer)
            when, becomes = "an item matches", longer
            test = Some(items, "item", self._matches(), can_be_none=True)
        else:
            when, becomes = "it is not exactly one matching item", "that item only"
            test = Compared(items, "!=", at("back", self.hub))
        yield Loss(Side.HUB, spell(self.hub), when, Both((*guards("obj", self.hub), test)), "select", becomes=becomes)

    def describe(self) -> str | None:
        which = "last" if self.last else "first"
        return f"{spell(self.version)} is {spell(self.below)} of the {which} item of {spell(self.hub)} that matches"


def _set_in_item(path: FieldPath, value: Expression, built: set[FieldPath]) -> Iterable[Statement]:
    """Set a field of the new element; its parents are new, too, and built once."""
    for parent in optional_parents(path):
        if parent not in built:
            built.add(parent)
            yield Set(at("item", parent), Zero(parent[-1].type))
    yield Set(at("item", path), value)


def _bind_select(request: LensRequest, path: Path) -> Iterable[Step]:
    wins = request.spec.wins
    if wins is not None and wins.value != "last":
        raise request.rejected("AG0603", f"`wins: {wins.value}`?", place=wins.place, hint="write last, or remove it")
    bound, constants = request.hub_bound(path), _constants(request, path)
    if bound is None:
        raise LensRejected
    at = next((i for i, step in enumerate(bound.steps) if isinstance(step, SelectStep)), None)
    hub = fields_of(bound.steps[:at]) if at is not None else None
    below = fields_of(bound.steps[at + 1 :]) if at is not None else None
    if at is None or not hub or not below:
        raise request.rejected("AG0602", "`select` names a field below one selection: `list[f=v].a.b`")
    select = bound.steps[at]
    assert isinstance(select, SelectStep)
    listed = underlying(hub[-1].type)
    item = underlying(listed.item) if isinstance(listed, ListType) else None
    value = request.conversion(request.field.type, below[-1].type)
    wrong = value is None or not request.field.can_be_none or not isinstance(item, StructType)
    if wrong or any(not c.equal or fields_of(c.steps) is None for c in select.comparisons):
        raise request.rejected(
            "AG0602", f"{request.where} must be optional and of the type of {bound.text}, selected by `f=v` only"
        )
    assert value is not None and isinstance(item, StructType)
    in_version = request.version.field(hub[-1].json_name) is not None and len(hub) == 1
    last = wins is not None
    return (Selected(request.path, hub, select.comparisons, constants, item.id, below, value, in_version, last),)


SELECT = Lens("`select`", ("select", "set", "wins"), _bind_select)
"""The option `select`: the first element that matches is the field; the last one with `wins: last`.

`set: {path: value}` sets values of a new element, in addition to those by which elements are selected.
"""


def _constants(request: LensRequest, selection: Path) -> tuple[BoundComparison, ...]:
    """Return the values of `set:`, bound to fields of the element.

    `path: value` is bound as the selection `list[path=value]` is, so both follow the same rules.
    """
    listed = tuple(takewhile(lambda step: not isinstance(step, Select), selection.steps))
    constants: list[BoundComparison] = []
    for path, value in request.spec.set or ():
        names = tuple(step for step in path.steps if isinstance(step, Name))
        if len(names) != len(path.steps) or path.from_type:
            hint = "write the names of fields, separated by dots"
            raise request.rejected(
                "AG0602", f"`set` names a field of the element, not `{path}`", place=path.place, hint=hint
            )
        comparison = Comparison(names, True, value.value)
        bound = request.hub_bound(replace(path, steps=(*listed, Select((comparison,)))))
        if bound is None:
            raise LensRejected
        step = bound.steps[-1]
        assert isinstance(step, SelectStep)
        constants += step.comparisons
    return tuple(constants)
