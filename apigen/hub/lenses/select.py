"""`{select: "metrics[type=Resource].resource.value"}`: a field of the version is a field of one list element of the
hub.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from apigen.dataclass import dataclass, replace
from apigen.hub.lenses.request import Lens, LensRejected, LensRequest
from apigen.hub.steps import SOURCE, TARGET, Assign, Loss, OfField, Side, Step
from apigen.ir.expressions import (
    Appended,
    Both,
    Compared,
    Expression,
    First,
    IsNone,
    IsSelected,
    Literal,
    Not,
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
from apigen.ir.model import FieldPath, ListType, StructType, TypeId, json_names, optional_parents, spell, underlying
from apigen.ir.places import BoundComparison, SelectStep, fields_of, named_fields
from apigen.language.model import Comparison, Name, Path, Select


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


def _bind(request: LensRequest, path: Path) -> Iterable[Step]:
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


SELECT = Lens("`select`", ("select", "set", "wins"), _bind)
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
