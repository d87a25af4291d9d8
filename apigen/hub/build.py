"""The hub stage: which hub type each type is, what the hubs look like, how versions convert, and that nothing is lost."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Related, Report
from apigen.diagnostics.suggest import did_you_mean
from apigen.hub.coverage import Coverage
from apigen.hub.field_homes import hub_types_of
from apigen.hub.model import HubModel
from apigen.hub.planner import Planner
from apigen.hub.shape import hub_shape
from apigen.ir.model import Api, Field, SecondHub, Struct, TypeDef
from apigen.ir.types import ListType, MapType, NamedType, StructType, Type, TypeId
from apigen.language.paths import Name, Path


@dataclass(frozen=True, slots=True)
class Faces:
    """The faces by identity, and the hub type of each."""

    structs: Mapping[TypeId, Struct]
    hub_of: Mapping[TypeId, TypeId]


def faces_of(api: Api, hubs: Mapping[TypeId, TypeDef], report: Report, kept: Container[TypeId] | None = None) -> Faces:
    """The faces of all kept structs whose second hubs are there: a hub that is not compiled has no faces."""
    found = [
        (struct, second)
        for struct in api.types.values()
        if isinstance(struct, Struct) and (kept is None or struct.id in kept)
        for second in struct.second_hubs
        if second.hub in hubs
    ]
    below = {(struct.id, second.hub.group): second.face for struct, second in reversed(found)}
    structs = {}
    for struct, second in found:
        face = _face(struct, second, below)
        structs[face.id] = face
        hub = hubs[second.hub]
        if isinstance(hub, Struct):
            _check_homes(face, second, hub, report)
    return Faces(structs, {second.face: second.hub for _, second in found})


def _face(struct: Struct, second: SecondHub, below: Mapping[tuple[TypeId, str], TypeId]) -> Struct:
    own = {name: entry.lens for entry in second.lenses if (name := _only_name(entry.path)) is not None}
    fields = tuple(
        replace(field, type=_seen(field.type, second.hub.group, below), hub=own.get(field.json_name))
        for field in struct.fields
    )
    names = {field.json_name for field in fields}
    return replace(
        struct,
        id=second.face,
        fields=fields,
        snake_name=second.snake_name,
        lenses=tuple(entry for entry in second.lenses if _only_name(entry.path) not in names),
        hub_only=second.hub_only,
        second_hubs=(),
        hub_name=None,
    )


def _only_name(path: Path) -> str | None:
    match path.steps:
        case (Name(name),):
            return name
    return None


def _seen(type_: Type, group: str, below: Mapping[tuple[TypeId, str], TypeId]) -> Type:
    """The type of a field, with the second hub views of the structs in it."""
    match type_:
        case StructType(id_):
            return replace(type_, id=below.get((id_, group), id_))
        case ListType(item):
            return ListType(_seen(item, group, below))
        case MapType(key, value):
            return MapType(key, _seen(value, group, below))
        case NamedType(_, target):
            return replace(type_, target=_seen(target, group, below))
    return type_


def _check_homes(face: Struct, second: SecondHub, hub: Struct, report: Report) -> None:
    """A second hub gets no fields from the types that are seen so: each field has a home there, or a lens that says so."""
    spoken_of = {str(name) for name in _first_names(entry.path for entry in second.lenses)}
    for field in face.fields:
        if field.json_name not in spoken_of and hub.field(field.json_name) is None:
            _report(face, field, second, hub, report)


def _first_names(paths: Iterable[Path]) -> Iterable[str]:
    return (path.steps[0].name for path in paths if path.steps and isinstance(path.steps[0], Name))


def _report(face: Struct, field: Field, second: SecondHub, hub: Struct, report: Report) -> None:
    report.error(
        "AG0701",
        second.place,
        f"`{field.json_name}` of {face.id.version} {face.id.name} has no home in {second.hub}, and nothing says what"
        " becomes of it",
        hint=did_you_mean(field.json_name, [f.json_name for f in hub.fields])
        or f"say it: `lenses: {{{field.json_name}: path}}` or `{{{field.json_name}: {{drop: reason}}}}`",
        related=[Related(field.place, "the field stands here")],
    )


def build_hub(
    api: Api,
    report: Report,
    kept: Collection[TypeId] | None = None,
    values: Collection[TypeId] = (),
) -> HubModel:
    """Make the hubs of an API and the plans of all its versions. What is wrong is in `report`.

    `values` are types that only types of another release series hold, which have no hub types. With `kept`, only these types and their faces have plans: the others are there for the shape of the hubs.
    """
    known = report.error_count
    hub_of = {id_: hub for id_, hub in hub_types_of(api, report).items() if id_ not in values}
    if report.error_count > known:
        return HubModel()
    shape = hub_shape(api, hub_of, report)
    converted = kept if kept is None or not values else frozenset(kept).difference(values)
    faces = faces_of(api, shape, report, converted)
    types = {**api.types, **shape, **faces.structs}
    planned = None if converted is None else {*converted, *faces.structs}
    planner = Planner(api, types, {**hub_of, **faces.hub_of}, report)
    plans = planner.plans(planned)
    Coverage(plans, types, report, planner.failed).check()
    if kept is not None:
        hub_of = {id_: hub for id_, hub in hub_of.items() if id_ in kept}
    named: dict[TypeId, TypeId] = {}
    for id_, hub in hub_of.items():
        named.setdefault(hub, id_)
    return HubModel(shape, hub_of, named, plans, faces.structs, frozenset(values))
