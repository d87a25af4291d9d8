"""Write the functions that read and write JSON, for each version: `<group>/<version>/json_codec.py`.

Functions work on parsed JSON, not on text: `decode_frobber(value)` and `encode_frobber(obj)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from apigen.codegen.backend_input import BackendInput, versions
from apigen.codegen.containment import structs_of
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import HEADER, Imports, alternative, numbered, pair, text_literal
from apigen.codegen.python.values import blank, is_loop, zero
from apigen.codegen.python.walking import ItemVariables
from apigen.codegen.rendering import render
from apigen.codegen.types.annotations import item_can_be_none
from apigen.codegen.types.backend import called, recursive_types, with_functions
from apigen.dataclass import dataclass, replace
from apigen.ir.graphs import reached
from apigen.ir.model import (
    STRING,
    Alias,
    EnumType,
    Field,
    ListType,
    MapType,
    Presence,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    WellKnown,
    WellKnownType,
    innermost_type,
    is_bytes,
    is_text,
    struct_of,
    underlying,
    zero_is_none,
)
from apigen.ir.names import Module, snake_case

MODULE = "json_codec"

TYPE_META = (("kind", "kind"), ("apiVersion", "api_version"))
"""JSON and Python names of the members that kinds and lists have in addition to their fields, in the order of JSON."""

_RAW = frozenset({WellKnown.RAW_EXTENSION, WellKnown.FIELDS_V1})


def raw_names(struct: Struct, types: Mapping[TypeId, TypeDef]) -> list[str]:
    """Return the JSON names of all members below a struct with raw JSON, also in lists and maps; sorted."""
    below = reached([struct.id], lambda id_: structs_of(struct_of(id_, types)))
    fields = ((f.json_name, innermost_type(f.type)) for id_ in below for f in struct_of(id_, types).fields)
    return sorted({name for name, type_ in fields if isinstance(type_, WellKnownType) and type_.known in _RAW})


@dataclass(frozen=True, slots=True)
class Names:
    """The names that the current module uses, with their imports.

    `recursive` are the types that may contain themselves; the function that is written is of one of them if
    `counts_depth`.
    """

    imports: Imports
    types: Mapping[TypeId, TypeDef]
    recursive: frozenset[TypeId]
    counts_depth: bool = False

    def function(self, verb: str, id_: TypeId) -> str:
        """The function of a type that has one; `verb` is `decode` or `encode`."""
        return self.imports.function(id_, MODULE, f"{verb}_{self.types[id_].snake_name}")

    def depth(self, id_: TypeId) -> str:
        """Return the argument with the current depth for the function of another type."""
        return ", depth + 1" if self.counts_depth and id_ in self.recursive else ""

    def runtime(self, name: str) -> str:
        """A name of the run-time library."""
        return self.imports.runtime(name)


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """The JSON codec of every version that has structs or named lists or maps."""
    types = backend_input.api.types
    recursive = recursive_types(types.values())
    for version in versions(backend_input):
        types_with_functions = with_functions(version.types)
        if not types_with_functions:
            continue
        module = Module.of(version.group, version.version, MODULE)
        defined = [f"{verb}_{type_.snake_name}" for type_ in types_with_functions for verb in ("decode", "encode")]
        names = Names(Imports(module, frozenset(defined)), types, recursive)
        kinds = [struct for struct in version.structs if struct.is_root]
        written = [_function_values(type_, names) for type_ in types_with_functions]
        text = render(
            "json_codec/module.py.jinja",
            header=HEADER,
            title=version.title,
            types=written,
            library=_library(written, names),
            imports=names.imports.render(),
            exported=[text_literal(name) for name in sorted(["RAW_NAMES", *defined])],
            raw_names=[
                (text_literal(kind.id.name), [text_literal(name) for name in raw_names(kind, types)]) for kind in kinds
            ],
        )
        yield text_file(module.path, text)


def _library(types: Sequence[Mapping[str, object]], names: Names) -> dict[str, str]:
    """Return the names of the run-time library that the template uses for the values of these types."""
    structs = [type_ for type_ in types if type_["is_struct"]]
    used = ["UnknownMembers"]
    if structs:
        used += ["decode_object", "new", "unfit_object"]
    if any(struct["attributes"] for struct in structs):
        used += ["DecodeError", "located"]
    library = {name: names.runtime(name) for name in used}
    if any(type_["depth"] for type_ in types):
        library["check_depth"] = names.imports.runtime("check_depth", "wire_reading")
        library["check_nesting"] = names.imports.runtime("check_nesting", "wire_writing")
    return library


def _function_values(type_: Struct | Alias, names: Names) -> dict[str, object]:
    """Return the values of the template for the two functions of a type; `depth` is the parameter that counts where it
    may contain itself.
    """
    names = replace(names, counts_depth=type_.id in names.recursive)
    values: dict[str, object] = {
        "name": type_.snake_name,
        "title": type_.id.name,
        "type": names.imports.type_name(type_.id),
        "depth": ", depth: int = 0" if names.counts_depth else "",
    }
    return values | (_struct_values(type_, names) if isinstance(type_, Struct) else _container_values(type_, names))


def _container_values(type_: Alias, names: Names) -> dict[str, object]:
    """Return the expressions that read and write a named list or map, and the type of its JSON."""
    is_list = isinstance(underlying(type_.target), ListType)
    return {
        "is_struct": False,
        "json_type": "list[object]" if is_list else "dict[str, object]",
        "read": _read_container(type_.target, "value", names, path=", path"),
        "written": _write(type_.target, "obj", names),
    }


def _struct_values(struct: Struct, names: Names) -> dict[str, object]:
    """Return the members of a struct.

    `members` is the constant with their attributes by JSON name. `attributes` are read in this order, and each one is set
    once: the first missing one is where reading failed. `leading` is the dict display of all members before the first one
    with a test, `rest` are the other members.
    """
    variables = ItemVariables("encode", _OWN_NAMES)
    members = [_member(field, names, variables) for field in struct.fields]
    leading = [] if struct.has_type_meta else list(takewhile(lambda member: not member.test, members))
    display, rest = ", ".join(pair(each.name, each.value, 8) for each in leading), members[len(leading) :]
    return {
        "is_struct": True,
        "has_type_meta": struct.has_type_meta,
        "json_type": "dict[str, object]",
        "members": members_constant(struct),
        "member_literals": member_literals(struct),
        "attributes": list(_attributes(struct, names)),
        "leading": f"{{{display}}}",
        "rest": rest,
        "has_items": any(member.variable for member in rest),
    }


def members_constant(struct: Struct) -> str:
    """Return the name of the constant with the members of a struct."""
    return f"_{struct.snake_name.upper()}_MEMBERS"


def member_literals(struct: Struct) -> tuple[str, ...]:
    """The entries of that constant, as `"podIPs": "pod_ips"`, in the order in which members are read."""
    type_meta = TYPE_META if struct.has_type_meta else ()
    members = (*type_meta, *((field.json_name, field.py_name) for field in struct.fields))
    return tuple(f"{text_literal(json_name)}: {text_literal(attribute)}" for json_name, attribute in members)


def _attributes(struct: Struct, names: Names) -> Iterator[tuple[str, str]]:
    """Yield the attributes of a struct, each with the expression that reads it from `data`."""
    for json_name, attribute in TYPE_META if struct.has_type_meta else ():
        yield attribute, _value(STRING, json_name, names)
    for field in struct.fields:
        value = _value_or_none if field.can_be_none else _value
        yield field.py_name, value(field.type, field.json_name, names)


def _value(type_: Type, json_name: str, names: Names) -> str:
    """Return an expression for a member: its zero value if it is absent; the reading function handles null."""
    name = text_literal(json_name)
    read = _read(type_, f"data[{name}]", names)
    if _scalar(type_) is Scalar.STRING:
        read = _string(type_, f"member := data[{name}]", names)
    elif is_bytes(type_):
        read = f'({read} or b"")'
    return f"{read} if {name} in data else {zero(type_, False, names.imports)}"


def _value_or_none(type_: Type, json_name: str, names: Names) -> str:
    """Return an expression for a member: `None` if it is absent or null."""
    name = text_literal(json_name)
    read = _string(type_, "member", names) if _scalar(type_) is Scalar.STRING else _read(type_, "member", names)
    return f"{read} if {name} in data and (member := data[{name}]) is not None else None"


def _string(type_: Type, member: str, names: Names) -> str:
    """An expression that reads a string, the most frequent type of all, so that it is checked in place."""
    return f"(member if type({member}) is str else {_read(type_, 'member', names)})"


def _read(type_: Type, value: str, names: Names) -> str:
    """An expression that reads the expression `value`; errors tell places below it."""
    function = called(type_)
    if function is not None:
        return f'{names.function("decode", function)}({value}, "", unknown{names.depth(function)})'
    if isinstance(underlying(type_), ListType | MapType):
        return _read_container(type_, value, names)
    return f"{_library_function(type_, names)}({value})"


def _read_container(type_: Type, value: str, names: Names, path: str = "") -> str:
    """Return an expression that reads a list or map; `path` is the argument with its path in the object, if that is
    known.
    """
    behind = underlying(type_)
    is_list = isinstance(behind, ListType)
    item = behind.item if isinstance(behind, ListType) else behind.value if isinstance(behind, MapType) else behind
    if _scalar(item) is Scalar.STRING:
        return f"{names.runtime('decode_strings' if is_list else 'decode_string_map')}({value}{path})"
    if _is_read_by_library(item):
        decode = names.runtime("decode_scalars" if is_list else "decode_scalar_map")
        return f"{decode}({value}, {_library_function(item, names)}{path})"
    decode = names.runtime("decode_items" if is_list else "decode_values")
    return f"{decode}({value}, {_item_function(item, names)}, unknown{path})"


def _item_function(item: Type, names: Names) -> str:
    """A function of an element, its path and `unknown`: that of its type, unless null or depth take more."""
    function = called(item)
    if function is not None and not item_can_be_none(item) and not names.depth(function):
        return names.function("decode", function)
    if function is None:
        return f"lambda item, path, unknown: {_read_container(item, 'item', names, path=', path')}"
    null = "None if item is None else " if item_can_be_none(item) else ""
    read = f"{names.function('decode', function)}(item, path, unknown{names.depth(function)})"
    return f"lambda item, path, unknown: {null}{read}"


def _is_read_by_library(type_: Type) -> bool:
    """Return whether functions of the run-time library read a type, without any of the generated ones."""
    if called(type_) is not None:
        return False
    behind = underlying(type_)
    if isinstance(behind, ListType):
        return _scalar(behind.item) is Scalar.STRING
    return not isinstance(behind, MapType) or _scalar(behind.value) is Scalar.STRING


def _library_function(type_: Type, names: Names) -> str:
    match underlying(type_):
        case ListType():
            return names.runtime("decode_strings")
        case MapType():
            return names.runtime("decode_string_map")
        case WellKnownType(known):
            return names.runtime(f"decode_{snake_case(known.value)}")
        case ScalarType(scalar):
            return names.runtime(f"decode_{scalar.value}")
    return names.runtime("decode_string")


def _scalar(type_: Type) -> Scalar | None:
    """Return the scalar that represents a type in JSON, string for enums; None for other types."""
    behind = underlying(type_)
    if called(type_) is not None:
        return None
    if isinstance(behind, EnumType):
        return Scalar.STRING
    return behind.scalar if isinstance(behind, ScalarType) else None


_BY_FUNCTION: Mapping[Scalar | WellKnown, str] = {
    Scalar.INT32: "encode_int32",
    Scalar.INT64: "encode_int64",
    Scalar.UINT32: "encode_uint32",
    Scalar.UINT64: "encode_uint64",
    Scalar.FLOAT32: "encode_float32",
    Scalar.FLOAT64: "encode_float64",
    Scalar.BYTES: "encode_bytes",
    WellKnown.TIME: "encode_time",
    WellKnown.MICRO_TIME: "encode_micro_time",
    WellKnown.DURATION: "encode_duration",
    WellKnown.QUANTITY: "encode_quantity",
    WellKnown.INT_OR_STRING: "encode_int_or_string",
    WellKnown.RAW_EXTENSION: "encode_raw_extension",
    WellKnown.FIELDS_V1: "encode_fields_v1",
}
"""The functions of the runtime that check values of a type, and return their JSON."""

_USUAL = 1_000_000_000
"""Integers below fit any integer type, and Python compares them with this faster than with larger ones."""

_OWN_NAMES = ("data", "elements", "items", "sorted_entries", "sorted_keys", "unfit_object", *_BY_FUNCTION.values())
"""Names that variables of elements must not have."""


@dataclass(frozen=True, slots=True)
class _Member:
    """A member of JSON: its value, if `test` is true or empty; the value of each `variable` of `elements`, if it is a
    list that is written element by element.

    If the test is false, the member is null if `is_null_otherwise`, else it is omitted.
    """

    name: str
    value: str
    test: str = ""
    is_null_otherwise: bool = False
    variable: str = ""
    elements: str = ""


def _member(field: Field, names: Names, variables: ItemVariables) -> _Member:
    name, value = text_literal(field.json_name), f"obj.{field.py_name}"
    is_always_written = field.presence in (Presence.PLAIN, Presence.NULLABLE)
    if is_always_written and not (field.can_be_none and is_loop(_write(field.type, value, names))):
        return _Member(name, _write_optional(field.type, value, field.can_be_none, names))
    test, item = _is_written(field, names), _struct_item(field.type)
    if item is not None:
        variable = variables.of(item)
        is_checked = field.presence is Presence.OMIT_EMPTY
        elements = value if is_checked else f"{names.runtime('elements')}({value})"
        return _Member(name, _write_item(item, variable, names, 1), test, is_always_written, variable, elements)
    if underlying(field.type) == ScalarType(Scalar.BOOL):  # type checkers know that it is True or wrong here
        return _Member(name, f"{names.runtime('encode_bool')}({value})", test)
    return _Member(name, _write(field.type, value, names), test, is_always_written)


def _struct_item(type_: Type) -> Type | None:
    """Return the item type of a list of structs that is written inline; None for other types."""
    behind = underlying(type_)
    if called(type_) is not None or not isinstance(behind, ListType):
        return None
    return behind.item if isinstance(underlying(behind.item), StructType) else None


def _is_written(field: Field, names: Names) -> str:
    """Return a test whether a field is written: it is not `None`, or not zero if zero represents an unset value."""
    value = f"obj.{field.py_name}"
    if field.presence is not Presence.OMIT_EMPTY or zero_is_none(field.type):
        return f"{value} is not None"
    match underlying(field.type):
        case StructType() as struct:
            return f"{value} != {blank(struct, names.imports)}"
        case ListType():
            return f"{value} is not None and {value} > []"
        case MapType():
            return f"{value} is not None and {value} != {{}}"
        case ScalarType(Scalar.BYTES):
            return f'{value} is not None and {value} != b""'
        case ScalarType(Scalar.STRING) | EnumType():
            return f'{value} != ""'
        case ScalarType(Scalar.BOOL):
            return f"{value} is not False"
        case ScalarType(Scalar.FLOAT32 | Scalar.FLOAT64):
            return f"{value} or type({value}) not in (float, int)"
        case WellKnownType(WellKnown.DURATION):
            return f"type({value}) is not {names.runtime('Duration')} or {value}.nanoseconds"
        case WellKnownType(WellKnown.QUANTITY):
            return f"type({value}) is not {names.runtime('Quantity')} or {value}"
    return f"{value} or type({value}) is not int"


def _write(type_: Type, value: str, names: Names, depth: int = 0) -> str:
    """An expression for the JSON value of the expression `value`, which is not `None`."""
    function = called(type_)
    if function is not None:
        return f"{names.function('encode', function)}({value}{names.depth(function)})"
    match underlying(type_):
        case ListType(item):
            element = numbered("item", depth)
            if is_text(item) and not item_can_be_none(item):
                return f"{names.runtime('encode_strings')}({value})"
            inner = _write_item(item, element, names, depth + 1)
            return f"[{inner} for {element} in {names.runtime('elements')}({value})]"
        case MapType(_, item):
            key, element = numbered("key", depth), numbered("item", depth)
            if is_text(item) and not item_can_be_none(item):
                return f"{names.runtime('encode_string_map')}({value})"
            if item_can_be_none(item):  # type checkers know of names only that they are not None
                entries = f"{key}, {element} in {names.runtime('sorted_entries')}({value})"
            else:
                element, entries = f"{value}[{key}]", f"{key} in {names.runtime('sorted_keys')}({value})"
            inner = _write_item(item, element, names, depth + 1)
            return f"{{{key}: {inner} for {entries}}}"
        case ScalarType(Scalar.INT32 | Scalar.INT64 as integer):
            checked = f"{names.runtime(_BY_FUNCTION[integer])}({value})"
            return f"{value} if type({value}) is int and -{_USUAL} < {value} < {_USUAL} else {checked}"
        case WellKnownType(kind) | ScalarType(kind) if kind in _BY_FUNCTION:
            return f"{names.runtime(_BY_FUNCTION[kind])}({value})"
        case ScalarType(Scalar.BOOL):
            return f"{value} is True or {names.runtime('encode_bool')}({value})"
    return f'{value} + ""'


def _write_item(type_: Type, value: str, names: Names, depth: int) -> str:
    return _write_optional(type_, value, item_can_be_none(type_), names, depth)


def _write_optional(type_: Type, value: str, can_be_none: bool, names: Names, depth: int = 0) -> str:
    written = _write(type_, value, names, depth)
    return f"None if {value} is None else {alternative(written)}" if can_be_none else written
