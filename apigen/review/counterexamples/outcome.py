"""The outcome of an object that one side accepts and the other side receives: how the two differ, and whether it shows a
finding. Base and revision may differ in several places, and only one is that of the finding.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from enum import StrEnum

from apigen.dataclass import dataclass
from apigen.language.json_values import JsonValue
from apigen.review.results import ABSENT, Direction, Missing, Side

_LONGEST = 80


@dataclass(frozen=True, slots=True)
class Difference:
    """A path, and its value in both objects."""

    path: str
    before: JsonValue | Missing
    after: JsonValue | Missing

    def __str__(self) -> str:
        if isinstance(self.after, Missing):
            return f"{self.path} is lost; it was {_shown(self.before)}"
        if isinstance(self.before, Missing):
            return f"{self.path} becomes {_shown(self.after)}; it was unset"
        return f"{self.path} becomes {_shown(self.after)}; it was {_shown(self.before)}"


RANDOMIZED = frozenset({"metadata.generation"})
"""Fields that a server sets itself."""


def unexpected(before: JsonValue, after: JsonValue) -> Iterator[Difference]:
    """Yield the differences, without those of fields that a server sets itself."""
    return (each for each in differences(before, after) if each.path not in RANDOMIZED)


def differences(before: JsonValue | Missing, after: JsonValue | Missing, path: str = "") -> Iterator[Difference]:
    """Yield the innermost places that differ. Absent, null and empty count as different only if nothing else differs."""
    if before == after and type(before) is type(after):
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for name in {**before, **after}:
            yield from differences(before.get(name, ABSENT), after.get(name, ABSENT), f"{path}.{name}".lstrip("."))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from differences(one, other, f"{path}[{index}]")
    else:
        yield Difference(path, before, after)


def _shown(value: JsonValue | Missing) -> str:
    text = "unset" if isinstance(value, Missing) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


_INDEX = re.compile(r"\[[^\]]*\]")
_PATH = re.compile(r"[\w$-]+(?:\.[\w$-]+)*")


UNKNOWN_FIELD = "unknown field"
"""Used as the keyword of a rejection of a field that no schema describes."""

NO_KIND = "no kind"
"""Used as the keyword of a rejection of a kind or version that a server does not serve."""

_EXACT = frozenset({"required", UNKNOWN_FIELD})
"""Rejections with these keywords carry the exact path of the field, so paths above or below it do not count."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """An error for which a server rejects an object: the keyword of the schema, the path without indices, and the text."""

    keyword: str
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Rejections:
    """The rejections that show a finding: those with one of `keywords` (None: any), and one of `words` in the text, if
    there are any.

    A rejection without keyword must not have any of `others` in its text.
    """

    keywords: frozenset[str] | None = None
    words: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def are_before_schemas(self) -> bool:
        """Return whether the server rejects such objects before it evaluates their schema."""
        return self.keywords is not None and self.keywords <= {UNKNOWN_FIELD, NO_KIND}

    def fit(self, text: str) -> bool:
        """Return whether the text of a rejection matches the finding's rule."""
        if self.words and not any(word in text for word in self.words):
            return False
        return not any(word in text for word in self.others)

    def fit_error(self, error: Rejection, places: tuple[str, ...]) -> bool:
        """Return whether a rejection matches the finding's rule, at one of its places."""
        if self.keywords is not None and error.keyword not in self.keywords:
            return False
        if self.words and not any(word in error.text for word in self.words):
            return False
        if error.keyword in _EXACT and self.keywords is not None:
            return not places or any(_is_inside(error.path, place) for place in places)
        return concerns(error.path, places)


def path_of(steps: Iterable[str]) -> str:
    """Return the field path along steps, without steps into items, map keys and map values."""
    return ".".join(step for step in steps if not step.startswith(("[", "{")))


def concerns(text: str, places: tuple[str, ...]) -> bool:
    """Return whether the text of an outcome names one of the places, or one inside or around it; true without places."""
    if not places or "" in places:
        return True
    named = _PATH.findall(_INDEX.sub("", text))
    return any(_is_inside(path, place) or _is_inside(place, path) for path in named for place in places)


def sets(value: JsonValue, path: str) -> bool:
    """Return whether an object sets a field to a value that its encoding contains: zero and empty texts and lists may be
    omitted.
    """
    if isinstance(value, list):
        return any(sets(each, path) for each in value)
    if not path:
        return isinstance(value, dict) or bool(value)
    name, _, rest = path.partition(".")
    if not isinstance(value, dict):
        return False
    return sets(value[name], rest) if name in value else any(sets(each, path) for each in value.values())


def _is_inside(path: str, other: str) -> bool:
    return path == other or path.startswith(f"{other}.")


SENDERS = {Side.OLD: Direction.OLD_CLIENT, Side.NEW: Direction.NEW_CLIENT}
"""The directions in which a client of a side sends an object to the server of the other side."""

READERS = {Side.OLD: Direction.NEW_CLIENT, Side.NEW: Direction.OLD_CLIENT}
"""The directions in which a client of the other side reads an object of a side."""

KEEPERS = {Side.OLD: Direction.STORED, Side.NEW: Direction.ROLLBACK}
"""The directions in which the other side reads an object that a side stored."""


class OutcomeKind(StrEnum):
    """The result for the object."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    LOST = "lost"
    REJECTED = "rejected"
    NOT_VALID = "not valid"  # the side that it is an example for rejects it, so it shows nothing


@dataclass(frozen=True, slots=True)
class Outcome:
    """`text` describes the outcome, in a sentence without a final period; `after` is the resulting value, if there is
    one.

    `errors` are those of a rejection, if the server reports them one by one.
    """

    outcome_kind: OutcomeKind
    text: str = ""
    before: JsonValue = None
    after: JsonValue = None
    errors: tuple[Rejection, ...] = ()

    @property
    def shows(self) -> bool:
        """Return whether it shows that something breaks."""
        return self.outcome_kind in (OutcomeKind.CHANGED, OutcomeKind.LOST, OutcomeKind.REJECTED)


def rejected(text: str, error: Exception, value: JsonValue) -> Outcome:
    """Return the outcome of a rejection; `text` describes what was rejected."""
    return Outcome(OutcomeKind.REJECTED, f"{text}: {error}", value, errors=getattr(error, "errors", ()))


UNCHANGED = Outcome(OutcomeKind.UNCHANGED)
