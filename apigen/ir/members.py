"""The fields of a struct with types, presence, names and numbers. Inline fields are not flattened yet."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from apigen.diagnostics.quoting import listing, quote
from apigen.ir.context import VersionContext
from apigen.ir.lifecycle import LifecycleReader, check_order, lifecycle_of
from apigen.ir.model import NO_LIFECYCLE, Field, Inline, Lifecycle, Presence, Replacement
from apigen.ir.names import is_identifier
from apigen.ir.scope import resolve_type
from apigen.ir.types import StructType, Type, TypeId, struct_in, underlying
from apigen.language.model import NO_LIFECYCLE as NO_LIFECYCLE_SPEC
from apigen.language.model import FieldSpec, LifecycleSpec
from apigen.language.shapes import declared

Member = Field | Inline


class MemberReader:
    """Reads the fields of one struct."""

    def __init__(
        self, owner: TypeId, context: VersionContext, py_names: Mapping[str, str], numbers: Mapping[str, int]
    ) -> None:
        self._owner = owner
        self._context = context
        self._py_names = py_names
        self._numbers = numbers

    def read(self, spec: FieldSpec) -> Member | None:
        """Return the field, or None, with errors, if it must be omitted."""
        type_ = resolve_type(spec.type, self._context.scope, self._context.run) if spec.type else None
        member = None
        if type_ is not None:
            member = self._inline(spec, type_) if spec.inline else self._field(spec, type_)
        if member is None:
            self._context.run.leave_out(self._owner, spec.name)
        return member

    def _field(self, spec: FieldSpec, type_: Type) -> Field | None:
        py_name = self._py_names.get(spec.name)
        if py_name is None:
            return None
        presence = _presence(spec)
        if spec.hub_type is not None and struct_in(type_) is None:
            message = f"`hubType` is for structs, and {quote(spec.name)} is {type_}"
            self._context.run.error("AG0602", spec.hub_type.place, message, hint="remove `hubType`")
        is_always_written = presence in (Presence.PLAIN, Presence.NULLABLE)
        return Field(
            json_name=spec.name,
            py_name=py_name,
            type=type_,
            presence=presence,
            place=spec.place,
            required=spec.required.value if spec.required is not None else is_always_written,
            number=self._numbers.get(spec.name),
            protobuf_name=_protobuf_name(spec, py_name),
            doc=spec.doc.value if spec.doc else None,
            default=spec.default,
            defaults=spec.defaults,
            hub=spec.hub,
            hub_type=spec.hub_type,
            gate=spec.feature_gate,
            constraints=spec.constraints,
            item_constraints=spec.item_constraints,
            key_constraints=spec.key_constraints,
            value_constraints=spec.value_constraints,
            merge=spec.merge,
            lifecycle=element_lifecycle(spec.lifecycle, self._owner, self._context.lifecycles),
            ignore=spec.ignore,
        )

    def _inline(self, spec: FieldSpec, type_: Type) -> Inline | None:
        struct = underlying(type_)
        if not isinstance(struct, StructType):
            place = spec.type.place if spec.type else spec.place
            self._context.run.error("AG0313", place, f"only a struct can be inline, but the type is `{type_}`")
            return None
        idle = _idle_words(spec)
        if idle:
            self._context.run.error(
                "AG0503",
                spec.place,
                f"{quote(spec.name)} is inline and has no value of its own, so {listing(idle, 'and')} cannot apply",
                hint="declare it on the fields of the struct",
            )
        return Inline(
            name=spec.name,
            type=struct,
            number=self._numbers.get(spec.name),
            protobuf_name=_protobuf_name(spec, spec.name),
            place=spec.place,
            doc=spec.doc.value if spec.doc else None,
            ignore=spec.ignore,
            defaults=spec.defaults,
        )


def _presence(spec: FieldSpec) -> Presence:
    """The loader has seen to it that at most one flag is set."""
    if spec.nullable:
        return Presence.NULLABLE
    if spec.optional:
        return Presence.OPTIONAL
    return Presence.OMIT_EMPTY if spec.omit_empty else Presence.PLAIN


def element_lifecycle(spec: LifecycleSpec, owner: TypeId, reader: LifecycleReader) -> Lifecycle:
    """Return the lifecycle of a field or enum value; its replacement is in the same type."""
    if spec is NO_LIFECYCLE_SPEC or spec == NO_LIFECYCLE_SPEC:
        return NO_LIFECYCLE
    check_order(spec, reader.run)
    replacement = None
    if spec.replacement is not None:
        wire = reader.wire_names.get(owner.group, owner.group)
        replacement = Replacement(wire, owner.version, owner.name, spec.replacement.value)
    return lifecycle_of(spec, replacement)


def _protobuf_name(spec: FieldSpec, fallback: str) -> str:
    """Return the name in `.proto` files: the declared one, the JSON name, or the Python name if the JSON name is not an
    identifier.
    """
    if spec.protobuf_name is not None:
        return spec.protobuf_name.value
    return spec.name if is_identifier(spec.name) else fallback


def _idle_words(spec: FieldSpec) -> tuple[str, ...]:
    words = {
        "nullable": spec.nullable,
        "optional": spec.optional,
        "omitEmpty": spec.omit_empty,
        "required": spec.required is not None,
        "pyName": spec.py_name is not None,
        "default": bool(spec.default),
        "hub": spec.hub is not None,
        "hubType": spec.hub_type is not None,
        "featureGate": spec.feature_gate is not None,
    }
    blocks = (declared(block) for block in (spec.constraints, spec.merge, spec.lifecycle))
    return (*(word for word, is_set in words.items() if is_set), *chain.from_iterable(blocks))
