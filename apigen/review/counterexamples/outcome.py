"""The outcome of an object that one side accepts and the other side receives: how the two differ, and whether it shows a
finding. Base and revision may differ in several places, and only one is that of the finding.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import islice

from apigen.dataclass import dataclass
from apigen.language.json_values import JsonValue
from apigen.review.results import ABSENT, Direction, Missing, Side
from apigen.runtime.validation import FieldError

_LONGEST = 80
_MOST_ERRORS = 8


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


UNKNOWN_FIELD = "unknown field"
"""Used as the keyword of a rejection of a field that no schema describes."""

NO_KIND = "no kind"
"""Used as the keyword of a rejection of a kind or version that a server does not serve."""

_EXACT = frozenset({"required", UNKNOWN_FIELD})
"""Rejections with these keywords carry the exact path of the field, so paths above or below it do not count."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """An error for which a server rejects an object: the keyword of the violated constraint, as JSON Schema names it, the
    path without indices, and the text.

    The keyword is empty if the cause has none, such as a union of fields; such an error may be that of any finding.
    """

    keyword: str
    path: str
    text: str

    def __str__(self) -> str:
        return self.text


def listed(errors: Iterable[Rejection | FieldError]) -> str:
    """Return the texts of the first errors."""
    return "; ".join(map(str, islice(errors, _MOST_ERRORS)))


@dataclass(frozen=True, slots=True)
class Rejections:
    """The rejections that show a finding: those with one of `keywords` (None: any) and none of `others`, and one of
    `words` in the text, if there are any. `words` are messages of the API, which identify CEL rules.
    """

    keywords: frozenset[str] | None = None
    words: tuple[str, ...] = ()
    others: frozenset[str] = frozenset()

    @property
    def are_before_schemas(self) -> bool:
        """Return whether the server rejects such objects before it evaluates their schema."""
        return self.keywords is not None and self.keywords <= {UNKNOWN_FIELD, NO_KIND}

    def fit(self, error: Rejection, places: tuple[str, ...]) -> bool:
        """Return whether a rejection matches the finding's rule, at one of its places."""
        is_of_rule = self.keywords is None or not error.keyword or error.keyword in self.keywords
        if not is_of_rule or error.keyword in self.others:
            return False
        if self.words and not any(word in error.text for word in self.words):
            return False
        if error.keyword == NO_KIND:  # which has no path
            return self.keywords is not None
        if error.keyword in _EXACT and self.keywords is not None:
            return not places or any(_is_inside(error.path, place) for place in places)
        return concerns(error.path, places)


def path_of(steps: Iterable[str]) -> str:
    """Return the field path along steps, without steps into items, map keys and map values."""
    return ".".join(step for step in steps if not step.startswith(("[", "{")))


def concerns(path: str, places: tuple[str, ...]) -> bool:
    """Return whether a path is one of the places, or one inside or around it; true without places."""
    if not places or "" in places:  # the whole object
        return True
    named = _INDEX.sub("", path)
    return bool(named) and any(_is_inside(named, place) or _is_inside(place, named) for place in places)


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
    return not other or path == other or path.startswith(f"{other}.")


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

    `path` is the place that is changed or lost; `errors` are those of a rejection of `subject`, such as "the request is
    rejected". `by_client`: only a client rejects it.
    """

    outcome_kind: OutcomeKind
    text: str = ""
    before: JsonValue = None
    after: JsonValue = None
    path: str = ""
    errors: tuple[Rejection, ...] = ()
    subject: str = ""
    by_client: bool = False

    @property
    def shows(self) -> bool:
        """Return whether it shows that something breaks."""
        return self.outcome_kind in (OutcomeKind.CHANGED, OutcomeKind.LOST, OutcomeKind.REJECTED)


def rejected(subject: str, errors: tuple[Rejection, ...], value: JsonValue, *, by_client: bool = False) -> Outcome:
    """Return the outcome of a rejection; `subject` describes what was rejected."""
    text = f"{subject}: {listed(errors)}"
    return Outcome(OutcomeKind.REJECTED, text, value, errors=errors, subject=subject, by_client=by_client)


def not_served(name: str, value: JsonValue) -> Outcome:
    """Return the outcome for an object of a version or kind that the server does not serve."""
    text = f"the server does not serve {name}"
    return Outcome(OutcomeKind.REJECTED, text, value, errors=(Rejection(NO_KIND, "", text),))


def differing(difference: Difference, where: str, before: JsonValue, after: JsonValue) -> Outcome:
    """Return the outcome of an object whose values differ at a place; `where` is the start of its text."""
    kind = OutcomeKind.LOST if isinstance(difference.after, Missing) else OutcomeKind.CHANGED
    return Outcome(kind, f"{where}{difference}", before, after, difference.path)


UNCHANGED = Outcome(OutcomeKind.UNCHANGED)
