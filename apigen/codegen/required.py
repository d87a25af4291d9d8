"""Writes which fields documents must set: `<group>/<version>/required.py`, for versions with kinds that must set any.

It is the `required` of the published schema, for the types that the kinds lead to, those of other groups included.
"""

from __future__ import annotations

from collections.abc import Iterator

from apigen.codegen.backend_input import BackendInput, versions
from apigen.codegen.containment import leading_to, structs_of
from apigen.codegen.json_schema.backend import published_default
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import HEADER, Imports, literal, text_literal, tuple_literal
from apigen.codegen.rendering import render
from apigen.ir.graphs import reached
from apigen.ir.model import Field, ListType, MapType, Presence, Struct, StructType, Type, TypeId, struct_in, underlying
from apigen.ir.names import Module
from apigen.ir.requiredness import accepts_null, enforces_required

MODULE = "required"


def requiring_types(backend_input: BackendInput) -> frozenset[TypeId]:
    """Return the structs of versions that have a required field, or lead to one that has."""
    types = backend_input.api.types
    structs = [type_ for type_ in types.values() if isinstance(type_, Struct)]
    own = (s.id for s in structs if any(_is_demanded(field, backend_input) for field in s.fields))
    return leading_to(own, {struct.id: list(structs_of(struct)) for struct in structs})


def requires(struct: Struct, backend_input: BackendInput) -> bool:
    """Return whether documents of a kind are rejected, on request, for required fields that they omit."""
    group = backend_input.api.group(struct.id.group)
    return enforces_required(group) and struct.id in backend_input.once(requiring_types)


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """The module of every version with kinds that must set a field."""
    requiring, api = backend_input.once(requiring_types), backend_input.api
    for version in versions(backend_input):
        kinds = [struct for struct in version.structs if struct.is_root and requires(struct, backend_input)]
        if not kinds:
            continue
        below = reached(
            (kind.id for kind in kinds), lambda id_: (i for i in structs_of(api.struct(id_)) if i in requiring)
        )
        structs = [api.struct(id_) for id_ in api.types if id_ in below]
        module = Module.of(version.group, version.version, MODULE)
        imports = Imports(module, taken=frozenset({"DEFAULTS", "REQUIRED"}))
        required = [f"{imports.type_name(s.id)}: {_members(s, requiring, backend_input, imports)}" for s in structs]
        defaults: list[str] = []
        for struct in structs:  # of members that may lack anything themselves
            leading = [field for field in struct.fields if struct_in(field.type) in requiring]
            values = [(field, published_default(field, backend_input.types)) for field in leading]
            found = [f"{text_literal(f.json_name)}: {literal(value)}" for f, value in values if value is not None]
            if found:
                defaults.append(f"{imports.type_name(struct.id)}: {{{', '.join(found)}}}")
        text = render(
            "required/module.py.jinja",
            header=HEADER,
            title=version.title,
            members=imports.from_runtime("required", "Members"),
            imports=imports.render(),
            required=required,
            defaults=defaults,
        )
        yield text_file(module.path, text)


def _is_demanded(field: Field, backend_input: BackendInput) -> bool:
    """Return whether a document must set the field; a default that always applies sets it."""
    return field.required and published_default(field, backend_input.types) is None


def _members(struct: Struct, found: frozenset[TypeId], backend_input: BackendInput, imports: Imports) -> str:
    """The members that a document must set, and those that lead to such."""
    members: list[str] = []
    for field in struct.fields:
        is_demanded = _is_demanded(field, backend_input)
        if is_demanded or struct_in(field.type) in found:
            presence = Presence.NULLABLE if accepts_null(field) else field.presence
            parts = (text_literal(field.json_name), text_literal(field.py_name), literal(is_demanded))
            shape = _shape(field.type, found, imports)
            members.append(tuple_literal([*parts, text_literal(presence.value), shape]))
    return tuple_literal(members)


def _shape(type_: Type, found: frozenset[TypeId], imports: Imports) -> str:
    """The type as far as it matters: where lists and maps are, and the class within."""
    match underlying(type_):
        case StructType(id_) if id_ in found:
            return imports.type_name(id_)
        case StructType():
            return literal("struct")
        case ListType(item):
            return f'("list", {_shape(item, found, imports)})'
        case MapType(_, value):
            return f'("map", {_shape(value, found, imports)})'
    return literal("scalar")
