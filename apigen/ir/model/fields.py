"""Fields of structs."""

from __future__ import annotations

from enum import StrEnum

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.ir.model.lifecycle import NO_LIFECYCLE, Lifecycle
from apigen.ir.types import NONE_AS_ZERO, StructType, Type, WellKnownType, is_bytes, is_container, underlying
from apigen.spec.model import (
    NO_CONSTRAINTS,
    NO_MERGE,
    Constraints,
    DefaultCase,
    GateSpec,
    LensSpec,
    LiteralNode,
    Located,
    MergeSpec,
)


class Presence(StrEnum):
    """How a value that is not there looks; see the table in the spec language."""

    PLAIN = "plain"
    NULLABLE = "nullable"
    OPTIONAL = "optional"
    OMIT_EMPTY = "omitEmpty"


Ignored = tuple[tuple[Located[str], Located[str]], ...]
"""Codes of lint rules that an element acknowledges, each with the reason."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a struct as JSON and Python see it.

    `via` names the inline fields through which it stands here: empty for a struct's own fields, else its protobuf
    message is that of the last inline field. `number` is None only in hub types. `absent` is what the `None` of a
    version means in a hub field that cannot be `None`. `defaults`: a type of another release series is defaulted here.
    """

    json_name: str
    py_name: str
    type: Type
    presence: Presence
    place: Place
    required: bool = False
    number: int | None = None
    protobuf_name: str = ""
    doc: str | None = None
    via: tuple[str, ...] = ()
    default: tuple[DefaultCase, ...] = ()
    defaults: bool = False
    hub: LensSpec | None = None
    absent: LiteralNode | None = None
    gate: GateSpec | None = None
    constraints: Constraints = NO_CONSTRAINTS
    item_constraints: Constraints = NO_CONSTRAINTS
    key_constraints: Constraints = NO_CONSTRAINTS
    value_constraints: Constraints = NO_CONSTRAINTS
    merge: MergeSpec = NO_MERGE
    lifecycle: Lifecycle = NO_LIFECYCLE
    ignore: Ignored = ()

    @property
    def can_be_none(self) -> bool:
        """Whether the Python attribute may be `None`."""
        match self.presence:
            case Presence.NULLABLE | Presence.OPTIONAL:
                return True
            case Presence.OMIT_EMPTY if is_container(self.type) or is_bytes(self.type):
                return True
        return zero_is_none(self.type)


def zero_is_none(type_: Type) -> bool:
    """Whether the zero value of a type is `None` (times and raw JSON)."""
    type_ = underlying(type_)
    return isinstance(type_, WellKnownType) and type_.known in NONE_AS_ZERO


@dataclass(frozen=True, slots=True)
class Inline:
    """A struct whose fields stand in its parent, but in a message of their own in protobuf.

    `defaults`: the fields of a struct of another release series are defaulted here.
    """

    name: str
    type: StructType
    number: int
    protobuf_name: str
    place: Place
    via: tuple[str, ...] = ()
    doc: str | None = None
    ignore: Ignored = ()
    defaults: bool = False
