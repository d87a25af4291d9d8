"""Writes functions that report deprecated fields and values in objects: `<group>/<version>/deprecations.py`, for
versions that have any.

A function of a type yields each deprecated field that is set, and each deprecated value, with its path.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.codegen.backend_input import BackendInput, versions
from apigen.codegen.containment import leading_to, structs_of
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import HEADER, Imports, call, literal, numbered, path_literal, text_literal
from apigen.codegen.python.values import not_zero
from apigen.codegen.python.walking import loop_variable
from apigen.codegen.rendering import render
from apigen.codegen.types.annotations import item_can_be_none
from apigen.dataclass import dataclass
from apigen.ir.model import (
    Api,
    Enum,
    EnumType,
    Field,
    Lifecycle,
    ListType,
    MapType,
    Presence,
    Struct,
    StructType,
    Type,
    TypeId,
    innermost_type,
    is_container,
    underlying,
)
from apigen.ir.names import Module

MODULE = "deprecations"

_TAKEN = ("i", "key")
"""Names of indices and keys."""


def deprecating_types(backend_input: BackendInput) -> frozenset[TypeId]:
    """Return the structs of versions with a deprecated field or value, or that contain such a struct.

    Types of another release series are values: they are not deprecated by a release of the series of the holder.
    """
    api, types = backend_input.api, backend_input.api.types
    structs = [type_ for type_ in types.values() if isinstance(type_, Struct)]
    contained = {s.id: [id_ for id_ in structs_of(s) if not api.is_value(s.id, id_)] for s in structs}
    return leading_to((struct.id for struct in structs if _has_own(struct, api)), contained)


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """The module of every version that has anything deprecated."""
    found = deprecating_types(backend_input)
    for version in versions(backend_input):
        structs = [struct for struct in version.structs if struct.id in found]
        if structs:
            module = Module.of(version.group, version.version, MODULE)
            names = _Names(Imports(module), backend_input.api, found)
            written = [
                {
                    "name": struct.snake_name,
                    "title": struct.id.name,
                    "type": names.imports.type_name(struct.id),
                    "fields": [_field(field, struct.id, names) for field in struct.fields],
                }
                for struct in structs
            ]
            text = render(
                "deprecations/module.py.jinja",
                header=HEADER,
                title=version.title,
                iterator=names.imports.standard("collections.abc", "Iterator"),
                deprecation=names.deprecation,
                imports=names.imports.render(),
                exported=[text_literal(f"{name}_deprecations") for name in sorted(s.snake_name for s in structs)],
                types=written,
            )
            yield text_file(module.path, text)


@dataclass(frozen=True, slots=True)
class _Names:
    """The names that the current module uses, and the structs that have a function."""

    imports: Imports
    api: Api
    deprecating: frozenset[TypeId]

    @property
    def deprecation(self) -> str:
        return self.imports.runtime("Deprecation")

    def function(self, id_: TypeId) -> str:
        return self.imports.function(id_, MODULE, f"{self.api.types[id_].snake_name}_deprecations")

    def is_holder(self, type_: Type, holder: TypeId) -> bool:
        """Return whether a type in a struct is a struct with deprecated elements."""
        if not isinstance(type_, StructType) or type_.id not in self.deprecating:
            return False
        return not self.api.is_value(holder, type_.id)


def _has_own(struct: Struct, api: Api) -> bool:
    return any(
        f.lifecycle.deprecated is not None or _values(innermost_type(f.type), api, struct.id) for f in struct.fields
    )


def _values(type_: Type, api: Api, holder: TypeId | None = None) -> Mapping[str, Lifecycle]:
    """The deprecated values of an enum; none where `holder` is a struct of another release series."""
    enum = None
    if isinstance(type_, EnumType) and (holder is None or not api.is_value(holder, type_.id)):
        enum = api.types[type_.id]
    values = enum.values if isinstance(enum, Enum) else ()
    return {value.value: value.lifecycle for value in values if value.lifecycle.deprecated is not None}


@dataclass(frozen=True, slots=True)
class _Place:
    """A value that is deprecated or has deprecated values below it.

    A list or map has a loop over `elements`, with the variables `index` and that of the `item`; a struct has a `function`,
    with an argument for its `path`; an enum has the literals of its `deprecated` values, each with its deprecation.
    """

    value: str
    can_be_none: bool
    index: str = ""
    elements: str = ""
    item: _Place | None = None
    function: str = ""
    path: str = ""
    deprecated: tuple[tuple[str, str], ...] = ()


def _field(field: Field, holder: TypeId, names: _Names) -> dict[str, object]:
    """Return the deprecation of a field, if it is deprecated, and its place, if something below it is."""
    value, inner, deprecation, is_set = f"obj.{field.py_name}", innermost_type(field.type), "", ""
    if field.lifecycle.deprecated is not None:
        # a list or map that is omitted if it is empty counts as unset then
        is_omitted = is_container(field.type) and field.presence in (Presence.PLAIN, Presence.OMIT_EMPTY)
        is_set = value if is_omitted else not_zero(value, field, names.imports)
        deprecation = _deprecation_call(field.lifecycle, path_literal(field.json_name), None, names)
    has_below = names.is_holder(inner, holder) or _values(inner, names.api, holder)
    place = _place(field.type, field.can_be_none, value, field, names) if has_below else None
    return {"deprecation": deprecation, "is_set": is_set, "place": place}


def _place(
    type_: Type, can_be_none: bool, value: str, field: Field, names: _Names, indices: tuple[str, ...] = ()
) -> _Place:
    """Return the place of a field or, below that, the one at the variables `indices` of loops."""
    type_, depth, at = underlying(type_), len(indices), "".join(f"[{{{index}}}]" for index in indices)
    match type_:
        case ListType(inner):
            index, elements = numbered("i", depth), f"enumerate({value})"
        case MapType(_, inner):
            index, elements = numbered("key", depth), f"{value}.items()"
        case StructType(id_):
            path = path_literal(field.json_name, f"{at}.")
            return _Place(value, can_be_none, function=names.function(id_), path=path)
        case _:
            path, values = path_literal(field.json_name, at), _values(type_, names.api).items()
            deprecated = tuple((literal(known), _deprecation_call(each, path, known, names)) for known, each in values)
            return _Place(value, can_be_none, deprecated=deprecated)
    variable = numbered(_item_name(type_, field), depth)
    item = _place(inner, item_can_be_none(inner), variable, field, names, (*indices, index))
    return _Place(value, can_be_none, index, elements, item)


def _item_name(type_: Type, field: Field) -> str:
    """Return the loop variable for an element, named after its type, so that each name has one type in a function."""
    element = type_.item if isinstance(type_, ListType) else type_.value if isinstance(type_, MapType) else type_
    if is_container(element):
        return f"{field.py_name}_items"
    inner = underlying(element)
    return loop_variable(StructType(inner.id), _TAKEN) if isinstance(inner, StructType | EnumType) else "item"


def _deprecation_call(lifecycle: Lifecycle, path: str, value: str | None, names: _Names) -> str:
    removed, replacement = lifecycle.removed, lifecycle.replacement
    return call(
        names.deprecation,
        path,
        literal(str(lifecycle.deprecated)),
        removed="" if removed is None else literal(str(removed)),
        instead="" if replacement is None else literal(replacement.path),
        value="" if value is None else literal(value),
    )
