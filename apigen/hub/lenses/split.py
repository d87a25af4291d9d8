"""`{split: [number, name]}`: int-or-string in the version, two fields in the hub."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from apigen.dataclass import dataclass
from apigen.hub.lenses.request import HubField, Lens, LensRejected, LensRequest
from apigen.hub.steps import SOURCE, Assign, Loss, OfField, Parent, Side, Step
from apigen.ir.expressions import Both, Choice, Compared, IsOf, Literal, OrElse, Truth, at, guards
from apigen.ir.model import (
    STRING,
    FieldPath,
    Presence,
    Scalar,
    ScalarType,
    WellKnown,
    WellKnownType,
    is_text,
    optional_parents,
    spell,
    underlying,
)
from apigen.language.model import Name, Path


@dataclass(frozen=True, slots=True)
class Split(OfField):
    """A number is converted to one hub field and a string to the other; in the reverse direction a string wins unless
    it is empty.
    """

    number: FieldPath
    name: FieldPath
    parent: Parent

    def assignments(self, to_hub: bool) -> Iterable[Assign]:
        if to_hub:
            value, above = at(SOURCE, self.version), optional_parents(self.version)
            is_set = Compared(value, "!=", Literal(0))
            number = Choice(IsOf(value, Scalar.INT32), value, Literal(0))
            name = Choice(IsOf(value, Scalar.STRING), value, Literal(""))
            yield Assign(self.number, number, is_set, above, self.parent)
            yield Assign(self.name, name, is_set, above, self.parent)
            return
        either = OrElse(at(SOURCE, self.name), at(SOURCE, self.number))
        yield Assign(self.version, either, Truth(either), optional_parents(self.number), self.parent)

    def losses(self) -> Iterable[Loss]:
        empty = Compared(at("obj", self.version), "==", Literal(""))
        test = Both((*guards("obj", self.version), empty))
        yield Loss(Side.VERSION, spell(self.version), "it is an empty string", test, "split", becomes="0")
        is_number = Compared(at("obj", self.number), "!=", Literal(0))
        is_name = Compared(at("obj", self.name), "!=", Literal(""))
        test = Both((*guards("obj", self.number), is_number, is_name))
        yield Loss(Side.HUB, spell(self.number), f"`{spell(self.name)}` is also set", test, "split", becomes="0")

    def hub_places(self) -> Iterable[str]:
        yield spell(self.number)
        yield spell(self.name)

    def describe(self) -> str | None:
        return f"{spell(self.version)} is split into {spell(self.number)} and {spell(self.name)}"


def _hub_fields(request: LensRequest) -> Iterable[HubField]:
    assert request.spec.split is not None
    number, name = request.spec.split
    for path, type_ in ((number, ScalarType(Scalar.INT32)), (name, STRING)):
        names = _names(path)
        if names:
            yield HubField(names, type_, Presence.PLAIN, request.field)


def _bind(request: LensRequest, paths: tuple[Path, Path]) -> Iterable[Step]:
    hub_paths: list[FieldPath] = []
    for path in paths:
        with suppress(LensRejected):  # both paths may have errors
            hub_paths.append(request.hub_path(path))
    if len(hub_paths) < 2:
        raise LensRejected
    number, name = hub_paths
    fits = (
        underlying(request.field.type) == WellKnownType(WellKnown.INT_OR_STRING)
        and underlying(number[-1].type) == ScalarType(Scalar.INT32)
        and is_text(name[-1].type)
    )
    if fits:
        request.require_values("`split`", number, name)
    if not fits or optional_parents(number) != optional_parents(name):
        raise request.rejected(
            "AG0602",
            f"`split` converts an IntOrString to an int32 and a string, and none of them may be optional, but {request.where} and these fields have other types or presence",
        )
    return (Split(request.path, number, name, request.parent),)


SPLIT = Lens("`split`", ("split", "parent"), _bind, _hub_fields)
"""The option `split`."""


def _names(path: Path) -> tuple[str, ...]:
    names = tuple(step.name for step in path.steps if isinstance(step, Name))
    return names if len(names) == len(path.steps) else ()
