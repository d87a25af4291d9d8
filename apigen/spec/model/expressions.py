"""Type expressions."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.diagnostics import Place


@dataclass(frozen=True, slots=True)
class NamedExpr:
    """`int32`, `FrobberSpec` or `meta/v1.ObjectMeta`: a builtin, a type of the same version, or of another."""

    name: str
    group: str | None
    version: str | None
    place: Place


@dataclass(frozen=True, slots=True)
class ListExpr:
    """`[]T`."""

    item: TypeExpr
    place: Place


@dataclass(frozen=True, slots=True)
class MapExpr:
    """`map[string]T`; `key` may be a named string type."""

    key: NamedExpr
    value: TypeExpr
    place: Place


TypeExpr = NamedExpr | ListExpr | MapExpr
