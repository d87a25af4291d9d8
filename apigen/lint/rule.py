"""A lint rule: a row with its code and the function that checks a type or a field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from apigen.dataclass import dataclass
from apigen.diagnostics import Diagnostic, Place, Related, Severity
from apigen.ir.model import Api, Field, Struct, TypeDef
from apigen.ir.reachability import VersionName
from apigen.ir.types import TypeId


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The API around the checked element, the types that are used, and the versions that each version refers to."""

    api: Api
    used: frozenset[TypeId]
    below: Mapping[VersionName, frozenset[VersionName]]


TypeCheck = Callable[[TypeDef, Surroundings], Iterator[Diagnostic]]
FieldCheck = Callable[[Field, Struct, Surroundings], Iterator[Diagnostic]]


@dataclass(frozen=True, slots=True)
class TypeRule:
    """A rule about structs, enums and aliases."""

    code: str
    check: TypeCheck


@dataclass(frozen=True, slots=True)
class FieldRule:
    """A rule about the own fields of a struct."""

    code: str
    check: FieldCheck


Rule = TypeRule | FieldRule


def type_rule(code: str) -> Callable[[TypeCheck], TypeRule]:
    """Make a row of a function that checks a type."""
    return lambda check: TypeRule(code, check)


def field_rule(code: str) -> Callable[[FieldCheck], FieldRule]:
    """Make a row of a function that checks a field of a struct."""
    return lambda check: FieldRule(code, check)


def finding(place: Place, message: str, hint: str, related: Iterable[Related] = ()) -> Diagnostic:
    """Return a finding of a rule. Its code and severity are those in the row of the rule."""
    return Diagnostic("", Severity.WARNING, place, message, hint, tuple(related))
