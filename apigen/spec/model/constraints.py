"""What values have to satisfy."""

from __future__ import annotations

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place
from apigen.spec.model.values import LiteralNode, Located


@dataclass(frozen=True, slots=True)
class Constraints:
    """Validation of one value. Numbers are what was written; `requires`/`forbids` name sibling fields.

    `if_enabled` and `if_disabled` hold while a gate is on, or off, `if_mode` by what stands beside; `subfields` are about
    fields of the struct that the value is. Only in those may `required` stand. `enforced_by_hand` is refused by code that
    nobody generates: reviews know it, and nothing is generated for it.
    """

    minimum: Located[int | float] | None = None
    maximum: Located[int | float] | None = None
    exclusive_minimum: Located[int | float] | None = None
    exclusive_maximum: Located[int | float] | None = None
    multiple_of: Located[int | float] | None = None
    min_length: Located[int] | None = None
    max_length: Located[int] | None = None
    max_bytes: Located[int] | None = None
    pattern: EmbeddedText | None = None
    format: Located[str] | None = None
    min_items: Located[int] | None = None
    max_items: Located[int] | None = None
    unique_items: Located[bool] | None = None
    min_properties: Located[int] | None = None
    max_properties: Located[int] | None = None
    immutable: Located[bool] | None = None
    monotonic: Located[bool] | None = None
    not_value: LiteralNode | None = None
    update: tuple[Located[str], ...] = ()
    forbidden: Located[bool] | None = None
    required: Located[bool] | None = None
    unique_by: tuple[Located[str], ...] = ()
    if_enabled: tuple[NamedConstraints, ...] = ()
    if_disabled: tuple[NamedConstraints, ...] = ()
    subfields: tuple[NamedConstraints, ...] = ()
    if_mode: tuple[ModeConstraints, ...] = ()
    requires: tuple[Located[str], ...] = ()
    forbids: tuple[Located[str], ...] = ()
    rules: tuple[RuleSpec, ...] = ()
    enforced_by_hand: Constraints | None = None

    def is_empty(self) -> bool:
        """Whether nothing has to be judged; what is enforced by hand is judged elsewhere."""
        return self == NO_CONSTRAINTS or (self.enforced_by_hand is not None and self.generated() == NO_CONSTRAINTS)

    def generated(self) -> Constraints:
        """What is to be judged by generated code."""
        return self if self.enforced_by_hand is None else replace(self, enforced_by_hand=None)


NO_CONSTRAINTS = Constraints()
"""Where nothing is said: the one value that all share."""

BOUNDS = (
    *("minimum", "maximum", "exclusive_minimum", "exclusive_maximum", "multiple_of"),
    *("min_length", "max_length", "max_bytes", "pattern", "format"),
    *("min_items", "max_items", "min_properties", "max_properties"),
)
"""The constraints that say which values are good, which only checks, schemas and validation read."""


@dataclass(frozen=True, slots=True)
class EmbeddedText(Located[str]):
    """Text in a language of its own: a CEL expression or a pattern. `begins` is the place of its first character, if all of it stands in one line as it is."""

    begins: Place | None = None

    def place_of(self, line: int, column: int) -> Place:
        """The place of a character of it, both counted from 1; of the whole where that cannot be told."""
        if self.begins is None or line != 1:
            return self.place
        return Place(self.begins.file, self.begins.line, self.begins.column + column - 1)


@dataclass(frozen=True, slots=True)
class NamedConstraints:
    """Constraints that hold in one state of a gate, in one mode, or for one field of a struct."""

    name: Located[str]
    constraints: Constraints


@dataclass(frozen=True, slots=True)
class ModeConstraints:
    """Constraints by the value of a field beside, the `discriminator`. In a mode that has none the value is forbidden."""

    discriminator: Located[str]
    modes: tuple[NamedConstraints, ...]


@dataclass(frozen=True, slots=True)
class RuleSpec:
    """A CEL rule, with the words of Kubernetes' `x-kubernetes-validations`."""

    rule: EmbeddedText
    message: Located[str] | None = None
    message_expression: EmbeddedText | None = None
    reason: Located[str] | None = None
    field_path: Located[str] | None = None
    optional_old_self: Located[bool] | None = None
