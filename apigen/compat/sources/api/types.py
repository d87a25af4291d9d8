"""Structs, enums and aliases of the IR."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.compat.sources.api.constraints import constraints_of, rules_of
from apigen.compat.sources.api.defaults import path_defaults
from apigen.compat.sources.api.lenses import annotation_keys, declared_losses, lens_words, lenses_of
from apigen.compat.sources.api.marks import lifecycle_of, mark_of, tombstones_of
from apigen.compat.sources.api.slots import Names, alias_slot, field_slot, merge_of, type_of
from apigen.compat.surface import types as surface
from apigen.compat.surface.lifecycle import NO_LIFECYCLE
from apigen.ir.model import Alias, Enum, Field, Struct, TypeDef, Union
from apigen.ir.types import TypeId


class Types:
    """Makes the types of one version."""

    def __init__(self, types: Mapping[TypeId, TypeDef], names: Names, *, is_defaulted: bool) -> None:
        self._types = types
        self._names = names
        self._is_defaulted = is_defaulted

    def of(self, id_: TypeId) -> surface.TypeDef:
        """A type."""
        match self._types[id_]:
            case Struct() as struct:
                return self._struct(struct)
            case Enum() as enum:
                return self._enum(enum)
            case Alias() as alias:
                return surface.Alias(self._names.of(id_), alias_slot(alias, self._names), alias.place)

    def _struct(self, struct: Struct) -> surface.Struct:
        name = self._names.of(struct.id)
        lenses = list(lenses_of(struct))
        return surface.Struct(
            name=name,
            fields={field.json_name: self._field(field) for field in struct.fields},
            slot=self._whole(struct),
            place=struct.place,
            tombstones=tombstones_of(struct),
            unions=tuple(map(_union, struct.unions)),
            hub_name=struct.hub_name,
            lifecycle=lifecycle_of(struct.lifecycle) if not struct.is_root else NO_LIFECYCLE,
            defaults=dict(self._defaults(struct)),
            inlines=tuple(
                (".".join((*each.via, each.name)), f"{each.type} = {each.number}") for each in struct.inlines
            ),
            lenses=tuple(sorted((path, lens_words(lens)) for path, lens in lenses)),
            annotation_keys=annotation_keys(lenses),
            losses=declared_losses(lenses),
        )

    def _whole(self, struct: Struct) -> surface.Slot:
        return surface.Slot(
            type=self._names.named(struct.id),
            place=struct.place,
            constraints=constraints_of(struct.constraints),
            rules=rules_of(struct.constraints.rules),
            merge=merge_of(struct.merge),
            doc=struct.doc,
        )

    def _field(self, field: Field) -> surface.Field:
        return surface.Field(
            name=field.json_name,
            slot=field_slot(field, self._names, is_defaulted=self._is_defaulted),
            place=field.place,
            presence=field.presence,
            required=field.required,
            number=field.number,
            wire_name=field.protobuf_name,
            gate=mark_of(field.gate),
            lifecycle=lifecycle_of(field.lifecycle),
            via=field.via,
        )

    def _defaults(self, struct: Struct) -> Iterator[tuple[str, surface.Slot]]:
        for path, default, type_ in path_defaults(struct, self._types, is_read_time=self._is_defaulted):
            anything = surface.Scalar(surface.Scalars.ANYTHING)
            filled = anything if type_ is None else type_of(type_, default.place, self._names)
            yield path, surface.Slot(filled, default.place, default=default)

    def _enum(self, enum: Enum) -> surface.Enum:
        values = (
            surface.EnumValue(
                value=value.value,
                place=value.place,
                gate=mark_of(value.gate),
                tolerated=value.tolerated,
                lifecycle=lifecycle_of(value.lifecycle),
                doc=value.doc,
            )
            for value in enum.values
        )
        return surface.Enum(
            name=self._names.of(enum.id),
            values={value.value: value for value in values},
            place=enum.place,
            open=enum.open,
            closed=enum.closed,
            unknown=enum.unknown,
            tombstones=tombstones_of(enum),
            doc=enum.doc,
        )


def _union(union: Union) -> surface.Union:
    return surface.Union(
        name="",
        members={member.json_name: member.value for member in union.members},
        place=union.place,
        discriminator=union.discriminator,
        empty=tuple(sorted(union.empty)),
        optional=union.optional,
    )
