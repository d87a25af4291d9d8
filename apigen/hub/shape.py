"""The types of the hub.

A hub type has the fields of the version that `hub:` names, the changes of hub.yaml, and the fields and enum values that
only other versions have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Report
from apigen.diagnostics.suggest import did_you_mean
from apigen.hub.field_homes import HUB, ordered_versions
from apigen.hub.lenses.registry import lens_for
from apigen.hub.lenses.request import HubField, LensRequest
from apigen.hub.second_hub_views import lenses_by_path
from apigen.ir.expressions import hub_type
from apigen.ir.model import (
    Alias,
    Api,
    Enum,
    EnumType,
    EnumValue,
    Field,
    FieldPath,
    Group,
    Lifecycle,
    ListType,
    MapType,
    NamedType,
    Presence,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    json_names,
    named_in,
    struct_behind,
    underlying,
)
from apigen.ir.names import field_name, free_name, member_name, snake_case
from apigen.ir.run import Run
from apigen.ir.scope import Names, Scope, names_of, reference, resolve_type
from apigen.language.model import FieldSpec, LensSpec, TypeForm, TypeSpec


@dataclass(slots=True)
class HubStruct:
    """A hub struct under construction; `model` is the version type from which it was created."""

    id: TypeId
    model: Struct
    fields: dict[str, Field]


def apply_overrides(
    api: Api, structs: dict[TypeId, HubStruct], others: dict[TypeId, Enum | Alias], report: Report
) -> None:
    """Apply the changes of every hub.yaml; its type expressions refer to types of the hub."""
    for group in api.groups:
        for spec in group.hub_overrides:
            _declare_own(group, spec, structs, others)
    names = names_of(api)
    for group in api.groups:
        names = names.with_version(group.folder, HUB, _names_of_hub(group.folder, structs, others))
    for group in api.groups:
        for spec in group.hub_overrides:
            _apply(group, spec, names, structs, others, report)
    _check_use(api, structs, others, report)


def _check_use(api: Api, structs: dict[TypeId, HubStruct], others: dict[TypeId, Enum | Alias], report: Report) -> None:
    """Report types of hub.yaml that no field of a hub has: their names are misspelled, or they are unused."""
    used = {id_ for struct in structs.values() for field in struct.fields.values() for id_ in named_in(field.type)}
    for group in api.groups:
        names = [i.name for i in structs if i.group == group.folder and structs[i].model.id.version != HUB]
        for spec in group.hub_overrides:
            id_ = TypeId(group.folder, HUB, spec.name)
            made_here = structs[id_].model.id.version == HUB if id_ in structs else id_ in others and id_ not in used
            if made_here and id_ not in used:
                message = f"the hub of {group.folder} has no type `{spec.name}`, and no field of it has that type"
                report.error("AG0613", spec.place, message, hint=did_you_mean(spec.name, names))


def _declare_own(
    group: Group, spec: TypeSpec, structs: dict[TypeId, HubStruct], others: dict[TypeId, Enum | Alias]
) -> None:
    id_ = TypeId(group.folder, HUB, spec.name)
    if spec.form is TypeForm.ENUM and id_ not in others:
        values = tuple(
            EnumValue(
                v.name,
                (v.py_name.value if v.py_name else member_name(v.name)) or "EMPTY",
                v.place,
                gate=v.feature_gate,
                lifecycle=Lifecycle(introduced=v.lifecycle.introduced.value if v.lifecycle.introduced else None),
                tolerated=v.tolerated.value if v.tolerated else None,
            )
            for v in spec.values
        )
        doc = spec.doc.value if spec.doc else None
        others[id_] = Enum(id_, spec.place, values, snake_case(spec.name), doc, open=spec.open)
    elif spec.form is TypeForm.STRUCT and id_ not in structs:
        doc = spec.doc.value if spec.doc else None
        structs[id_] = HubStruct(id_, Struct(id_, spec.place, (), snake_case(spec.name), doc), {})


def _names_of_hub(
    folder: str, structs: dict[TypeId, HubStruct], others: dict[TypeId, Enum | Alias]
) -> dict[str, Type | None]:
    found: dict[str, Type | None] = {id_.name: StructType(id_) for id_ in structs if id_.group == folder}
    for id_, type_ in others.items():
        if id_.group == folder:
            found[id_.name] = (
                NamedType(id_, type_.target, type_.nullable) if isinstance(type_, Alias) else reference(type_)
            )
    return found


def _apply(
    group: Group,
    spec: TypeSpec,
    names: Names,
    structs: dict[TypeId, HubStruct],
    others: dict[TypeId, Enum | Alias],
    report: Report,
) -> None:
    id_ = TypeId(group.folder, HUB, spec.name)
    if id_ in others:
        return
    if id_ not in structs:
        hint = did_you_mean(spec.name, [i.name for i in structs if i.group == group.folder])
        report.error("AG0613", spec.place, f"the hub of {group.folder} has no type `{spec.name}`", hint=hint)
        return
    for field in spec.fields:
        hub_field = _field(field, structs[id_].fields.get(field.name), Scope(names, group.folder, HUB), report)
        if hub_field is not None:
            structs[id_].fields[field.name] = hub_field


def _field(spec: FieldSpec, known: Field | None, scope: Scope, report: Report) -> Field | None:
    type_ = resolve_type(spec.type, scope, Run(report)) if spec.type else known.type if known else None
    if type_ is None:
        if spec.type is None:
            report.error("AG0614", spec.place, f"`{spec.name}` is new to the hub, so it needs a type")
        return None
    presence = _presence(spec, known)
    py_name = spec.py_name.value if spec.py_name else known.py_name if known else field_name(spec.name)
    if py_name is None:
        report.error(
            "AG0311", spec.place, f"no Python name can be made of `{spec.name}`", hint="give it one with `pyName:`"
        )
        return None
    base = known or Field(spec.name, py_name, type_, presence, spec.place)
    return replace(
        base,
        py_name=py_name,
        type=type_,
        presence=presence,
        place=spec.place,
        doc=spec.doc.value if spec.doc else base.doc,
        absent=spec.absent,
        gate=spec.feature_gate or base.gate,
    )


def _presence(spec: FieldSpec, known: Field | None) -> Presence:
    if spec.optional:
        return Presence.OPTIONAL
    if spec.nullable:
        return Presence.NULLABLE
    if spec.omit_empty:
        return Presence.OMIT_EMPTY
    return Presence.PLAIN if spec.type is not None or known is None else known.presence


@dataclass(slots=True)
class Shape:
    """The hub types of an API under construction. `in_series` has the part of `hub_of` for the hubs of each series."""

    api: Api
    hub_of: Mapping[TypeId, TypeId]
    in_series: Mapping[str, Mapping[TypeId, TypeId]]
    report: Report
    structs: dict[TypeId, HubStruct]
    others: dict[TypeId, Enum | Alias]

    def shared_by(self, hub: TypeId) -> Mapping[TypeId, TypeId]:
        """Return the hub types for the types of version fields; a type of another series is its own."""
        return self.in_series[self.api.series_of_groups.get(hub.group, "")]

    def met(self, known: Type, other: Type) -> Type | None:
        """Return the common hub type of two types of another series that are versions of one type; None if there is
        none.
        """
        hub = hub_type(other, self.hub_of)
        return hub if known != other and hub_type(known, self.hub_of) == hub else None


def hub_shape(api: Api, hub_of: Mapping[TypeId, TypeId], report: Report) -> dict[TypeId, TypeDef]:
    """Return all hub types. Their fields have no numbers, lenses or defaults, and the presence of the version field
    from which they are created.
    """
    shape = Shape(api, hub_of, _by_series(api, hub_of), report, {}, {})
    for id_, hub in hub_of.items():
        _declare(shape, api.types[id_], hub)
    all_versions = [(group, version) for group in api.groups for version in ordered_versions(group)]
    named = [(group.folder, version) for group, version in all_versions if version == group.hub]
    others = [(group.folder, version) for group, version in all_versions if version != group.hub]
    for group, version in named:
        _add_needed_fields(shape, group, version, foreign=False)
    apply_overrides(api, shape.structs, shape.others, report)
    for group, version in others:
        _add_needed_fields(shape, group, version, foreign=False)
    for group, version in (*named, *others):
        _add_needed_fields(shape, group, version, foreign=True)
    finished: dict[TypeId, TypeDef] = {id_: _finish(shape, hub) for id_, hub in shape.structs.items()}
    finished.update(shape.others)
    return dict(sorted(finished.items(), key=lambda item: item[0].group))


def _by_series(api: Api, hub_of: Mapping[TypeId, TypeId]) -> Mapping[str, Mapping[TypeId, TypeId]]:
    """The hub types by the release series of their groups."""
    series = api.series_of_groups
    found: dict[str, dict[TypeId, TypeId]] = {each: {} for each in (*series.values(), "")}
    for id_, hub in hub_of.items():
        found[series.get(hub.group, "")][id_] = hub
    return found


def _declare(shape: Shape, type_: TypeDef, hub: TypeId) -> None:
    match type_:
        case Struct():
            if hub not in shape.structs:
                shape.structs[hub] = HubStruct(hub, type_, {})
            elif shape.structs[hub].model.kind is None and type_.kind is not None:
                shape.structs[hub].model = replace(shape.structs[hub].model, kind=type_.kind)
        case Enum():
            follows = type_.id.version == shape.api.group(type_.id.group).hub and type_.id.group == hub.group
            shape.others[hub] = _wider_enum(shape.others.get(hub), type_, hub, follows=follows)
        case Alias():
            target = hub_type(type_.target, shape.shared_by(hub))
            # the target is the hub's own type for an alias of another version's type
            if getattr(target, "id", None) != hub:
                known = shape.others.setdefault(hub, replace(type_, id=hub, target=target, hub_name=None))
                if isinstance(known, Enum):  # any text, in a version that does not say which
                    shape.others[hub] = replace(known, open=True)
                elif (met := shape.met(known.target, target)) is not None:
                    shape.others[hub] = replace(known, target=met)


def _wider_enum(known: Enum | Alias | None, enum: Enum, hub: TypeId, *, follows: bool) -> Enum:
    """Return an enum with the values of all versions; gates and releases of a value are those of the version that the
    hub `follows`. Values of several versions may have the same name in Python, such as `Slow` and `slow`.
    """
    if not isinstance(known, Enum):
        return replace(enum, id=hub, hub_name=None, tombstones=(), open=enum.open or known is not None)
    have = {value.value for value in known.values}
    known_values = {value.value: value for value in enum.values} if follows else {}
    values = [known_values.get(value.value, value) for value in known.values]
    names = {value.py_name for value in values}
    for value in enum.values:
        if value.value not in have:
            values.append(replace(value, py_name=free_name(value.py_name, names)))
            names.add(values[-1].py_name)
    return replace(known, values=tuple(values), open=known.open or enum.open)


def _add_needed_fields(shape: Shape, group: str, version: str, *, foreign: bool) -> None:
    """Homes for the fields of a version, in its own group's hub or in that of another; a hub is shaped by its own
    first.

    Fields that go below another come after all that stay at the top.
    """
    later: list[tuple[HubStruct, HubField]] = []
    for struct in shape.api.structs(group, version):
        hub = shape.hub_of.get(struct.id)
        if hub is None or hub not in shape.structs or (hub.group != group) is not foreign:
            continue
        hub_struct = shape.structs[hub]
        for needed in _needed_fields(shape, struct, hub_struct, (), lenses_by_path(struct)):
            if len(needed.names) == 1:
                _add_needed_field(shape, hub_struct, needed)
            else:
                later.append((hub_struct, needed))
    for hub_struct, needed in sorted(later, key=lambda item: len(item[1].names)):
        _add_needed_field(shape, hub_struct, needed)


def _needed_fields(
    shape: Shape, struct: Struct, hub: HubStruct, above: FieldPath, declared: Mapping[tuple[str, ...], LensSpec]
) -> Iterator[HubField]:
    """Yield the hub fields that fields need. `declared` are the lenses that the type at the top has for those below flattened
    structs.
    """
    for field in struct.fields:
        path = (*above, field)
        lens = declared.get(json_names(path), field.hub) if above else field.hub
        if lens is not None and lens.is_flattening:
            nested = struct_behind(field.type, shape.api.types)
            if nested is not None:
                yield from _needed_fields(shape, nested, hub, path, declared)
            continue
        if lens is None:
            yield HubField((field.json_name,), hub_type(field.type, shape.shared_by(hub.id)), field.presence, field)
            continue
        hubs = shape.shared_by(hub.id)
        request = LensRequest(lens, path, struct, hub.model, shape.api.types, hubs, shape.report)
        yield from lens_for(lens).hub_fields(request)


def _add_needed_field(shape: Shape, hub: HubStruct, needed: HubField) -> None:
    """Add a needed field to the hub, unless the hub has it; parents must exist (otherwise the lens reports an
    error).

    A value whose type has a hub type from another version gets the hub type of both.
    """
    holder = hub
    for name in needed.names[:-1]:
        field = holder.fields.get(name)
        inner = underlying(field.type) if field else None
        if not isinstance(inner, StructType) or inner.id not in shape.structs:
            return
        holder = shape.structs[inner.id]
    name = needed.names[-1]
    known = holder.fields.get(name)
    if known is None:
        holder.fields[name] = _hub_field(needed, name)
    elif known.type != needed.type and (met := shape.met(known.type, needed.type)) is not None:
        holder.fields[name] = replace(known, type=met)


def _hub_field(needed: HubField, name: str) -> Field:
    origin = needed.origin
    same = origin.json_name == name
    return replace(
        origin,
        json_name=name,
        py_name=origin.py_name if same else field_name(name) or origin.py_name,
        type=needed.type,
        presence=needed.presence,
        number=None,
        hub=None,
        default=(),
        via=origin.via if same else (),
    )


def _finish(shape: Shape, hub: HubStruct) -> Struct:
    model = hub.model
    list_of = shape.hub_of.get(model.list_of, model.list_of) if model.list_of else None
    overrides = (spec for group in shape.api.groups if group.folder == hub.id.group for spec in group.hub_overrides)
    return Struct(
        id=hub.id,
        place=model.place,
        fields=tuple(replace(f, type=_with_enums(f.type, shape.others)) for f in hub.fields.values()),
        snake_name=model.snake_name if model.id.name == hub.id.name else snake_case(hub.id.name),
        doc=model.doc,
        inlines=model.inlines,
        unions=model.unions,
        gates=tuple(rule for spec in overrides if spec.name == hub.id.name for rule in spec.gates),
        constraints=model.constraints,
        merge=model.merge,
        lifecycle=model.lifecycle,
        kind=model.kind,
        list_of=list_of,
    )


def _with_enums(type_: Type, others: Mapping[TypeId, Enum | Alias]) -> Type:
    """Return the type with enums of the hub in place of string aliases of a version."""
    match type_:
        case NamedType(id_) if isinstance(others.get(id_), Enum):
            return EnumType(id_)
        case ListType(item):
            return ListType(_with_enums(item, others))
        case MapType(key, value):
            return MapType(_with_enums(key, others), _with_enums(value, others))
    return type_
