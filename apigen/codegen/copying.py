"""Writes deep copies of the types of each version and hub: `<group>/<version>/copying.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from apigen.codegen.compilation import Compilation, borrowed_classes, versions_and_hubs
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import Code, Imports, alternative, function, numbered
from apigen.codegen.python.values import copied_list, copied_map, is_loop, write_list
from apigen.codegen.python.walking import ItemVariables
from apigen.codegen.rendering import functions_module
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


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """The copying functions of every version and hub that has structs or named lists or maps."""
    borrowed = compilation.once(borrowed_classes)
    for version in versions_and_hubs(compilation):
        types = with_functions(version.types)
        if not types:
            continue
        module = Module.of(version.group, version.version, MODULE)
        names = Names(Imports(module), compilation.types)
        for type_ in types:
            if type_.id in borrowed:
                lender = borrowed[type_.id]
                names.imports.name(Module.of(lender.group, lender.version, MODULE), f"copy_{type_.snake_name}")
        functions = [_function(type_, names) for type_ in types if type_.id not in borrowed]
        summary = f"Deep copies of the types of {version.title}: they share nothing that can change."
        exported = [f"copy_{type_.snake_name}" for type_ in types]
        yield text_file(module.path, functions_module(summary, names.imports, functions, exported=exported))


def _function(type_: Struct | Alias, names: Names) -> Code:
    class_name = names.imports.type_name(type_.id)
    code = Code()
    if isinstance(type_, Alias):
        code.line(f"return {copied_value(type_.target, 'obj', names)}")
    else:
        # every field is set, so the copy is made without running its defaults
        code.line(f"copy = {names.imports.runtime('new')}({class_name})")
        code.lines(f"copy.{name} = obj.{name}" for name in (("api_version", "kind") if type_.has_type_meta else ()))
        variables = ItemVariables("copy", ("copy", "new"))
        for field in type_.fields:
            _field(code, field, names, variables)
        code.line("return copy")
    header = f"def copy_{type_.snake_name}(obj: {class_name}) -> {class_name}:"
    return function(header, f"Copy {type_.id.name}.", code)


def _field(code: Code, field: Field, names: Names, variables: ItemVariables) -> None:
    value, target = f"obj.{field.py_name}", f"copy.{field.py_name}"
    copied = copied_value(field.type, value, names)
    if not is_loop(copied):
        code.line(f"{target} = {_copied_or_none(field.type, value, field.can_be_none, names)}")
        return
    if field.can_be_none:
        code.line(f"{target} = None")
    with code.when([f"{value} is not None"] if field.can_be_none else []):
        _elements(code, field, copied, names, variables)


def _elements(code: Code, field: Field, copied: str, names: Names, variables: ItemVariables) -> None:
    """Copy a list or map that is there; `copied` is that as an expression."""
    value, target, behind = f"obj.{field.py_name}", f"copy.{field.py_name}", underlying(field.type)
    if isinstance(behind, ListType) and isinstance(underlying(behind.item), StructType):
        variable = variables.of(behind.item)
        item = _copied_or_none(behind.item, variable, item_can_be_none(behind.item), names)
        write_list(code, value, variable, item, target)
    else:
        code.line(f"{target} = {copied}")


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
