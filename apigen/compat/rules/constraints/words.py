"""The keywords of constraints by what they are about, and changes of them in words."""

from __future__ import annotations

from apigen.compat.changes.change import Altered
from apigen.compat.changes.words import value_words
from apigen.compat.surface.constraints import Keyword

BOUNDS = (
    Keyword.MINIMUM,
    Keyword.MAXIMUM,
    Keyword.EXCLUSIVE_MINIMUM,
    Keyword.EXCLUSIVE_MAXIMUM,
    Keyword.MULTIPLE_OF,
    Keyword.MIN_LENGTH,
    Keyword.MAX_LENGTH,
    Keyword.MIN_BYTES,
    Keyword.MAX_BYTES,
    Keyword.MIN_ITEMS,
    Keyword.MAX_ITEMS,
    Keyword.MIN_PROPERTIES,
    Keyword.MAX_PROPERTIES,
)
VALUES = (Keyword.NOT_VALUE, Keyword.CONST, Keyword.FORBIDDEN)
UNIQUENESS = (Keyword.UNIQUE_ITEMS, Keyword.UNIQUE_BY)
JUDGED_BY_VALUES = (*BOUNDS, Keyword.PATTERN, Keyword.FORMAT, *VALUES, *UNIQUENESS)
UPDATES = (Keyword.IMMUTABLE, Keyword.MONOTONIC, Keyword.UPDATE)
CONDITIONAL = (Keyword.IF_ENABLED, Keyword.IF_DISABLED, Keyword.IF_MODE, Keyword.SUBFIELDS)


def change_in_words(change: Altered) -> str:
    """What a keyword says, and said."""
    word, of = change.keyword, change.element
    if change.before is None:
        return f"{of} has {word}: {value_words(change.after)}, and had no such constraint"
    if change.after is None:
        return f"{of} no longer has {word}: {value_words(change.before)}"
    return f"{word} of {of} is {value_words(change.after)} instead of {value_words(change.before)}"
