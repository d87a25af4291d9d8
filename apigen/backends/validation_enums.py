"""Writes the functions that judge values of enums, and those that look for values behind gates in old objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from apigen.backends.strategies_places import Places
from apigen.backends.strategies_rules import Gates, gates_of
from apigen.backends.strategies_uses import any_child, any_of
from apigen.backends.strategies_values import a
from apigen.backends.validation_plan import enum_in, gated_values
from apigen.backends.validation_structs import signature
from apigen.backends.validation_values import ValueWriter
from apigen.ir.model import Enum, EnumValue, Field
from apigen.ir.names import snake_case
from apigen.ir.types import TypeId
from apigen.python.code import Code, literal
from apigen.python.conditions import Predicate
from apigen.python.modules import Module
from apigen.spec.model import GateJoin


def enum_function(enum: Enum, writer: ValueWriter) -> Code:
    """A function that judges a value of an enum."""
    code = Code()
    text = writer.imports.builtin("str")
    with code.block(signature(f"validate_{enum.snake_name}", text, None, writer)):
        code.docstring(f"Judge {a(enum.id.name)}.")
        gated = list(gated_values(enum))
        if enum.open:
            _open_values(code, enum, gated, writer)
            return code
        supported = [literal(v.value) for v in enum.values if v.gate is None]
        code.line(f"supported = [{', '.join(supported)}]" if gated else f"supported = {_tuple(supported)}")
        for value in gated:
            with code.block(f"if options.allows({literal(value_key(enum, value))}):"):
                code.line(f"supported.append({literal(value.value)})")
            with code.block(f"elif value == {literal(value.value)}:"):
                _gated(code, value, writer)
                code.line("return")
        with code.block("if value not in supported:"):
            writer.report(code, "not_supported", "path", "value", "supported")
    return code


def _open_values(code: Code, enum: Enum, gated: list[EnumValue], writer: ValueWriter) -> None:
    """Any text will do, but for what a gate that is off stands before."""
    for value in gated:
        with code.block(
            f"if value == {literal(value.value)} and not options.allows({literal(value_key(enum, value))}):"
        ):
            _gated(code, value, writer)


def _gated(code: Code, value: EnumValue, writer: ValueWriter) -> None:
    writer.report(code, "gated", "path", "value", literal(gate_condition(gates_of_value(value))))


def value_key(enum: Enum, value: EnumValue) -> str:
    """How validation options name a value that is behind a gate."""
    return f"{enum.id.group}/{enum.id.name}.{value.value}"


def gates_of_value(value: EnumValue) -> Gates:
    """The gates of a value that has some."""
    assert value.gate is not None
    return gates_of(value.gate)


def _tuple(parts: list[str]) -> str:
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"


def gate_condition(gates: Gates) -> str:
    """Under which condition a value behind gates is allowed, in the words of its error."""
    if len(gates.names) == 1:
        return f"the {gates.names[0]} feature is enabled"
    names = ", ".join(gates.names)
    some = "one" if gates.join is GateJoin.ANY else "all"
    return f"{some} of the features {names} {'is' if some == 'one' else 'are'} enabled"


@dataclass(frozen=True, slots=True)
class HolderKey:
    """A function that says whether a struct, or one in it, has a value of an enum."""

    struct: TypeId
    enum: TypeId
    value: str


@dataclass(slots=True)
class Holders:
    """The functions that look for gated enum values, collected from the kinds that need them downwards."""

    places: Places
    scope: tuple[TypeId, ...]
    _reach: dict[TypeId, frozenset[TypeId]] = field(default_factory=dict)
    _asked: dict[HolderKey, None] = field(default_factory=dict)
    _names: dict[tuple[str, str, str], HolderKey] = field(default_factory=dict)

    def gated_below(self, root: TypeId) -> Iterator[tuple[Enum, EnumValue]]:
        """The gated values that an object of a kind can hold."""
        found: dict[TypeId, None] = {}
        for id_ in self.places.below(root):
            for member in self.places.struct(id_).fields:
                enum = enum_in(member.type)
                if enum is not None:
                    found[enum] = None
        for enum in found:
            type_ = self.places.types[enum]
            if isinstance(type_, Enum):
                yield from ((type_, value) for value in gated_values(type_))

    def ask(self, key: HolderKey) -> str:
        """Have a function made, with all that it calls; returns its name."""
        if key not in self._asked:
            self._asked[key] = None
            for child in self.places.children(key.struct):
                if child.struct in self._holding(key.enum):
                    self.ask(HolderKey(child.struct, key.enum, key.value))
        return self.name(key)

    def name(self, key: HolderKey) -> str:
        """E.g. `frobber_has_restart_policy_on_tuesday`."""
        enum = self.places.types[key.enum]
        assert isinstance(enum, Enum)
        base = f"{self.places.struct(key.struct).snake_name}_has_{enum.snake_name}_{snake_case(key.value) or 'empty'}"
        name, count = base, 1
        while self._names.setdefault((key.struct.group, key.struct.version, name), key) != key:
            count += 1
            name = f"{base}_{count}"
        return name

    def holds(self, struct: TypeId, enum: TypeId) -> bool:
        """Whether a struct, or one in it, has a field of an enum."""
        return struct in self._holding(enum)

    def modules(self) -> Iterator[Module]:
        """The modules in which such functions stand."""
        return (Module.of(key.struct.group, key.struct.version, "validation") for key in self._asked)

    def functions(self, module: Module, writer: ValueWriter) -> Iterator[Code]:
        """The functions of a module."""
        for key in self._asked:
            if Module.of(key.struct.group, key.struct.version, "validation") == module:
                yield self._function(key, writer)

    def _function(self, key: HolderKey, writer: ValueWriter) -> Code:
        struct = self.places.struct(key.struct)
        parts = [part for member in struct.fields if (part := self._own(member, key))]
        for child in self.places.children(key.struct):
            if child.struct in self._holding(key.enum):
                below = HolderKey(child.struct, key.enum, key.value)
                called = writer.imports.function(child.struct, "validation", self.name(below))
                parts.append(any_child(child, _calling(called)))
        code = Code()
        type_ = writer.imports.type_name(key.struct)
        with code.block(f"def {self.name(key)}(obj: {type_}) -> {writer.imports.builtin('bool')}:"):
            code.docstring(f"Whether {a(struct.id.name)} has {key.value} for {a(key.enum.name)}.")
            bracketed = (f"({part})" if len(parts) > 1 and " and " in part else part for part in parts)
            code.line(f"return {' or '.join(bracketed)}")
        return code

    def _own(self, member: Field, key: HolderKey) -> str:
        if enum_in(member.type) != key.enum:
            return ""
        return any_of(member, lambda value: f"{value} == {literal(key.value)}", guarded=False)

    def _holding(self, enum: TypeId) -> frozenset[TypeId]:
        if enum not in self._reach:
            owners = [id_ for id_ in self.scope if any(enum_in(f.type) == enum for f in self.places.struct(id_).fields)]
            self._reach[enum] = self.places.above(owners)
        return self._reach[enum]


def _calling(function: str) -> Predicate:
    return lambda value: f"{function}({value})"
