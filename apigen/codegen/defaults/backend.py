"""Defaulting functions: `default_frobber(obj, features)` for every struct of a version that has anything to default.

Order within a struct: its `defaults:`, its fields' `default:`, hand-written functions, then children, map values
too; as Kubernetes' defaulters, which see the object from the root down.
"""

from __future__ import annotations

from collections.abc import Iterator

from apigen.codegen.backend_input import Compilation
from apigen.codegen.defaults.cases import write_default
from apigen.codegen.hand_written import hand_written_name
from apigen.codegen.output import OutputFile, nonempty_file
from apigen.codegen.python.code import Code
from apigen.codegen.python.conditions import Scope
from apigen.codegen.python.modules import HEADER, Imports
from apigen.codegen.python.walking import walk
from apigen.codegen.rendering import render
from apigen.hub.selection import defaulted_values
from apigen.ir.generated_modules import Module
from apigen.ir.graphs import reached
from apigen.ir.hand_written import Role
from apigen.ir.model import Api, Field, Struct
from apigen.ir.places import FieldStep, steps_to_elements
from apigen.ir.types import EnumType, ScalarType, TypeId, struct_in, underlying
from apigen.language.model import DefaultCase, Located, PathDefault
from apigen.language.paths import Name, Path


def has_effect(field: Field) -> bool:
    """Return whether the default of a field, if it has one, ever makes another value of it.

    The zero value as the default of a field that cannot be `None` does not: such a field is unset if it is zero.
    Kubernetes declares the default `""` for schemas, in types that most objects contain; objects need not be walked
    for it.
    """
    if field.can_be_none or not isinstance(underlying(field.type), ScalarType | EnumType):
        return bool(field.default)
    return any(not _is_zero(case) for case in field.default)


def _is_zero(case: DefaultCase) -> bool:
    value = case.value.value if isinstance(case.value, Located) else None
    return isinstance(value, bool | int | float | str) and not value and not case.overwrite


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """One module per version that has anything to default."""
    defaulted = defaulted_structs(compilation)
    for group in compilation.api.groups:
        for version in group.versions:
            structs = [s for s in compilation.api.structs(group.folder, version.name) if s.id in defaulted]
            if structs:
                module = _DefaultsModule(compilation, defaulted, group.folder, version.name)
                yield from nonempty_file(module.module.path, module.text(structs))


def defaulted_structs(compilation: Compilation) -> frozenset[TypeId]:
    """The structs of versions that have a default with an effect, or hold one that has; none of a version that is not defaulted.

    A struct of another release series is a value: what holds it has its defaults only where the field opts in.
    """
    plain = {(v.group, v.name) for group in compilation.api.groups for v in group.versions if not v.defaulted}
    values = compilation.hub.values
    left_alone = values - defaulted_values(compilation.api, values)
    structs = {
        id_: type_
        for id_, type_ in compilation.api.types.items()
        if isinstance(type_, Struct) and (id_.group, id_.version) not in plain and id_ not in left_alone
    }
    found = {
        id_
        for id_, s in structs.items()
        if s.defaults or any(has_effect(f) for f in s.fields) or compilation.hand_written.get(id_, Role.DEFAULT)
    }
    holders: dict[TypeId, set[TypeId]] = {}
    for id_, struct in structs.items():
        for field in struct.fields:
            inner = defaulted_element(field, id_, compilation.api)
            if inner is not None:
                holders.setdefault(inner, set()).add(id_)
    return reached(found, lambda id_: holders.get(id_, ()))


def defaulted_element(field: Field, holder: TypeId, api: Api) -> TypeId | None:
    """The struct that a field holds, unless it is a value of another release series that is not to be defaulted."""
    inner = struct_in(field.type)
    return None if inner is None or (api.is_value(holder, inner) and not field.defaults) else inner


class _DefaultsModule:
    def __init__(self, compilation: Compilation, defaulted: frozenset[TypeId], group: str, version: str) -> None:
        self._compilation = compilation
        self._defaulted = defaulted
        self._group, self._version = group, version
        self.module = Module.of(group, version, "defaults")
        self._imports = Imports(self.module)

    def text(self, structs: list[Struct]) -> str:
        """Return the text of the module."""
        functions = [self._function(struct).text().rstrip("\n") for struct in structs]
        names = sorted(f'"default_{s.snake_name}"' for s in structs)
        return render(
            "defaults/module.py.jinja",
            header=HEADER,
            summary=f"Defaults of {self._group}/{self._version}: each function sets unset fields, in place.",
            imports="\n".join(self._imports.render()),
            exports=f"__all__ = [{', '.join(names)}]",
            functions=functions,
        )

    def _function(self, struct: Struct) -> Code:
        code = Code()
        features = self._imports.runtime("Features", "features")
        name = f"default_{struct.snake_name}"
        with code.block(f"def {name}(obj: {self._imports.type_name(struct.id)}, features: {features}) -> None:"):
            code.docstring(f"Set the defaults of unset fields of the {struct.id.name} and its parts.")
            for entry in (*struct.defaults, *_of_fields(struct)):
                write_default(code, entry, struct, self._scope(struct), self._copied)
            self._hand_written(code, struct)
            for field in struct.fields:
                self._child(code, field, struct)
        return code

    def _hand_written(self, code: Code, struct: Struct) -> None:
        written = self._compilation.hand_written.get(struct.id, Role.DEFAULT)
        if written is not None:
            code.line(f"{hand_written_name(self._imports, written)}(obj, features)")

    def _scope(self, struct: Struct) -> Scope:
        return Scope(
            holder="obj",
            holder_struct=struct,
            block="obj",
            block_struct=struct,
            types=self._compilation.types,
            type_name=self._imports.type_name,
            runtime=self._imports.runtime,
            features="features",
        )

    def _copied(self, id_: TypeId, expression: str) -> str:
        struct = self._compilation.types[id_]
        return f"{self._imports.function(id_, 'copying', f'copy_{struct.snake_name}')}({expression})"

    def _child(self, code: Code, field: Field, holder: Struct) -> None:
        inner = defaulted_element(field, holder.id, self._compilation.api)
        if inner is None or inner not in self._defaulted:
            return
        struct = self._compilation.types[inner]
        function = self._imports.function(inner, "defaults", f"default_{struct.snake_name}")

        def leaf(code: Code, value: str) -> None:
            code.line(f"{function}({value}, features)")

        walk(code, (FieldStep(field), *steps_to_elements(field.type)), "obj", self._scope(holder), leaf)


def _of_fields(struct: Struct) -> Iterator[PathDefault]:
    for field in struct.fields:
        if has_effect(field):
            yield PathDefault(Path((Name(field.json_name),), False, field.json_name, field.place), field.default)
