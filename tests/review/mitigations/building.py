"""Small surfaces, and the question whether a mitigation holds for one change between two of them."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.diagnostics import Place
from apigen.ir.model import Feature, FeatureStage, Release
from apigen.ir.surface import (
    Default,
    Field,
    GateMark,
    Group,
    KindVersion,
    Named,
    Scalar,
    Scalars,
    Slot,
    Struct,
    Surface,
    Tombstone,
    Type,
    TypeName,
    Version,
)
from apigen.language.model import NumberRange, Stage
from apigen.review.changes.change import AnyChange
from apigen.review.changes.comparing import compare
from apigen.review.context import Context
from apigen.review.mitigations import Mitigation
from apigen.review.results import Direction, MitigationResult, RuleResult, breaks

GROUP = "things.example.com"
HERE = Place("things.yaml", 1, 1)
RESULT = RuleResult("it changed", {direction: breaks("it breaks") for direction in Direction})


TEXT = Scalar(Scalars.STRING)


def release(text: str) -> Release:
    major, minor = text.split(".")
    return Release(int(major), int(minor))


def gate(name: str, *stages: str, removed: str | None = None) -> Feature:
    """A gate of stages like `1.10 alpha off` and `1.12 ga on locked`."""
    parsed = (stage.split() for stage in stages)
    made = tuple(FeatureStage(release(s[0]), Stage(s[1]), "on" in s, "locked" in s) for s in parsed)
    return Feature(name, HERE, made, removed=None if removed is None else release(removed))


def default(text: str, *gates: str, computed: bool = False, read_time: bool = True) -> Default:
    return Default(text, HERE, computed, gates, read_time)


def field(
    name: str,
    type_: Type | str = TEXT,
    *,
    gates: tuple[str, ...] = (),
    default: Default | None = None,
    number: int = 1,
    version: str = "v1",
    dropped: bool = True,
) -> Field:
    """A field; a type that is text is that of a struct of the same version."""
    bound = Named(TypeName(GROUP, version, type_)) if isinstance(type_, str) else type_
    mark = GateMark(gates, is_dropped=dropped) if gates else None
    return Field(name, Slot(bound, HERE, default=default), HERE, number=number, gate=mark)


def struct(name: str, *fields: Field, version: str = "v1", tombstones: tuple[Tombstone, ...] = ()) -> Struct:
    bound = TypeName(GROUP, version, name)
    return Struct(bound, {each.name: each for each in fields}, Slot(Named(bound), HERE), HERE, tombstones)


def tombstone(name: str, number: int | None = None) -> Tombstone:
    return Tombstone(name, None if number is None else NumberRange(number, number), HERE)


def version(
    *structs: Struct, kinds: tuple[str, ...] = ("Thing",), name: str = "v1", served: bool = True, storage: bool = False
) -> Version:
    roots = {kind: KindVersion(kind, TypeName(GROUP, name, kind), HERE, served, storage) for kind in kinds}
    return Version(GROUP, name, HERE, {each.name.name: each for each in structs}, roots, served=served, storage=storage)


def surface(
    *versions: Version,
    gates: tuple[Feature, ...] = (),
    at: str | None = None,
    label: str = "specs",
    ratchets: bool = False,
) -> Surface:
    group = Group(GROUP, HERE, {each.name: each for each in versions})
    named: Mapping[str, Feature] = {each.name: each for each in gates}
    return Surface(label, "api", {GROUP: group}, named, None if at is None else release(at), ratchets=ratchets)


def the_change(old: Surface, new: Surface, element: str = "") -> AnyChange:
    """The only change between two surfaces, or that of an element."""
    found = [change for change in compare(old, new) if str(change.element).endswith(element)]
    assert len(found) == 1, [str(change.element) for change in found]
    return found[0]


def considered(mitigation: Mitigation, old: Surface, new: Surface, element: str = "") -> MitigationResult | None:
    """What a mitigation says of the change."""
    return mitigation.consider(the_change(old, new, element), RESULT, Context(old, new))
