"""Writes deep copies of the types of each version and hub: `<group>/<version>/copying.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from apigen.codegen.backend_input import BackendInput, borrowed_classes, versions_and_hubs
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import HEADER, Imports, alternative, numbered, text_literal
from apigen.codegen.python.values import copied_list, copied_map, is_loop
from apigen.codegen.python.walking import ItemVariables
from apigen.codegen.rendering import render
from apigen.codegen.types.annotations import item_can_be_none
from apigen.codegen.types.backend import called, with_functions
from apigen.dataclass import dataclass
from apigen.ir.model import Alias, Field, ListType, MapType, Struct, StructType, Type, TypeDef, TypeId, underlying
from apigen.ir.names import Module

MODULE = "copying"


@dataclass(frozen=True, slots=True)
class Names:
    """The names that the current module uses, with their imports; `spelled` returns how it spells a function of a type."""

    imports: Imports
    types: Mapping[TypeId, TypeDef]
    spelled: Callable[[Imports, TypeId, str, str], str] = Imports.function

    def function(self, id_: TypeId) -> str:
        """The function that copies values of a type."""
        return self.spelled(self.imports, id_, MODULE, f"copy_{self.types[id_].snake_name}")


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """The copying functions of every version and hub that has structs or named lists or maps."""
    borrowed = backend_input.once(borrowed_classes)
    for version in versions_and_hubs(backend_input):
        types = with_functions(version.types)
        if not types:
            continue
        module = Module.of(version.group, version.version, MODULE)
        names = Names(Imports(module), backend_input.types)
        for type_ in types:
            if type_.id in borrowed:
                lender = borrowed[type_.id]
                names.imports.name(Module.of(lender.group, lender.version, MODULE), f"copy_{type_.snake_name}")
        copied = [type_ for type_ in types if type_.id not in borrowed]
        text = render(
            "copying/module.py.jinja",
            header=HEADER,
            title=version.title,
            types=[_function_values(type_, names) for type_ in copied],
            new=names.imports.runtime("new") if any(isinstance(type_, Struct) for type_ in copied) else "",
            imports=names.imports.render(),
            exported=[text_literal(f"copy_{name}") for name in sorted(type_.snake_name for type_ in types)],
        )
        yield text_file(module.path, text)


def _function_values(type_: Struct | Alias, names: Names) -> dict[str, object]:
    """Return the values of the template for the function of a type: the fields of a struct, or the copy of a list or map."""
    values = {"name": type_.snake_name, "title": type_.id.name, "type": names.imports.type_name(type_.id)}
    if isinstance(type_, Alias):
        return values | {"is_struct": False, "value": copied_value(type_.target, "obj", names)}
    variables = ItemVariables("copy", ("copy", "new"))
    fields = [_copied_field(field, names, variables) for field in type_.fields]
    return values | {"is_struct": True, "has_type_meta": type_.has_type_meta, "fields": fields}


@dataclass(frozen=True, slots=True)
class _CopiedField:
    """A field of a copy: its value, or the value of each `variable` of a list that is copied element by element.

    If `is_none_first`, it is `None` unless the original has a value.
    """

    name: str
    value: str
    is_none_first: bool = False
    variable: str = ""


def _copied_field(field: Field, names: Names, variables: ItemVariables) -> _CopiedField:
    name, value, type_ = field.py_name, f"obj.{field.py_name}", underlying(field.type)
    copied = copied_value(field.type, value, names)
    if not is_loop(copied):
        return _CopiedField(name, _copied_or_none(field.type, value, field.can_be_none, names))
    if not isinstance(type_, ListType) or not isinstance(underlying(type_.item), StructType):
        return _CopiedField(name, copied, field.can_be_none)
    variable = variables.of(type_.item)
    item = _copied_or_none(type_.item, variable, item_can_be_none(type_.item), names)
    return _CopiedField(name, item, field.can_be_none, variable)


def _copied_or_none(type_: Type, value: str, can_be_none: bool, names: Names, depth: int = 0) -> str:
    copied = copied_value(type_, value, names, depth)
    return f"None if {value} is None else {alternative(copied)}" if can_be_none and copied != value else copied


def _is_flat(type_: TypeDef) -> bool:
    """Return whether a type is a list or map of immutable values: these are copied inline, without a function."""
    behind = underlying(type_.target) if isinstance(type_, Alias) else None
    inner = behind.item if isinstance(behind, ListType) else behind.value if isinstance(behind, MapType) else None
    return inner is not None and not isinstance(underlying(inner), StructType | ListType | MapType)


def copied_value(type_: Type, value: str, names: Names, depth: int = 0) -> str:
    """Return an expression for a copy of the expression `value`; the expression itself, if its type is immutable."""
    type_called = called(type_)
    if type_called is not None and not _is_flat(names.types[type_called]):
        return f"{names.function(type_called)}({value})"
    item, key = numbered("item", depth), numbered("key", depth)
    match underlying(type_):
        case ListType(inner):
            copied = _copied_or_none(inner, item, item_can_be_none(inner), names, depth + 1)
            return copied_list(value) if copied == item else f"[{copied} for {item} in {value}]"
        case MapType(_, inner):
            copied = _copied_or_none(inner, item, item_can_be_none(inner), names, depth + 1)
            return copied_map(value) if copied == item else f"{{{key}: {copied} for {key}, {item} in {value}.items()}}"
    return value
