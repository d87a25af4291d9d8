"""Attribute an outcome to a finding: base and revision may differ in several places, and only one is that of the
finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from apigen.dataclass import dataclass
from apigen.language.json_values import JsonValue

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
