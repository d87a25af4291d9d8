"""What a rule is: one question about a type or field, its code, and what it finds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Related
from apigen.ir.model import Alias, Api, Enum, Field, Struct
from apigen.ir.types import TypeId
from apigen.ir.version_graph import VersionName


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule finds: where, one sentence, the edit that mends it, and other places that tell why."""

    place: Place
    message: str
    hint: str | None = None
    related: tuple[Related, ...] = ()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a rule can look at besides what it is asked about: the API, which types of it are used, and which versions
    each version leads to.
    """

    api: Api
    used: frozenset[TypeId]
    below: Mapping[VersionName, frozenset[VersionName]]


class Rule:
    """A rule. A class per rule, stateless; each asks about what it overrides. A finding is a warning."""

    code: ClassVar[str]

    def check_struct(self, struct: Struct, around: Surroundings) -> Iterator[Finding]:
        """What is to be said of a struct."""
        return iter(())

    def check_field(self, field: Field, struct: Struct, around: Surroundings) -> Iterator[Finding]:
        """What is to be said of a field of the struct's own."""
        return iter(())

    def check_enum(self, enum: Enum, around: Surroundings) -> Iterator[Finding]:
        """What is to be said of an enum."""
        return iter(())

    def check_alias(self, alias: Alias, around: Surroundings) -> Iterator[Finding]:
        """What is to be said of an alias."""
        return iter(())
