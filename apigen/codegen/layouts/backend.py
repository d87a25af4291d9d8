"""Writes the layouts of each version and hub: `<group>/<version>/layouts.py`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.codegen.backend_input import BackendInput, VersionTypes, borrowed_classes, versions_and_hubs
from apigen.codegen.containment import structs_of
from apigen.codegen.json_codec.backend import TYPE_META
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import HEADER, Imports, literal, text_literal, tuple_literal
from apigen.codegen.rendering import render
from apigen.codegen.types.annotations import item_can_be_none
from apigen.dataclass import dataclass
from apigen.ir.model import (
    EnumType,
    ListType,
    MapType,
    NamedType,
    Presence,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeId,
    WellKnownType,
    is_container,
    is_nullable,
)
from apigen.ir.names import Module, package_name


@dataclass(frozen=True, slots=True)
class Spelling:
    """Spells the layouts of types in their module."""

    imports: Imports

    def members(self, struct: Struct) -> tuple[tuple[str, ...], ...]:
        """The members of a struct in the order of JSON: name, attribute, type, presence, and numbers on the wire.

        The numbers are those of the inline messages around the member, then its own; members outside of the message
        have none.
        """
        numbers = _inline_numbers(struct)
        meta = TYPE_META if struct.has_type_meta else ()
        written = [_member(name, attribute, '"string"', Presence.OMIT_EMPTY, ()) for name, attribute in meta]
        for field in struct.fields:
            own = () if field.number is None else (*numbers.get(field.via, ()), field.number)
            written.append(_member(field.json_name, field.py_name, self._type(field.type), field.presence, own))
        return tuple(written)

    def inlines(self, struct: Struct) -> tuple[str, ...]:
        """The numbers of each inline message, those around it first."""
        numbers = _inline_numbers(struct)
        return tuple(literal(path) for via, path in numbers.items() if via)

    def _type(self, type_: Type) -> str:
        match type_:
            case ScalarType(scalar):
                return text_literal(scalar.value)
            case WellKnownType(known):
                return text_literal(known.value)
            case EnumType():
                return text_literal(Scalar.STRING.value)
            case ListType(item):
                return f'("list", {self._item(item)})'
            case MapType(_, value):
                return f'("map", {self._item(value)})'
            case NamedType(_, target, nullable) if nullable and is_container(target):
                return f'("message", {self._type(target)})'
            case NamedType(_, target):
                return self._type(target)
            case StructType(id_):
                return self.imports.type_name(id_)

    def _item(self, type_: Type) -> str:
        is_message = is_nullable(type_) and is_container(type_)
        text = self._type(type_)
        return f'("nullable", {text})' if item_can_be_none(type_) and not is_message else text


def _inline_numbers(struct: Struct) -> dict[tuple[str, ...], tuple[int, ...]]:
    """Return the numbers of inline fields that lead to a message, by the names of these fields; outer ones come first."""
    found: dict[tuple[str, ...], tuple[int, ...]] = {(): ()}
    for inline in sorted(struct.inlines, key=lambda inline: len(inline.via)):
        if inline.number is not None:
            found[(*inline.via, inline.name)] = (*found[inline.via], inline.number)
    return found


def _member(name: str, attribute: str, type_: str, presence: Presence, numbers: tuple[int, ...]) -> tuple[str, ...]:
    return (text_literal(name), text_literal(attribute), type_, text_literal(presence.value), literal(numbers))


MODULE = "layouts"


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """The layouts of every version and hub that has structs."""
    borrowed = backend_input.once(borrowed_classes)
    for version in versions_and_hubs(backend_input):
        if not version.structs:
            continue
        structs = [struct for struct in version.structs if struct.id not in borrowed]
        module = Module.of(version.group, version.version, MODULE)
        imports = Imports(module, taken=frozenset({"INLINES", "LAYOUTS", "NEEDS"}))
        spelling = Spelling(imports)
        layouts = [
            {
                "type": imports.type_name(struct.id),
                "members": [f"({', '.join(parts)})," for parts in spelling.members(struct)],
                "inlines": tuple_literal(spelling.inlines(struct)) if struct.inlines else "",
            }
            for struct in structs
        ]
        text = render(
            "layouts/module.py.jinja",
            header=HEADER,
            title=version.title,
            members=imports.from_runtime("layouts", "Members"),
            imports=imports.render(),
            needs=literal(tuple(_needs(version, structs, borrowed))),
            layouts=layouts,
            with_inlines=[layout for layout in layouts if layout["inlines"]],
        )
        yield text_file(module.path, text)


def _needs(version: VersionTypes, structs: Iterable[Struct], borrowed: Mapping[TypeId, TypeId]) -> list[str]:
    """Return the packages of other versions whose structs are used."""
    met = [*(id_ for struct in structs for id_ in structs_of(struct)), *(struct.id for struct in version.structs)]
    found = {(id_.group, id_.version) for id_ in (borrowed.get(id_, id_) for id_ in met)}
    found.discard((version.group, version.version))
    return sorted(f"{package_name(group)}.{name}" for group, name in found)
