"""Values in generated strategies: zero values, literals of specs, deep copies, comparisons and names of loop variables."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Mapping

from apigen.codegen.copying import Names, copied_value
from apigen.codegen.hub_names import ShownNames
from apigen.codegen.python.conditions import Scope
from apigen.codegen.python.source_text import Imports, literal, numbered
from apigen.codegen.python.values import literal_expression, zero
from apigen.codegen.strategies.walks import FunctionKey, Gates, WalkPlanner
from apigen.dataclass import dataclass
from apigen.ir.literals import literal_value
from apigen.ir.model import EnumType, Field, ScalarType, Struct, Type, TypeDef, TypeId, struct_of, underlying
from apigen.ir.names import Module
from apigen.language.model import GateJoin, LiteralNode

_TAKEN = frozenset(
    {
        *dir(builtins),
        *keyword.kwlist,
        *keyword.softkwlist,
        *("obj", "old", "path", "options", "errors", "value", "features", "dropped", "before", "now", "index", "key"),
        *("chosen", "chosen_before", "allowed", "supported", "re"),
        *(
            "duplicate",
            "excluded",
            "first_by",
            "forbidden",
            "gated",
            "immutable",
            "not_matching",
            "not_multiple",
            "not_supported",
            "repeated",
            "required",
        ),
        *(
            "repeated_values",
            "next_generation",
            "note",
            "semantic_equal",
            "too_few",
            "too_large",
            "too_long",
            "too_many",
            "too_short",
            "too_small",
        ),
        *("too_long_characters", "union_errors", "discriminated_union_errors"),
    }
)
"""Names with another meaning in the functions of strategies and validation."""


def element_name(plural: str, depth: int = 0) -> str:
    """The variable for an element of a field of that Python name; deeper ones are numbered."""
    name = _singular(plural.rstrip("_"))
    if name == plural or name in _TAKEN:
        name = f"{plural.rstrip('_')}_item"
    return numbered(name, depth)


def _singular(plural: str) -> str:
    for ending, instead in _SINGULARS:
        if plural.endswith(ending) and len(plural) > len(ending) + 1:
            return plural.removesuffix(ending) + instead
    return plural


_SINGULARS = (
    ("ies", "y"),
    ("sses", "ss"),
    ("xes", "x"),
    ("ches", "ch"),
    *((same, same) for same in ("ss", "tus", "sis")),
    ("s", ""),
)
"""The endings of plurals, and of singulars that look like plurals (`status`), with that of the singular."""


@dataclass(slots=True)
class Writer:
    """The state that the writers of one module's functions share: its imports, the types and the names in messages."""

    module: Module
    imports: Imports
    types: Mapping[TypeId, TypeDef]
    names: ShownNames
    planner: WalkPlanner

    def call(self, key: FunctionKey) -> str:
        """Return how a planned function is called from this module, without its arguments."""
        name = self.planner.planned[key].name
        if key.module == self.module:
            return name
        return self.imports.late(key.module, name)

    def scope(self, struct: Struct, features: str | None = None) -> Scope:
        """Return the scope of conditions in the block of a struct, with `obj` as the object."""
        return Scope.of("obj", struct, self.types, self.imports, features)

    def struct(self, id_: TypeId) -> Struct:
        """The struct of that identity."""
        return struct_of(id_, self.types)

    def zero(self, member: Field) -> str:
        """The zero value of a field."""
        return zero(member.type, member.can_be_none, self.imports)

    def literal(self, node: LiteralNode, type_: Type) -> str:
        """A literal of a spec as a new value of a type."""
        value = literal_value(node, type_, self.types)
        return literal_expression(value, self.imports)

    def copied(self, value: str, type_: Type, can_be_none: bool) -> str:
        """A deep copy of the expression `value`."""
        copied = copied_value(type_, value, Names(self.imports, self.types, function_name))
        return f"{copied} if {value} is not None else None" if can_be_none and copied != value else copied

    def differs(self, value: str, other: str, type_: Type, *, exact: bool = False) -> str:
        """Return an expression that is true if two values differ; unset and empty are equal unless `exact`."""
        if exact or isinstance(underlying(type_), ScalarType | EnumType):
            return f"{value} != {other}"
        return f"not {self.imports.runtime('semantic_equal')}({value}, {other})"

    def shown(self, struct: TypeId, member: Field) -> str:
        """Return a literal of the name of a field in messages."""
        return literal(self.names.shown(self.struct(struct), member))


def on_condition(gates: Gates) -> str:
    """Return the condition under which data behind the gates is accepted; in parentheses if it has several parts."""
    tests = [f"features.enabled({literal(name)})" for name in gates.names]
    joined = (" or " if gates.join is GateJoin.ANY else " and ").join(tests)
    return joined if len(tests) == 1 else f"({joined})"


def function_name(imports: Imports, id_: TypeId, module: str, name: str) -> str:
    """Return how a module spells a function that belongs to a type: plain if it is of the same version."""
    target = Module.of(id_.group, id_.version, module)
    if target.parts[:2] == imports.module.parts[:2]:
        return imports.name(target, name)
    return imports.function(id_, module, name)
