"""How fields stand for nothing."""

from __future__ import annotations

from enum import StrEnum


class Presence(StrEnum):
    """How a value that is not there looks; see the table in the spec language."""

    PLAIN = "plain"
    NULLABLE = "nullable"
    OPTIONAL = "optional"
    OMIT_EMPTY = "omitEmpty"
