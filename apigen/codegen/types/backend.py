"""Writes the classes of each version and hub: `<group>/<version>/types.py`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.codegen.backend_input import Compilation
from apigen.codegen.output import OutputFile, nonempty_file
from apigen.codegen.python.code import text_literal
from apigen.codegen.python.modules import HEADER, Imports
from apigen.codegen.rendering import render
from apigen.codegen.types.annotations import Spelling
from apigen.codegen.types.borrowed import borrowed_classes
from apigen.codegen.types.by_version import VersionTypes, versions_and_hubs
from apigen.codegen.types.docs import alias_doc, enum_doc, field_doc, struct_doc, unknown_doc, value_doc
from apigen.codegen.types.order import ModuleCycles, aliases_in_order, structs_in_order
from apigen.dataclass import dataclass
from apigen.ir.generated_modules import Module
from apigen.ir.model import Alias, Enum, Field, Struct

_HUB = "All versions convert to and from them; they are never written on the wire."


@dataclass(frozen=True, slots=True)
class FieldLines:
    """A field of a class: `name: annotation = default`, and the docstring below it if `doc` is not empty."""

    name: str
    annotation: str
    default: str
    doc: str = ""


@dataclass(frozen=True, slots=True)
class ClassLines:
    """A dataclass."""

    name: str
    doc: str
    fields: tuple[FieldLines, ...]


@dataclass(frozen=True, slots=True)
class MemberLines:
    """A member of an enum; `value` is a literal."""

    name: str
    value: str
    doc: str


@dataclass(frozen=True, slots=True)
class EnumLines:
    """An enum; `unknown` is the member that text of no member counts as. The rest says how to spell builtins."""

    name: str
    doc: str
    members: tuple[MemberLines, ...]
    unknown: str | None
    unknown_doc: str
    builtins: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class AliasLines:
    """A name for a type, which is text where the type may not be there yet."""

    name: str
    target: str
    is_quoted: bool
    doc: str


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """The module of classes of every version and hub."""
    cycles = ModuleCycles.of(compilation.types)
    for version in versions_and_hubs(compilation):
        module = Module.of(version.group, version.version, "types")
        yield from nonempty_file(module.path, _module_text(compilation, module, version, cycles))


def _module_text(compilation: Compilation, module: Module, version: VersionTypes, cycles: ModuleCycles) -> str:
    imports = Imports(module)
    borrowed = compilation.once(borrowed_classes)
    own = [type_ for type_ in version.types if type_.id not in borrowed]
    for type_ in version.types:
        if type_.id in borrowed:
            lender = borrowed[type_.id]
            imports.name(Module.of(lender.group, lender.version, "types"), lender.name)
    enums = [_enum(t, version.title, imports) for t in own if isinstance(t, Enum)]
    structs = structs_in_order(s for s in own if isinstance(s, Struct))
    classes = [_class(s, version, imports, cycles) for s in structs]
    aliases = [_alias(a, imports, cycles) for a in aliases_in_order(version.aliases)]
    imports.taken = frozenset()
    if enums:
        imports.runtime("StrEnum", "enums")
    if classes:
        imports.runtime("dataclass", "dataclasses")
    if any(alias.is_quoted for alias in aliases):
        imports.standard("typing", "TypeAlias")
    return render(
        "types/module.py.jinja",
        header=HEADER,
        summary=_summary(version),
        imports=imports.render(),
        exported=[text_literal(name) for name in sorted(type_.id.name for type_ in version.types)],
        enums=enums,
        classes=classes,
        aliases=aliases,
    )


def _summary(version: VersionTypes) -> str:
    summary = f"Types of {version.title}."
    return f"{summary}\n\n{_HUB}" if version.is_hub else summary


def _class(struct: Struct, version: VersionTypes, imports: Imports, cycles: ModuleCycles) -> ClassLines:
    type_meta = ("api_version", "kind") if struct.has_type_meta else ()
    imports.taken = frozenset({*type_meta, *(f.py_name for f in struct.fields)})
    text = imports.builtin("str")
    values = (text_literal(version.api_version), text_literal(struct.id.name))
    fields = [FieldLines(name, text, value) for name, value in zip(type_meta, values, strict=False)]
    spelling = Spelling(imports, struct.id, cycles)
    fields += [_field(field, spelling) for field in struct.fields]
    return ClassLines(struct.id.name, struct_doc(struct, version.title), tuple(fields))


def _field(field: Field, spelling: Spelling) -> FieldLines:
    annotation = spelling.annotation(field.type, field.can_be_none)
    return FieldLines(field.py_name, annotation, spelling.default(field), field_doc(field))


def _enum(enum: Enum, title: str, imports: Imports) -> EnumLines:
    imports.taken = frozenset(value.py_name for value in enum.values)
    members = tuple(MemberLines(v.py_name, text_literal(v.value), value_doc(v)) for v in enum.values)
    unknown = next((v.py_name for v in enum.values if v.value == enum.unknown), None)
    names = ("classmethod", "isinstance", "object", "str") if unknown else ()
    builtins = {name: imports.builtin(name) for name in names}
    return EnumLines(enum.id.name, enum_doc(enum, title), members, unknown, unknown_doc(unknown or ""), builtins)


def _alias(alias: Alias, imports: Imports, cycles: ModuleCycles) -> AliasLines:
    imports.taken = frozenset()
    target = Spelling(imports, alias.id, cycles).annotation(alias.target)
    is_quoted = cycles.names_late(alias)
    return AliasLines(alias.id.name, text_literal(target) if is_quoted else target, is_quoted, alias_doc(alias))
