"""The hand-written functions of an API repo, as found (never imported) by `apigen.codegen.handwritten.find`."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place
from apigen.ir.model import TypeId
from apigen.ir.names import Module


class Role(StrEnum):
    """The role of a hand-written function; the value is the name of its module."""

    TO_HUB = "to_hub"
    FROM_HUB = "from_hub"
    DEFAULT = "default"
    VALIDATE = "validate"


@dataclass(frozen=True, slots=True, order=True)
class ModuleName:
    """A hand-written module of a version; `group` is the name of the group's package."""

    group: str
    version: str
    name: str

    @property
    def path(self) -> str:
        """Its file, in the folder of hand-written functions."""
        return f"{self.group}/{self.version}/{self.name}.py"

    @property
    def copy(self) -> Module:
        """The module of its copy in the output: next to the modules of its version."""
        return Module((self.group, self.version, f"hand_written_{self.name}"))


@dataclass(frozen=True, slots=True)
class HandWrittenFunction:
    """A function: `module` is its absolute Python name, e.g. `handwritten.autoscaling.v1.conversions`.

    `copy` is the module of its copy in the output, if it is copied. `takes_context`: its last parameter is the `context` that
    callers pass to `convert`.
    """

    type: TypeId
    role: Role
    module: str
    name: str
    place: Place
    copy: Module | None = None
    takes_context: bool = False

    @property
    def relative_module(self) -> ModuleName:
        """Its module, within the folder of hand-written functions."""
        return ModuleName(*self.module.split(".")[-3:])


@dataclass(frozen=True, slots=True)
class HandWritten:
    """All functions that were found, by type (of a version) and role.

    `copies` are the texts of copied modules, `gates` the gates that the functions, and the code that they use, query.
    """

    functions: Mapping[tuple[TypeId, Role], HandWrittenFunction] = field(default_factory=dict)
    copies: Mapping[Module, str] = field(default_factory=dict)
    gates: frozenset[str] = frozenset()

    def get(self, type_: TypeId, role: Role) -> HandWrittenFunction | None:
        """The function of a type and role, or None."""
        return self.functions.get((type_, role))

    def __or__(self, other: HandWritten) -> HandWritten:
        """Return the union; functions of the left operand win."""
        functions = {**other.functions, **self.functions}
        return HandWritten(functions, {**other.copies, **self.copies}, other.gates | self.gates)
