"""Validation of hub objects, by the constraints of the version that the hub follows. One module per hub."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.codegen.backend_input import Compilation
from apigen.codegen.hub_names import ShownNames
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import Code, Imports, literal
from apigen.codegen.rendering import functions_module
from apigen.codegen.rules.backend import ruled_kinds
from apigen.codegen.strategies.backend import kinds_with_hub, title_of
from apigen.codegen.strategies.operations import status_is_reset
from apigen.codegen.strategies.values import a
from apigen.codegen.strategies.walks import Places
from apigen.codegen.validation.enums import (
    HolderKey,
    Holders,
    accepted_test,
    enum_function,
    value_key,
)
from apigen.codegen.validation.plan import ValidationPlan, enums_in, is_validated_enum
from apigen.codegen.validation.structs import StructWriter
from apigen.codegen.validation.values import ValueWriter
from apigen.dataclass import dataclass, field
from apigen.ir.generated_modules import Module
from apigen.ir.model import Enum, Kind, Struct
from apigen.ir.types import TypeId


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """Yield a module for each hub with kinds, or with types with rules that kinds contain."""
    return _Validation(compilation).files()


@dataclass(slots=True)
class _Own:
    """The contents of a module: its kinds, and the structs and enums that it validates."""

    kinds: list[tuple[Kind, Struct]] = field(default_factory=list)
    validated: list[TypeId] = field(default_factory=list)


class _Validation:
    def __init__(self, compilation: Compilation) -> None:
        self._compilation = compilation
        self._kinds = list(kinds_with_hub(compilation))
        self._names = ShownNames.of(compilation)
        self._places = Places(compilation.types, self._names)
        self._scope = tuple(dict.fromkeys(id_ for _, s in self._kinds for id_ in self._places.below(s.id)))
        self._plan = ValidationPlan.of(compilation, self._places, self._scope)
        self._validated = [id_ for id_ in self._scope if id_ in self._plan.validated]
        self._enums = self._enums_of(self._validated)
        self._rules = {ruled.hub.id: ruled for ruled in compilation.once(ruled_kinds)}
        self._holders = Holders(self._places, self._scope)
        for _, struct in self._kinds:
            for enum, value in self._holders.rolled_out_below(struct.id):
                if not compilation.api.is_value(struct.id, enum.id):
                    self._holders.ask(HolderKey(struct.id, enum.id, value.value))

    def files(self) -> Iterator[OutputFile]:
        own: dict[Module, _Own] = {module: _Own() for module in self._holders.modules()}
        for kind, struct in self._kinds:
            own.setdefault(_module(struct.id), _Own()).kinds.append((kind, struct))
        for id_ in (*self._validated, *self._enums):
            own.setdefault(_module(id_), _Own()).validated.append(id_)
        for module in sorted(own):
            yield text_file(module.path, self._text(module, own[module]))

    def _text(self, module: Module, own: _Own) -> str:
        writer = ValueWriter(Imports(module), self._plan, self._names)
        codes = [self._check(kind, struct, writer) for kind, struct in own.kinds]
        later = {struct.id for kind, struct in own.kinds if status_is_reset(kind, struct)}
        for id_ in own.validated:
            validated = self._compilation.types[id_]
            if isinstance(validated, Enum):
                codes.append(enum_function(validated, writer))
            else:
                struct = self._places.struct(id_)
                codes.append(StructWriter(struct, writer, status_later=id_ in later).function())
        codes += self._holders.functions(module, writer)
        summary = f"What is wrong with objects of {title_of(self._compilation, module)}."
        return functions_module(summary, writer.imports, codes)

    def _enums_of(self, structs: Iterable[TypeId]) -> tuple[TypeId, ...]:
        found: dict[TypeId, None] = {}
        for id_ in structs:
            for member in self._places.struct(id_).fields:
                for within in enums_in(member.type):
                    enum = self._compilation.types.get(within)
                    if isinstance(enum, Enum) and is_validated_enum(enum):
                        found[enum.id] = None
        return tuple(found)

    def _check(self, kind: Kind, struct: Struct, writer: ValueWriter) -> Code:
        """The function that strategies call for a whole object."""
        imports = writer.imports
        type_ = imports.type_name(struct.id)
        errors = f"list[{writer.runtime('FieldError')}]"
        features = imports.runtime("Features")
        header = f"def check_{struct.snake_name}(obj: {type_}, old: {type_} | None, features: {features}) -> {errors}:"
        code = Code()
        with code.block(header):
            code.docstring(
                f"Everything that is wrong with {a(kind.name)}, or with the change that makes `old` into it."
            )
            rules = self._rules[struct.id].call(imports) if struct.id in self._rules else None
            if struct.id not in self._plan.validated:
                code.line(f"return {rules or '[]'}")
                return code
            code.line(f"errors: {errors} = []")
            allowed = self._allowed(code, struct, writer)
            code.line(f"options = {writer.runtime('ValidationOptions')}(features, old{allowed})")
            root = imports.runtime("ROOT")
            code.line(writer.struct_call(struct.id, "obj", "old", root))
            if rules is not None:
                code.line(f"errors.extend({rules})")
            code.line("return errors")
        return code

    def _allowed(self, code: Code, struct: Struct, writer: ValueWriter) -> str:
        """Collect the enum values that are allowed while they are rolled out.

        These are values whose gate is enabled or whose release is reached, and those of the old object; all values of
        enums of
        another release series.
        """
        values = list(self._holders.rolled_out_below(struct.id))
        if not values:
            return ""
        code.line("allowed: list[str] = []")
        series = self._compilation.api.series_of_groups
        for enum, value in values:
            if self._compilation.api.is_value(struct.id, enum.id):
                code.line(f"allowed.append({literal(value_key(enum, value))})")
                continue
            name = self._holders.name(HolderKey(struct.id, enum.id, value.value))
            accepted = accepted_test(value, series.get(enum.id.group, ""))
            old_has_value = f"old is not None and {writer.imports.function(struct.id, 'validation', name)}(old)"
            tests = [
                accepted,
                (f"({old_has_value})" if accepted else old_has_value) if value.may_be_kept else "",
            ]
            with code.block(f"if {' or '.join(filter(None, tests))}:"):
                code.line(f"allowed.append({literal(value_key(enum, value))})")
        return ", allowed"


def _module(id_: TypeId) -> Module:
    return Module.of(id_.group, id_.version, "validation")
