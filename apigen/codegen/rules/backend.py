"""CEL rules as tables that the run-time library evaluates: `rules.py` of each hub with kinds that have any."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.codegen.backend_input import Compilation
from apigen.codegen.output import OutputFile, nonempty_file
from apigen.codegen.python.code import Code, literal
from apigen.codegen.python.modules import HEADER, Imports
from apigen.codegen.rendering import render
from apigen.codegen.rules.places import RuledStructs
from apigen.codegen.strategies.backend import kinds_with_hub, title_of
from apigen.codegen.strategies.operations import status_is_reset
from apigen.codegen.strategies.values import a
from apigen.dataclass import dataclass, field
from apigen.ir.generated_modules import Module
from apigen.ir.model import Kind, Struct
from apigen.ir.types import TypeId

MODULE = "rules"


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """One module for each hub whose kinds have rules, in the version that the hub follows."""
    ruled = RuledKinds.of(compilation)
    for module in sorted({Module.of(k.hub.id.group, k.hub.id.version, MODULE) for k in ruled.kinds}):
        kinds = [k for k in ruled.kinds if Module.of(k.hub.id.group, k.hub.id.version, MODULE) == module]
        yield from nonempty_file(module.path, _text(compilation, module, kinds))


@dataclass(frozen=True, slots=True)
class RuledKind:
    """A kind with rules: its hub, the type of the version whose rules are evaluated, and its structs with rules."""

    kind: Kind
    hub: Struct
    version: Struct
    structs: RuledStructs


@dataclass(frozen=True, slots=True)
class RuledKinds:
    """The kinds that have rules."""

    kinds: tuple[RuledKind, ...]
    _hubs: Mapping[TypeId, RuledKind] = field(default_factory=dict)

    @classmethod
    def of(cls, compilation: Compilation) -> RuledKinds:
        """Find them."""
        kinds = tuple(_ruled(compilation))
        return cls(kinds, {kind.hub.id: kind for kind in kinds})

    def call(self, hub: Struct, imports: Imports) -> str | None:
        """Return the call that evaluates the rules of an object, `obj`, and of the change from `old`; None if it has
        none.
        """
        if hub.id not in self._hubs:
            return None
        return f"{imports.function(hub.id, MODULE, f'evaluate_{hub.snake_name}')}(obj, old)"


def _ruled(compilation: Compilation) -> Iterator[RuledKind]:
    structs = RuledStructs(compilation)
    if structs.has_rules:
        for kind, hub in kinds_with_hub(compilation):
            version = compilation.types.get(compilation.hub.named.get(hub.id, hub.id))
            if isinstance(version, Struct) and structs.are_below(version.id):
                yield RuledKind(kind, hub, version, structs)


def _text(compilation: Compilation, module: Module, kinds: Iterable[RuledKind]) -> str:
    imports = Imports(module, taken=frozenset({"TYPES"}))
    entries: dict[str, str] = {}
    functions = []
    for ruled in kinds:
        for id_ in ruled.structs.emitted(ruled.version.id):
            entries.setdefault(ruled.structs.name(id_), ruled.structs.expression(id_, imports))
        functions += [
            _evaluate_function(ruled, imports).text().rstrip("\n"),
            _encode(ruled, imports).text().rstrip("\n"),
        ]
    types = f"TYPES: {imports.runtime('RuledTypes', 'rules')} = "
    types += f"{{{', '.join(f'{literal(name)}: {text}' for name, text in entries.items())}}}"
    return render(
        "rules/module.py.jinja",
        header=HEADER,
        summary=f"The CEL rules of objects of {title_of(compilation, module)}.",
        imports=imports.render(),
        types=types,
        functions=functions,
    )


def _evaluate_function(ruled: RuledKind, imports: Imports) -> Code:
    type_ = imports.type_name(ruled.hub.id)
    errors = f"{imports.builtin('list')}[{imports.runtime('FieldError', 'validation')}]"
    name = ruled.hub.snake_name
    arguments = [
        "TYPES",
        literal(ruled.structs.name(ruled.version.id)),
        f"_encode_{name}",
        "obj",
        "old",
    ]
    if _status_is_later(ruled):
        arguments.append('later=("status",)')
    code = Code()
    with code.block(f"def evaluate_{name}(obj: {type_}, old: {type_} | None) -> {errors}:"):
        version = ruled.version.id.version
        code.docstring(f"What the rules of {version} say of {a(ruled.kind.name)}, or of the change from `old`.")
        code.line(f"return {imports.runtime('evaluate_rules', 'rules')}({', '.join(arguments)})")
    return code


def _status_is_later(ruled: RuledKind) -> bool:
    return status_is_reset(ruled.kind, ruled.hub)


def _encode(ruled: RuledKind, imports: Imports) -> Code:
    """Return the function that encodes an object as clients of the version see it."""
    name, version = ruled.hub.snake_name, ruled.version
    code = Code()
    with code.block(f"def _encode_{name}(obj: {imports.type_name(ruled.hub.id)}) -> {imports.builtin('object')}:"):
        encode = imports.function(version.id, "json_codec", f"encode_{version.snake_name}")
        if version.id == ruled.hub.id:
            code.line(f"return {encode}(obj)")
        else:
            from_hub = imports.function(version.id, "conversions", f"{version.snake_name}_from_hub")
            code.line(f"return {encode}({from_hub}(obj, share=True))")
    return code
