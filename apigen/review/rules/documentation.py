"""Descriptions."""

from __future__ import annotations

import re
from collections import Counter

from apigen.review.changes.change import Altered, Trait
from apigen.review.context import Context
from apigen.review.results import Direction, RuleResult, depends
from apigen.review.rules.rule import altered, change_rule, note

_PROMISE = re.compile(
    r"\b(must(?: not)?|may not|shall(?: not)?|cannot|required|mandatory|forbidden|only if|exactly|at most|at least|immutable"
    r"|defaults?(?: to| is)?|defaulted|minimum|maximum|never|always"
    r"|nanoseconds?|microseconds?|milliseconds?|seconds?|minutes?|hours?|days?|bytes?|[kmgt]i?b|bits?|percent(?:age)?"
    r"|millicores?|cores?|rfc ?\d+|utc)\b"
)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)")

MOST = 20_000
"""Characters of a description that are compared."""


def changed(before: str | None, after: str | None) -> tuple[str, ...]:
    """Return the words of requirements, units and defaults that occur more often on one side, and the numbers of
    descriptions with such words, in alphabetical order.
    """
    old, new = ((description or "")[:MOST].lower() for description in (before, after))
    old_lines, new_lines = Counter(old.split("\n")), Counter(new.split("\n"))
    # no pattern matches across lines, so lines that both sides have cannot make a difference
    old_words = _word_counts(old_lines - new_lines, has_words=_PROMISE.search(old) is not None)
    new_words = _word_counts(new_lines - old_lines, has_words=_PROMISE.search(new) is not None)
    return tuple(sorted({*(old_words - new_words), *(new_words - old_words)}))


def _word_counts(lines: Counter[str], *, has_words: bool) -> Counter[str]:
    """Count the words in the lines, and the numbers of a description that has any of the words."""
    if not has_words:
        return Counter()
    text = "\n".join(lines.elements())
    words = Counter(_PROMISE.findall(text))
    words.update(_NUMBER.findall(text))
    return words


_SHOWN = 6
"""The maximum number of words in a message."""


@change_rule("promise-changed", altered(Trait.DOC), severities="W/W/W", is_excusable=False)
def promise_changed(change: Altered, context: Context) -> RuleResult | None:
    """Declarations that are not in the schema are in the description, and users rely on them."""
    if change.before is None or change.after is None:
        return None
    words = changed(str(change.before), str(change.after))
    if not words:
        return None
    listed = ", ".join(words[:_SHOWN]) + (" and more" if len(words) > _SHOWN else "")
    message = f"description of {change.element.words} changed its requirements, units or defaults: {listed}"
    return RuleResult(
        message, {Direction.OLD_CLIENT: depends("older clients break if the behavior changed with the words")}
    )


@change_rule("description-changed", altered(Trait.DOC), severities="I/I/I", is_excusable=False)
def description_changed(change: Altered, context: Context) -> RuleResult:
    """The description does not affect objects."""
    how = "was added" if change.before is None else "was removed" if change.after is None else "changed"
    return note(f"description of {change.element.words} {how}")
