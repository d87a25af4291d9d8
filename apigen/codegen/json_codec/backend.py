"""Write the functions that read and write JSON, for each version: `<group>/<version>/json_codec.py`.

Functions work on parsed JSON, not on text: `decode_frobber(value)` and `encode_frobber(obj)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.codegen.backend_input import Compilation
from apigen.codegen.containment import structs_of
from apigen.codegen.json_codec.decode import decode_alias, decode_struct, member_literals, members_constant
from apigen.codegen.json_codec.encode import encode_alias, encode_struct, json_annotation
from apigen.codegen.json_codec.values import MODULE, Names
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import HEADER, Code, Imports, text_literal
from apigen.codegen.rendering import render
from apigen.codegen.types.backend import recursive_types, with_functions
from apigen.codegen.types.by_version import VersionTypes, versions
from apigen.dataclass import dataclass, replace
from apigen.ir.generated_modules import Module
from apigen.ir.graphs import reached
from apigen.ir.model import Alias, Struct, TypeDef, struct_of
from apigen.ir.types import TypeId, WellKnown, WellKnownType, innermost_type

_RAW = frozenset({WellKnown.RAW_EXTENSION, WellKnown.FIELDS_V1})


def raw_names(struct: Struct, types: Mapping[TypeId, TypeDef]) -> list[str]:
    """Return the JSON names of all members below a struct with raw JSON, also in lists and maps; sorted."""
    below = reached([struct.id], lambda id_: structs_of(struct_of(id_, types)))
    fields = ((f.json_name, innermost_type(f.type)) for id_ in below for f in struct_of(id_, types).fields)
    return sorted({name for name, type_ in fields if isinstance(type_, WellKnownType) and type_.known in _RAW})


@dataclass(frozen=True, slots=True)
class TypeLines:
    """The functions of a type, as the template puts them together.

    `members` is the constant with the members of a struct by JSON name, empty for a named list or map; `depth` is the
    parameter that counts where a type may contain itself.
    """

    name: str
    title: str
    type: str
    json_type: str
    members: str
    member_literals: tuple[str, ...]
    depth: str
    decode: str
    encode: str


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """The JSON codec of every version that has structs or named lists or maps."""
    types = compilation.api.types
    recursive = recursive_types(types.values())
    for version in versions(compilation):
        module = Module.of(version.group, version.version, MODULE)
        defined = frozenset(_function_names(version))
        if defined:
            names = Names(Imports(module, defined), types, recursive)
            yield text_file(module.path, _module_text(version, names))


def _function_names(version: VersionTypes) -> list[str]:
    return [f"{verb}_{type_.snake_name}" for type_ in with_functions(version.types) for verb in ("decode", "encode")]


def _module_text(version: VersionTypes, names: Names) -> str:
    lines = [_lines(type_, names) for type_ in with_functions(version.types)]
    unknown_members = names.runtime("UnknownMembers")
    kinds = [struct for struct in version.structs if struct.is_root]
    return render(
        "json_codec/module.py.jinja",
        header=HEADER,
        title=version.title,
        imports=names.imports.render(),
        exported=[text_literal(name) for name in sorted(["RAW_NAMES", *_function_names(version)])],
        raw_names=[
            (text_literal(s.id.name), [text_literal(name) for name in raw_names(s, names.types)]) for s in kinds
        ],
        types=lines,
        unknown_members=unknown_members,
    )


def _lines(type_: Struct | Alias, names: Names) -> TypeLines:
    names = replace(names, counts_depth=type_.id in names.recursive)
    return TypeLines(
        name=type_.snake_name,
        title=type_.id.name,
        type=names.imports.type_name(type_.id),
        json_type=json_annotation(type_),
        members=members_constant(type_) if isinstance(type_, Struct) else "",
        member_literals=member_literals(type_) if isinstance(type_, Struct) else (),
        depth=", depth: int = 0" if names.counts_depth else "",
        decode=_text(decode_struct(type_, names) if isinstance(type_, Struct) else decode_alias(type_, names)),
        encode=_text(encode_struct(type_, names) if isinstance(type_, Struct) else encode_alias(type_, names)),
    )


def _text(code: Code) -> str:
    return code.text().rstrip()
