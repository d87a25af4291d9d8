"""All checks of complete types, in the order in which they run."""

from __future__ import annotations

from apigen.ir.checks import Checks
from apigen.ir.clashes import check_enum_names, check_struct_names
from apigen.ir.constraints import check_alias_constraints, check_struct_constraints
from apigen.ir.containment import check_containment
from apigen.ir.defaults import check_defaults
from apigen.ir.gates import check_enum_gates, check_struct_gates
from apigen.ir.merges import check_alias_merges, check_struct_merges
from apigen.ir.model import Alias, Enum, Struct
from apigen.ir.nesting import check_nesting
from apigen.ir.replacements import check_replacements

STRUCT_CHECKS = (
    check_struct_names,
    check_defaults,
    check_struct_gates,
    check_struct_constraints,
    check_struct_merges,
    check_replacements,
)
ENUM_CHECKS = (check_enum_names, check_enum_gates, check_replacements)
ALIAS_CHECKS = (check_alias_constraints, check_alias_merges)


def check_types(checks: Checks) -> None:
    """Report everything that is wrong with types whose names, fields and unions are bound."""
    for type_ in checks.types.values():
        match type_:
            case Struct():
                for check_struct in STRUCT_CHECKS:
                    check_struct(type_, checks)
            case Enum():
                for check_enum in ENUM_CHECKS:
                    check_enum(type_, checks)
            case Alias():
                for check_alias in ALIAS_CHECKS:
                    check_alias(type_, checks)
    structs = {id_: t for id_, t in checks.types.items() if isinstance(t, Struct)}
    check_containment(structs, checks)
    check_nesting(structs, checks)
