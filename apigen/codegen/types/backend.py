"""Writes the classes of each version and hub: `<group>/<version>/types.py`."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterable, Iterator
from typing import TypeGuard

from apigen.codegen.backend_input import BackendInput, VersionTypes, borrowed_classes, versions_and_hubs
from apigen.codegen.containment import nested_in_themselves
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import HEADER, Imports, text_literal
from apigen.codegen.rendering import render
from apigen.codegen.types.annotations import ModuleCycles, Spelling, aliases_in_order, structs_in_order
from apigen.ir.model import (
    Alias,
    Enum,
    EnumValue,
    Lifecycle,
    ListType,
    MapType,
    NamedType,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    is_container,
    underlying,
)
from apigen.ir.names import Module
from apigen.language.model import GateJoin, GateSpec

WIDTH = 80
"""The length from which a line of documentation is wrapped."""


def struct_doc(struct: Struct, title: str) -> str:
    """The docstring of a class; `title` is how documentation calls its version."""
    if _says_something(struct.doc):
        doc = struct.doc
    elif struct.list_of is not None:
        doc = f"A list of {struct.list_of.name} objects."
    elif struct.kind is not None:
        doc = f"The kind {struct.id.name} of {title}."
    else:
        doc = f"{struct.id.name} of {title}."
    return _joined(doc, _deprecation(struct.lifecycle))


def value_doc(value: EnumValue) -> str:
    """Return the docstring below a member of an enum; it may be empty."""
    return _joined(value.doc, _gate(value.gate), _roll_out(value), _deprecation(value.lifecycle))


def _roll_out(value: EnumValue) -> str:
    if value.tolerated is None:
        return ""
    introduced = value.lifecycle.introduced
    kept = f"objects that have it keep it from release {value.tolerated} on"
    return f"{kept[0].upper()}{kept[1:]}." if introduced is None else f"Accepted from release {introduced} on; {kept}."


def _gate(gate: GateSpec | None) -> str:
    if gate is None:
        return ""
    names = [located.value for located in gate.gates]
    if len(names) == 1:
        return f"Needs the feature gate {names[0]}."
    joined = (" and " if gate.join is GateJoin.ALL else " or ").join(names)
    return f"Needs the feature gates {joined}."


def _deprecation(lifecycle: Lifecycle) -> str:
    if lifecycle.deprecated is None and lifecycle.removed is None:
        return ""
    since = f" since {lifecycle.deprecated}" if lifecycle.deprecated else ""
    until = f", removed in {lifecycle.removed}" if lifecycle.removed else ""
    return f"Deprecated{since}{until}{_instead(lifecycle)}."


def _instead(lifecycle: Lifecycle) -> str:
    new = lifecycle.replacement
    if new is None:
        return ""
    if new.path:
        return f": use {new.path}"
    version = f"{new.group}/{new.version}" if new.group else new.version
    return f": use {version} {new.kind}"


def _joined(*paragraphs: str | None) -> str:
    return "\n\n".join(wrapped(p) for p in paragraphs if _says_something(p))


def _says_something(text: str | None) -> TypeGuard[str]:
    return text is not None and text.strip() != ""


def wrapped(text: str) -> str:
    """`text` with its lines, those over `WIDTH` wrapped below their own indentation."""
    lines: list[str] = []
    for line in inspect.cleandoc(text.replace("\r\n", "\n").replace("\r", "\n")).split("\n"):
        if len(line) <= WIDTH:
            lines.append(line)
        else:
            margin = line[: len(line) - len(line.lstrip())]
            lines += textwrap.wrap(
                line, WIDTH, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False
            )
    return "\n".join(lines)


_HUB = "\n\nAll versions convert to and from them; they are never written on the wire."

TemplateValues = dict[str, object]


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """The module of classes of every version and hub."""
    cycles = ModuleCycles.of(backend_input.types)
    for version in versions_and_hubs(backend_input):
        module = Module.of(version.group, version.version, "types")
        yield text_file(module.path, _module_text(backend_input, module, version, cycles))


def _module_text(backend_input: BackendInput, module: Module, version: VersionTypes, cycles: ModuleCycles) -> str:
    imports = Imports(module)
    borrowed = backend_input.once(borrowed_classes)
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
        imports.runtime("StrEnum")
    if classes:
        imports.runtime("dataclass")
    if any(alias["is_quoted"] for alias in aliases):
        imports.standard("typing", "TypeAlias")
    return render(
        "types/module.py.jinja",
        header=HEADER,
        summary=f"Types of {version.title}.{_HUB if version.is_hub else ''}",
        imports=imports.render(),
        exported=[text_literal(name) for name in sorted(type_.id.name for type_ in version.types)],
        enums=enums,
        classes=classes,
        aliases=aliases,
    )


def _class(struct: Struct, version: VersionTypes, imports: Imports, cycles: ModuleCycles) -> TemplateValues:
    type_meta = ("api_version", "kind") if struct.has_type_meta else ()
    imports.taken = frozenset({*type_meta, *(f.py_name for f in struct.fields)})
    text = imports.builtin("str")
    values = (text_literal(version.api_version), text_literal(struct.id.name))
    fields: list[TemplateValues] = [
        {"name": name, "annotation": text, "default": value, "doc": ""}
        for name, value in zip(type_meta, values, strict=False)
    ]
    spelling = Spelling(imports, struct.id, cycles)
    for field in struct.fields:
        annotation = spelling.annotation(field.type, field.can_be_none)
        doc = _joined(field.doc, _gate(field.gate), _deprecation(field.lifecycle))
        fields.append({"name": field.py_name, "annotation": annotation, "default": spelling.default(field), "doc": doc})
    return {"name": struct.id.name, "doc": struct_doc(struct, version.title), "fields": fields}


def _enum(enum: Enum, title: str, imports: Imports) -> TemplateValues:
    """Return the values for an enum. `unknown` is the member for unknown values, which the class cannot express itself."""
    imports.taken = frozenset(value.py_name for value in enum.values)
    doc = enum.doc if _says_something(enum.doc) else f"{enum.id.name} of {title}."
    unknown = next((v.py_name for v in enum.values if v.value == enum.unknown), None)
    names = ("classmethod", "isinstance", "object", "str") if unknown else ()
    return {
        "name": enum.id.name,
        "doc": _joined(doc, "Objects may hold values that are not listed here."),
        "members": [
            {"name": value.py_name, "value": text_literal(value.value), "doc": value_doc(value)}
            for value in enum.values
        ],
        "unknown": unknown,
        "builtins": {name: imports.builtin(name) for name in names},
    }


def _alias(alias: Alias, imports: Imports, cycles: ModuleCycles) -> TemplateValues:
    imports.taken = frozenset()
    target = Spelling(imports, alias.id, cycles).annotation(alias.target)
    is_quoted = cycles.names_late(alias)
    return {
        "name": alias.id.name,
        "target": text_literal(target) if is_quoted else target,
        "is_quoted": is_quoted,
        "doc": _joined(alias.doc, "A value of a map may be None." if alias.nullable else ""),
    }


def with_functions(types: Iterable[TypeDef]) -> tuple[Struct | Alias, ...]:
    """The types that have functions of their own: structs, and names for lists and maps."""
    return tuple(t for t in types if isinstance(t, Struct) or (isinstance(t, Alias) and is_container(t.target)))


def called(type_: Type) -> TypeId | None:
    """Return the type whose functions read and write values of `type_`; None if no function is needed."""
    while isinstance(type_, NamedType):
        if is_container(type_):
            return type_.id
        type_ = type_.target
    return type_.id if isinstance(type_, StructType) else None


def recursive_types(types: Iterable[TypeDef]) -> frozenset[TypeId]:
    """Return the types whose functions may call themselves, directly or indirectly."""
    functions = {type_.id: type_ for type_ in with_functions(types)}
    calls: dict[TypeId, set[TypeId]] = {}
    for id_, type_ in functions.items():
        values = [field.type for field in type_.fields] if isinstance(type_, Struct) else [type_.target]
        calls[id_] = {called_type for value in values for called_type in _called_within(value)} & functions.keys()
    return nested_in_themselves(calls)


def _called_within(type_: Type) -> Iterator[TypeId]:
    function = called(type_)
    behind = underlying(type_)
    if function is not None:
        yield function
    elif isinstance(behind, ListType):
        yield from _called_within(behind.item)
    elif isinstance(behind, MapType):
        yield from _called_within(behind.value)
