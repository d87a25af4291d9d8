"""hub.yaml: types and fields of the hub that differ from its version."""

from __future__ import annotations

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.suggest import did_you_mean
from apigen.hub.field_homes import HUB
from apigen.ir.model import (
    Alias,
    Api,
    Enum,
    EnumValue,
    Field,
    Group,
    Lifecycle,
    NamedType,
    Presence,
    Struct,
    StructType,
    Type,
    TypeId,
    named_in,
)
from apigen.ir.names import field_name, member_name, snake_case
from apigen.ir.run import Run
from apigen.ir.scope import Names, Scope, names_of, reference, resolve_type
from apigen.language.model import FieldSpec, TypeForm, TypeSpec


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
            _declare(group, spec, structs, others)
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


def _declare(
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
            _no_type(spec.name, spec.place, report)
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


def _no_type(name: str, place: Place, report: Report) -> None:
    report.error("AG0614", place, f"`{name}` is new to the hub, so it needs a type")
