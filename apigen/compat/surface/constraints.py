"""What values have to satisfy, keyword by keyword."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place


class Keyword(StrEnum):
    """The keywords of constraints, in the words of the spec language; schemas of other forms are read into them."""

    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    EXCLUSIVE_MINIMUM = "exclusiveMinimum"
    EXCLUSIVE_MAXIMUM = "exclusiveMaximum"
    MULTIPLE_OF = "multipleOf"
    MIN_LENGTH = "minLength"
    MAX_LENGTH = "maxLength"
    MIN_BYTES = "minBytes"
    MAX_BYTES = "maxBytes"
    PATTERN = "pattern"
    FORMAT = "format"
    MIN_ITEMS = "minItems"
    MAX_ITEMS = "maxItems"
    UNIQUE_ITEMS = "uniqueItems"
    UNIQUE_BY = "uniqueBy"
    MIN_PROPERTIES = "minProperties"
    MAX_PROPERTIES = "maxProperties"
    IMMUTABLE = "immutable"
    MONOTONIC = "monotonic"
    UPDATE = "update"
    NOT_VALUE = "notValue"
    CONST = "const"
    FORBIDDEN = "forbidden"
    REQUIRES = "requires"
    FORBIDS = "forbids"
    IF_ENABLED = "ifEnabled"
    IF_DISABLED = "ifDisabled"
    IF_MODE = "ifMode"
    SUBFIELDS = "subfields"
    ENFORCED_BY_HAND = "enforcedByHand"
    READ_ONLY = "readOnly"
    WRITE_ONLY = "writeOnly"


ConstraintValue = bool | int | float | str | tuple[str, ...]
"""Numbers as written; names in order of the alphabet where order means nothing; anything nested as canonical JSON."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """What a keyword says."""

    value: ConstraintValue
    place: Place = field(compare=False)


Constraints = Mapping[Keyword, Constraint]


@dataclass(frozen=True, slots=True)
class CelRule:
    """A rule in CEL. It is known by what it says: another text is another rule."""

    text: str
    place: Place = field(compare=False)
    message: str | None = field(default=None, compare=False)
    optional_old_self: bool = False
    """Whether it is asked without an old object, too (`optionalOldSelf`)."""

    @property
    def name(self) -> str:
        """What it is known by."""
        return f"{self.text} with optionalOldSelf" if self.optional_old_self else self.text

    @property
    def is_transition(self) -> bool:
        """Whether it judges the step from an old object."""
        return "oldSelf" in self.text
