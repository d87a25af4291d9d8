"""Validation of hub objects, by the constraints of the version that the hub follows. One module per hub.

It has the functions of structs and enums, and those that search old objects for enum values behind gates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.conditions import Scope, holds
from apigen.codegen.python.source_text import HEADER, Imports, free_names, literal, numbered, tuple_literal
from apigen.codegen.rendering import render
from apigen.codegen.rules.backend import ruled_kinds
from apigen.codegen.strategies.backend import kinds_with_hub, title_of
from apigen.codegen.strategies.kinds import at_least, off_condition
from apigen.codegen.strategies.operations import status_is_reset
from apigen.codegen.strategies.walk_functions import any_child
from apigen.codegen.strategies.walks import Places, all_places, gates_of
from apigen.codegen.types.annotations import item_can_be_none
from apigen.codegen.validation.plan import ValidationPlan, enum_in, enums_in, is_validated_enum, rolled_out_values
from apigen.codegen.validation.structs import StructWriter
from apigen.codegen.validation.values import ValueWriter
from apigen.dataclass import dataclass, field
from apigen.ir.model import (
    Enum,
    EnumType,
    EnumValue,
    Field,
    Kind,
    ListType,
    MapType,
    Struct,
    Type,
    TypeId,
    enum_of,
    parts_of,
    underlying,
)
from apigen.ir.names import Module, package_name, snake_case
from apigen.ir.places import BoundStep, FieldStep, steps_to_elements
from apigen.language.model import GateJoin, GateSpec
from apigen.runtime.errors import with_article


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """Yield a module for each hub with kinds, or with types with rules that kinds contain."""
    return _Validation(backend_input).files()


class _Validation:
    def __init__(self, backend_input: BackendInput) -> None:
        self._backend_input = backend_input
        self._kinds = list(kinds_with_hub(backend_input))
        self._places = backend_input.once(all_places)
        self._scope = tuple(dict.fromkeys(id_ for _, s in self._kinds for id_ in self._places.below(s.id)))
        self._plan = ValidationPlan.of(backend_input, self._places, self._scope)
        self._validated = [id_ for id_ in self._scope if id_ in self._plan.validated]
        self._enums = self._enums_of(self._validated)
        self._rules = {ruled.hub.id: ruled for ruled in backend_input.once(ruled_kinds)}
        self._holders = Holders(self._places, self._scope)
        for _, struct in self._kinds:
            for enum, value in self._holders.rolled_out_below(struct.id):
                if not backend_input.api.is_value(struct.id, enum.id):
                    self._holders.ask(HolderKey(struct.id, enum.id, value.value))

    def files(self) -> Iterator[OutputFile]:
        kinds: dict[Module, list[tuple[Kind, Struct]]] = {}
        validated: dict[Module, list[TypeId]] = {}
        for kind, struct in self._kinds:
            kinds.setdefault(_module(struct.id), []).append((kind, struct))
        for id_ in (*self._validated, *self._enums):
            validated.setdefault(_module(id_), []).append(id_)
        for module in sorted({*kinds, *validated, *self._holders.modules()}):
            yield text_file(module.path, self._text(module, kinds.get(module, []), validated.get(module, [])))

    def _text(self, module: Module, kinds: list[tuple[Kind, Struct]], validated: list[TypeId]) -> str:
        """Return a module: the functions of its kinds, and of the structs and enums that it validates."""
        writer = ValueWriter(Imports(module), self._plan, self._places.names)
        later = {struct.id for kind, struct in kinds if status_is_reset(kind, struct)}
        structs, enums = [], []
        for id_ in validated:
            type_ = self._backend_input.types[id_]
            if isinstance(type_, Enum):
                enums.append(_enum(type_, writer))
            else:
                struct = self._places.struct(id_)
                structs.append(StructWriter(struct, writer, status_later=id_ in later).function())
        return render(
            "validation/module.py.jinja",
            header=HEADER,
            title=title_of(self._backend_input, module),
            kinds=[self._kind(kind, struct, writer) for kind, struct in kinds],
            structs=structs,
            enums=enums,
            holders=list(self._holders.functions(module, writer)),
            imports=writer.imports.render(),
        )

    def _enums_of(self, structs: Iterable[TypeId]) -> tuple[TypeId, ...]:
        found: dict[TypeId, None] = {}
        for id_ in structs:
            for member in self._places.struct(id_).fields:
                for within in enums_in(member.type):
                    enum = self._backend_input.types.get(within)
                    if isinstance(enum, Enum) and is_validated_enum(enum):
                        found[enum.id] = None
        return tuple(found)

    def _kind(self, kind: Kind, struct: Struct, writer: ValueWriter) -> dict[str, object]:
        """Return the template's values for the function that strategies call for a whole object."""
        has_checks = struct.id in self._plan.validated
        writer.imports.uses("FieldError", "Features", *(["ROOT", "ValidationOptions"] if has_checks else []))
        return {
            "name": struct.snake_name,
            "type": writer.imports.type_name(struct.id),
            "title": with_article(kind.name),
            "rules": self._rules[struct.id].call(writer.imports) if struct.id in self._rules else "",
            "has_checks": has_checks,
            "allowed": list(self._allowed(struct, writer)) if has_checks else [],
        }

    def _allowed(self, struct: Struct, writer: ValueWriter) -> Iterator[dict[str, str]]:
        """Yield the enum values that are allowed while they are rolled out.

        These are values whose gate is enabled or whose release is reached, and those of the old object; all values of
        enums of another release series.
        """
        series = self._backend_input.api.series_of_groups
        for enum, value in self._holders.rolled_out_below(struct.id):
            tests = []
            if not self._backend_input.api.is_value(struct.id, enum.id):
                name = self._holders.name(HolderKey(struct.id, enum.id, value.value))
                has_value = f"old is not None and {writer.imports.function(struct.id, 'validation', name)}(old)"
                accepted = accepted_test(value, series.get(enum.id.group, ""))
                tests = list(filter(None, (accepted, has_value if value.may_be_kept else "")))
                if len(tests) > 1:
                    tests = [f"({test})" if " and " in test else test for test in tests]
            yield {"key": literal(value_key(enum, value)), "condition": " or ".join(tests)}


