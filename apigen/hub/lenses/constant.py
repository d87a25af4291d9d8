"""`{constant: value}` and `{from: $.metadata.name}`: a field that only one side has gets this value, that of the first case
whose condition is true, or a value of the object's metadata.
"""

from __future__ import annotations

from collections.abc import Iterable

from apigen.dataclass import dataclass
from apigen.hub.lenses.cases import fits, value_cases
from apigen.hub.lenses.request import Lens, LensRequest, names_of
from apigen.hub.steps import TARGET, Assign, Loss, Side, Step, version_object
from apigen.ir.expressions import (
    AtEach,
    Compared,
    Expression,
    Here,
    Holds,
    Literal,
    Member,
    OrElse,
    Set,
    Statement,
    Zero,
    at,
)
from apigen.ir.model import STRING, FieldPath, spell, underlying
from apigen.ir.places import BoundPath, FieldStep, bind_path
from apigen.language.model import Condition, LensCase, Located, Path


@dataclass(frozen=True, slots=True)
class OneSided(Step):
    """A field that only one side has: conversion to its own side sets it, and conversion to the other side drops it."""

    side: Side
    bound: BoundPath

    def is_set(self, to_hub: bool) -> bool:
        """Return whether conversion in this direction sets the field."""
        return to_hub == (self.side is Side.HUB)

    def setting(self, value: Expression) -> Statement:
        """Return the statement that sets the field, in each element of the lists above it."""
        last = self.bound.steps[-1]
        assert isinstance(last, FieldStep)
        return AtEach(TARGET, self.bound.steps[:-1], (Set(Member(Here(), last.field), value),))

    def changes(self, to_hub: bool) -> Iterable[tuple[str, ...]]:
        if self.is_set(to_hub):
            yield names_of(self.bound)

    def hub_places(self) -> Iterable[str]:
        if self.side is Side.HUB:
            yield self.bound.text


@dataclass(frozen=True, slots=True)
class Constant(OneSided):
    """A field with a constant value. Below lists, each element gets it.

    Conditions refer to the version's object: for a place of the version, they are evaluated when its other fields are
    set.
    """

    cases: tuple[LensCase, ...]

    def assignments(self, to_hub: bool) -> Iterable[Assign]:
        if self._is_assigned and self.bound.fields is not None and self.is_set(to_hub):
            yield Assign(self.bound.fields, self._value(version_object(to_hub)), None)

    @property
    def _is_assigned(self) -> bool:
        return self.bound.fields is not None and not any(self.conditions())

    def conditions(self) -> Iterable[Condition]:
        return (case.when for case in self.cases if case.when is not None and self.side is Side.VERSION)

    def statements(self, to_hub: bool) -> Iterable[Statement]:
        if not self._is_assigned and self.is_set(to_hub):
            yield self.setting(self._value(version_object(to_hub)))

    def _value(self, root: str) -> Expression:
        return value_cases(self.cases, root, self.bound.type, Zero(self.bound.type, self.bound.can_be_none))

    def losses(self) -> Iterable[Loss]:
        value = self._value("back" if self.side is Side.VERSION else "other")
        test = Holds("obj", self.bound.steps, Compared(Here(), "!=", value))
        values = " or ".join(dict.fromkeys(_case_text(case) for case in self.cases))
        yield Loss(self.side, self.bound.text, f"it is not {values}", test, "constant", becomes=values)

    def describe(self) -> str | None:
        return f"{self.bound.text} is always {' or '.join(dict.fromkeys(_case_text(case) for case in self.cases))}"


def _case_text(case: LensCase) -> str:
    return str(case.value.value) if isinstance(case.value, Located) else "a structure"


@dataclass(frozen=True, slots=True)
class FromMetadata(OneSided):
    """A field whose value is a string of the object's metadata. It is not set if the structs that contain it are unset.

    An optional field is unset if the string is empty. `source` is its path in the objects of both sides.
    """

    source: FieldPath

    def statements(self, to_hub: bool) -> Iterable[Statement]:
        if self.is_set(to_hub):
            yield self.setting(self._value(TARGET))

    def _value(self, root: str) -> Expression:
        value = at(root, self.source)
        return OrElse(value, Literal(None)) if self.bound.can_be_none else value

    def losses(self) -> Iterable[Loss]:
        test = Holds("obj", self.bound.steps, Compared(Here(), "!=", self._value("obj")))
        place = spell(self.source)
        yield Loss(
            self.side, self.bound.text, f"it is not the `{place}` of the object", test, "from", becomes=f"`{place}`"
        )

    def describe(self) -> str | None:
        return f"{self.bound.text} is the {spell(self.source)} of the object"


def _bind_source(request: LensRequest, source: Path) -> Iterable[Step]:
    bound = request.bound
    in_version = bind_path(source, request.version, request.types)
    in_hub = bind_path(source, request.hub, request.types)
    field_paths = [each.fields for each in (in_version, in_hub) if isinstance(each, BoundPath)]
    paths = [path for path in field_paths if path is not None and path[0].json_name == "metadata" and len(path) == 2]
    if len(paths) != 2 or any(field.can_be_none or field.type != STRING for field in (*paths[0][1:], *paths[1][1:])):
        name = request.version.id.name
        raise request.rejected(
            "AG0602",
            f"`from: {source}` is not a string in the metadata of {request.version.id.version} `{name}`",
            place=source.place,
            hint="write `from: $.metadata.namespace` or `$.metadata.name` in `lenses:` or `hubOnly:` of the type of the kind",
        )
    if paths[0][0].can_be_none or paths[1][0].can_be_none:
        raise request.rejected("AG0602", "`from` requires `metadata` without `optional: true`", place=source.place)
    if not isinstance(bound.steps[-1], FieldStep) or underlying(bound.type) != STRING:
        message = f"`from` sets a string, but {bound.text} is {bound.type}"
        raise request.rejected("AG0602", message, hint="give the field `type: string`")
    return (FromMetadata(request.side, bound, paths[0]),)


def _bind_constant(request: LensRequest, cases: tuple[LensCase, ...]) -> Iterable[Step]:
    bound, ok = request.bound, True
    for case in cases:
        if case.when is not None and not request.check_condition(case.when):
            ok = False
        if not isinstance(case.value, Located):
            request.error("AG0602", "a constant must be a scalar", place=case.place)
            ok = False
        elif not (fits(case.value.value, bound.type) or (case.value.value is None and bound.can_be_none)):
            request.error("AG0602", f"`{case.value.value}` is not a valid {bound.type}", place=case.value.place)
            ok = False
    return (Constant(request.side, bound, cases),) if ok else ()


def bind_from_above(request: LensRequest) -> Iterable[Step]:
    """Return the step that `lenses:` of a containing type declare, at a place that the hub does not have: an existing one
    would be overwritten without an error.
    """
    is_source, field = request.spec.source is not None, request.bound.field
    if field is not None and field.hub is None and request.same_place() is not None:
        raise request.rejected(
            "AG0602",
            f"the hub has a field for {request.bound.text}, so a constant would lose its value",
            hint=f"set `hub: {{{'from: PATH' if is_source else 'constant: VALUE'}}}` on the field itself if it has no counterpart anywhere",
        )
    return (FROM_METADATA if is_source else CONSTANT).bind(request)


FROM_METADATA = Lens("`from`", ("source",), _bind_source)
"""The option `from`."""

CONSTANT = Lens("`constant`", ("constant",), _bind_constant)
"""The option `constant`."""
