"""No type is left over."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.ir.model import Alias, Enum, Struct, TypeDef
from apigen.rules.rule import Finding, Rule, Surroundings


class TypesAreUsed(Rule):
    """A type that no kind leads to is probably forgotten, or a field of it is."""

    code = "AG1109"

    def check_struct(self, struct: Struct, around: Surroundings) -> Iterator[Finding]:
        return _check(struct, around)

    def check_enum(self, enum: Enum, around: Surroundings) -> Iterator[Finding]:
        return _check(enum, around)

    def check_alias(self, alias: Alias, around: Surroundings) -> Iterator[Finding]:
        return _check(alias, around)


def _check(type_: TypeDef, around: Surroundings) -> Iterator[Finding]:
    if type_.id not in around.used:
        yield Finding(
            type_.place, f"no kind leads to `{type_.id.name}`", "remove it, or the field that used it is missing"
        )