def _module(id_: TypeId) -> Module:
    return Module.of(id_.group, id_.version, "validation")


def _enum(enum: Enum, writer: ValueWriter) -> dict[str, object]:
    """Return the template's values for the function that validates a value of an enum.

    `rolled_out` are values that options allow, each with the words of its condition for the error.
    """
    values = list(rolled_out_values(enum))
    rolled_out = [
        {
            "value": literal(value.value),
            "key": literal(value_key(enum, value)),
            "condition": literal(condition_words(value)) if enum.open or accepted_test(value) else "",
        }
        for value in values
    ]
    supported = [literal(v.value) for v in enum.values if v not in values]
    writer.imports.uses(
        *("FieldError", "FieldPath", "ValidationOptions"),
        *(["gated"] if any(each["condition"] for each in rolled_out) else []),
        *([] if enum.open else ["not_supported"]),
    )
    return {
        "name": enum.snake_name,
        "title": with_article(enum.id.name),
        "open": enum.open,
        "supported": f"[{', '.join(supported)}]" if values else tuple_literal(supported),
        "rolled_out": rolled_out,
    }


def value_key(enum: Enum, value: EnumValue) -> str:
    """Return the name of a value that is rolled out, in validation options."""
    return f"{enum.id.group}/{enum.id.name}.{value.value}"


def accepted_test(value: EnumValue, series: str = "") -> str:
    """The expression, of `features`, that is true while every object may have a value; empty if no release is known.

    `series` is the release series of the value's enum.
    """
    introduced, removed = value.lifecycle.introduced, value.lifecycle.removed
    tests = [f"not {at_least(removed, series)}"] if removed is not None else []
    if value.gate is not None:
        tests.insert(0, off_condition(gates_of(value.gate)).removeprefix("not "))
    elif value.tolerated is not None:
        tests = [at_least(introduced, series), *tests] if introduced is not None else []
    return " and ".join(tests)


def condition_words(value: EnumValue) -> str:
    """Return the condition under which every object may have a value, for its error."""
    introduced, removed = value.lifecycle.introduced, value.lifecycle.removed
    words = [f"the release is earlier than {removed}"] if removed is not None else []
    if value.gate is not None:
        words.insert(0, _gate_words(value.gate))
    elif value.tolerated is not None:
        words.insert(0, f"the release is {introduced} or later")
    return " and ".join(words)


def _gate_words(gate: GateSpec) -> str:
    gates = gates_of(gate)
    if len(gates.names) == 1:
        return f"the {gates.names[0]} feature is enabled"
    names = ", ".join(gates.names)
    some = "one" if gates.join is GateJoin.ANY else "all"
    return f"{some} of the features {names} {'is' if some == 'one' else 'are'} enabled"


@dataclass(frozen=True, slots=True)
class HolderKey:
    """Return a function that returns whether a struct, or a nested one, has a value of an enum."""

    struct: TypeId
    enum: TypeId
    value: str


