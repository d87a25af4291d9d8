"""The traits of each part of a surface, as tables: the compared values, and the names of their changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from apigen.ir.model import Feature
from apigen.ir.surface import (
    Enum,
    EnumValue,
    Field,
    Kind,
    KindVersion,
    Method,
    Service,
    Slot,
    SourceFile,
    Struct,
    Tombstone,
    Union,
    Version,
)
from apigen.review.changes.change import Trait, Value

Content = TypeVar("Content")

Traits = tuple[tuple[Trait, Callable[[Content], Value]], ...]
"""The functions that return the value of each trait."""

_LIFECYCLE: Traits[Version | KindVersion | Struct | Field | EnumValue] = (
    (Trait.INTRODUCED, lambda part: part.lifecycle.introduced),
    (Trait.DEPRECATED, lambda part: part.lifecycle.deprecated or part.lifecycle.is_deprecated),
    (Trait.REMOVED, lambda part: part.lifecycle.removed),
    (
        Trait.REPLACEMENT,
        lambda part: None if part.lifecycle.replacement is None else str(part.lifecycle.replacement),
    ),
)
KIND: Traits[Kind] = (
    (Trait.SCOPE, lambda part: "Namespaced" if part.namespaced else "Cluster"),
    (Trait.PLURAL, lambda part: part.plural),
    (Trait.SINGULAR, lambda part: part.singular),
    (Trait.LIST_KIND, lambda part: part.list_kind),
    (Trait.SHORT_NAMES, lambda part: part.short_names),
    (Trait.CATEGORIES, lambda part: part.categories),
    (Trait.CONVERSION, lambda part: part.conversion),
    (Trait.STRATEGY, lambda part: part.strategy),
    (Trait.TYPE_META, lambda part: part.type_meta),
)
VERSION: Traits[Version] = (
    (Trait.SERVED, lambda part: part.served),
    (Trait.STORAGE, lambda part: part.storage),
    (Trait.PREFERRED, lambda part: part.preferred),
    *_LIFECYCLE,
)
KIND_VERSION: Traits[KindVersion] = (
    (Trait.ROOT, lambda part: str(part.root)),
    (Trait.SERVED, lambda part: part.served),
    (Trait.STORAGE, lambda part: part.storage),
    (Trait.SUBRESOURCES, lambda part: part.subresources),
    (Trait.SCALE, lambda part: part.scale),
    (Trait.SELECTABLE_FIELDS, lambda part: part.selectable_fields),
    (Trait.PRINTER_COLUMNS, lambda part: part.printer_columns),
    *_LIFECYCLE,
)
STRUCT: Traits[Struct] = (
    (Trait.UNKNOWN_FIELDS, lambda part: part.unknown.value),
    (Trait.HUB_NAME, lambda part: part.hub_name),
    (Trait.WIRE_NAME, lambda part: part.wire_name),
    (Trait.FILE, lambda part: part.file),
    (Trait.OPTIONS, lambda part: part.options),
    (Trait.INLINES, lambda part: part.inlines),
    (Trait.LENSES, lambda part: tuple((each.place, each.words) for each in part.lenses)),
    (Trait.ANNOTATION_KEYS, lambda part: part.annotation_keys),
    (Trait.LOSSES, lambda part: part.losses),
    *_LIFECYCLE,
)
FIELD: Traits[Field] = (
    (Trait.NUMBER, lambda part: part.number),
    (Trait.WIRE_NAME, lambda part: part.wire_name),
    (Trait.PRESENCE, lambda part: part.presence.value),
    (Trait.REQUIRED, lambda part: part.required),
    (Trait.ONEOF, lambda part: part.oneof),
    (Trait.INLINED, lambda part: part.via),
    (Trait.GATE, lambda part: part.gate),
    (Trait.OPTIONS, lambda part: part.options),
    *_LIFECYCLE,
)
SLOT: Traits[Slot] = (
    (Trait.TYPE, lambda part: part.type),
    (Trait.NULLABLE, lambda part: part.nullable),
    (Trait.DEFAULT, lambda part: part.default),
    (Trait.DOC, lambda part: part.doc),
    (Trait.DISCRIMINATOR, lambda part: part.discriminator),
)
MERGE: Traits[Slot] = (
    (Trait.LIST_TYPE, lambda part: part.merge.list_type),
    (Trait.LIST_MAP_KEYS, lambda part: part.merge.list_map_keys),
    (Trait.MAP_TYPE, lambda part: part.merge.map_type),
    (Trait.STRUCT_TYPE, lambda part: part.merge.struct_type),
    (Trait.PATCH_STRATEGY, lambda part: part.merge.patch_strategy),
    (Trait.PATCH_MERGE_KEY, lambda part: part.merge.patch_merge_key),
)
ENUM: Traits[Enum] = (
    (Trait.TYPE, lambda part: part.base),
    (Trait.OPEN, lambda part: part.open),
    (Trait.CLOSED, lambda part: part.closed),
    (Trait.UNKNOWN_VALUE, lambda part: part.unknown),
    (Trait.WIRE_NAME, lambda part: part.wire_name),
    (Trait.FILE, lambda part: part.file),
    (Trait.DEPRECATED, lambda part: part.is_deprecated),
    (Trait.OPTIONS, lambda part: part.options),
    (Trait.DOC, lambda part: part.doc),
)
ENUM_VALUE: Traits[EnumValue] = (
    (Trait.NUMBER, lambda part: part.number),
    (Trait.GATE, lambda part: part.gate),
    (Trait.TOLERATED, lambda part: part.tolerated),
    (Trait.DOC, lambda part: part.doc),
    (Trait.OPTIONS, lambda part: part.options),
    *_LIFECYCLE,
)
UNION: Traits[Union] = (
    (Trait.DISCRIMINATOR, lambda part: part.discriminator),
    (Trait.EMPTY, lambda part: part.empty),
    (Trait.OPTIONAL, lambda part: part.optional),
    (Trait.MEMBERS, lambda part: tuple((name, value or "") for name, value in part.members.items())),
    (Trait.OPTIONS, lambda part: part.options),
)
TOMBSTONE: Traits[Tombstone] = (
    (Trait.NUMBERS, lambda part: part.numbers),
    (Trait.REMOVED, lambda part: part.removed),
    (Trait.REASON, lambda part: part.reason),
    (Trait.MIGRATED, lambda part: part.migrated),
)
GATE: Traits[Feature] = (
    (Trait.STAGES, lambda part: part.stages),
    (Trait.REMOVED, lambda part: part.removed),
    (Trait.DEPENDS_ON, lambda part: part.depends_on),
)
SERVICE: Traits[Service] = (
    (Trait.FILE, lambda part: part.file),
    (Trait.DEPRECATED, lambda part: part.is_deprecated),
    (Trait.OPTIONS, lambda part: part.options),
)
METHOD: Traits[Method] = (
    (Trait.REQUEST, lambda part: part.request),
    (Trait.RESPONSE, lambda part: part.response),
    (Trait.SECURITY, lambda part: part.security_words),
    (Trait.CLIENT_STREAMS, lambda part: part.client_streams),
    (Trait.SERVER_STREAMS, lambda part: part.server_streams),
    (Trait.DEPRECATED, lambda part: part.is_deprecated),
    (Trait.OPTIONS, lambda part: part.options),
)
FILE: Traits[SourceFile] = (
    (Trait.PACKAGE, lambda part: part.package),
    (Trait.SYNTAX, lambda part: part.syntax),
    (Trait.DEPRECATED, lambda part: part.is_deprecated),
    (Trait.OPTIONS, lambda part: part.options),
)
