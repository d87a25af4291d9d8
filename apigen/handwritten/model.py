"""The hand-written functions of an API repo, as found (never imported) by `apigen.handwritten.find`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from apigen.diagnostics import Place
from apigen.ir.types import TypeId


class Role(StrEnum):
    """What a hand-written function does; the value is the name of its module."""

    TO_HUB = "to_hub"
    FROM_HUB = "from_hub"
    DEFAULT = "default"
    VALIDATE = "validate"


@dataclass(frozen=True, slots=True)
class HandWrittenFunction:
    """A function: `module` is its absolute Python name, e.g. `handwritten.autoscaling.v1.conversions`."""

    type: TypeId
    role: Role
    module: str
    name: str
    place: Place


@dataclass(frozen=True, slots=True)
class HandWritten:
    """All that were found, by type (of a version) and role."""

    functions: Mapping[tuple[TypeId, Role], HandWrittenFunction] = field(default_factory=dict)

    def get(self, type_: TypeId, role: Role) -> HandWrittenFunction | None:
        """The function of a type and role, or None."""
        return self.functions.get((type_, role))