@dataclass(slots=True)
class Holders:
    """The functions that look for enum values that are rolled out, collected from the kinds that need them downwards."""

    places: Places
    scope: tuple[TypeId, ...]
    _enums: dict[TypeId, tuple[TypeId, ...]] = field(default_factory=dict)
    _owners: dict[TypeId, list[TypeId]] = field(default_factory=dict)
    _reach: dict[TypeId, frozenset[TypeId]] = field(default_factory=dict)
    _requested: dict[HolderKey, None] = field(default_factory=dict)
    _names: dict[tuple[str, str, str], HolderKey] = field(default_factory=dict)

    def rolled_out_below(self, root: TypeId) -> Iterator[tuple[Enum, EnumValue]]:
        """Yield the rolled-out values that objects of a kind can have."""
        for enum in dict.fromkeys(enum for id_ in self.places.below(root) for enum in self._enums_of(id_)):
            type_ = self.places.types[enum]
            if isinstance(type_, Enum):
                yield from ((type_, value) for value in rolled_out_values(type_))

    def ask(self, key: HolderKey) -> str:
        """Have a function made, with all that it calls; returns its name."""
        if key not in self._requested:
            self._requested[key] = None
            for child in self.places.children(key.struct):
                if child.struct in self._holding(key.enum):
                    self.ask(HolderKey(child.struct, key.enum, key.value))
        return self.name(key)

    def name(self, key: HolderKey) -> str:
        """E.g. `frobber_has_restart_policy_on_tuesday`."""
        enum = enum_of(key.enum, self.places.types)
        value_name = f"{enum.snake_name}_{snake_case(key.value) or 'empty'}"
        candidates = chain((value_name, f"{package_name(key.enum.group)}_{value_name}"), free_names(value_name, "_"))
        for candidate in candidates:
            name = f"{self.places.struct(key.struct).snake_name}_has_{candidate}"
            if self._names.setdefault((key.struct.group, key.struct.version, name), key) == key:
                return name
        raise AssertionError("there is always another number")

    def holds(self, struct: TypeId, enum: TypeId) -> bool:
        """Return whether a struct, or one in it, has a field of an enum."""
        return struct in self._holding(enum)

    def modules(self) -> Iterator[Module]:
        """The modules of these functions."""
        return (Module.of(key.struct.group, key.struct.version, "validation") for key in self._requested)

    def functions(self, module: Module, writer: ValueWriter) -> Iterator[dict[str, str]]:
        """Yield the template's values for the functions of a module."""
        for key in self._requested:
            if Module.of(key.struct.group, key.struct.version, "validation") == module:
                yield self._function(key, writer)

    def _function(self, key: HolderKey, writer: ValueWriter) -> dict[str, str]:
        struct = self.places.struct(key.struct)
        scope = writer.scope(struct)
        parts = [part for member in struct.fields for part in self._own(member, key, scope)]
        for child in self.places.children(key.struct):
            if child.struct in self._holding(key.enum):
                below = HolderKey(child.struct, key.enum, key.value)
                called = writer.imports.function(child.struct, "validation", self.name(below))
                parts.append(any_child(child, called, scope))
        bracketed = (f"({part})" if len(parts) > 1 and " and " in part else part for part in parts)
        doc = f"Whether {with_article(struct.id.name)} has {key.value} for {with_article(key.enum.name)}."
        return {
            "name": self.name(key),
            "type": writer.imports.type_name(key.struct),
            "doc": doc,
            "has_value": " or ".join(bracketed),
        }

    def _own(self, member: Field, key: HolderKey, scope: Scope) -> Iterator[str]:
        """Return whether a field, an element or a value has it; then, whether a key has."""
        if enum_in(member.type) == key.enum:
            steps: tuple[BoundStep, ...] = (FieldStep(member), *steps_to_elements(member.type))
            yield holds(steps, "obj", scope, lambda value: f"{value} == {literal(key.value)}")
        if has_keys_of(member.type, key.enum):
            place = f"obj.{member.py_name}"
            yield _any_key(place, member.type, member.can_be_none, key.enum, literal(key.value))

    def _enums_of(self, struct: TypeId) -> tuple[TypeId, ...]:
        """Return the enums of a struct's own fields, each once."""
        if struct not in self._enums:
            fields = self.places.struct(struct).fields
            self._enums[struct] = tuple(dict.fromkeys(enum for member in fields for enum in enums_in(member.type)))
        return self._enums[struct]

    def _holding(self, enum: TypeId) -> frozenset[TypeId]:
        if not self._owners:
            for id_ in self.scope:
                for within in self._enums_of(id_):
                    self._owners.setdefault(within, []).append(id_)
        if enum not in self._reach:
            self._reach[enum] = self.places.above(self._owners.get(enum, ()))
        return self._reach[enum]


def has_keys_of(type_: Type, enum: TypeId) -> bool:
    """Return whether the keys of a map in a type are values of an enum."""
    return any(isinstance(part, MapType) and underlying(part.key) == EnumType(enum) for part in parts_of(type_))


def _any_key(holder: str, type_: Type, can_be_none: bool, enum: TypeId, value: str, depth: int = 0) -> str:
    """Return whether a value of an enum is a key of a map in the expression `holder`."""
    behind = underlying(type_)
    assert isinstance(behind, ListType | MapType)
    tests = []
    if isinstance(behind, MapType) and isinstance(key := underlying(behind.key), EnumType) and key.id == enum:
        tests.append(f"{value} in {holder}")
    inner = behind.value if isinstance(behind, MapType) else behind.item
    if has_keys_of(inner, enum):
        item = numbered("item", depth)
        test = _any_key(item, inner, item_can_be_none(inner), enum, value, depth + 1)
        tests.append(f"any({test} for {item} in {holder}{'.values()' if isinstance(behind, MapType) else ''})")
    found = tests[0] if len(tests) == 1 else f"({' or '.join(tests)})"
    return f"{holder} is not None and {found}" if can_be_none else found
