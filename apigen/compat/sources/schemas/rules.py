"""Rules in CEL."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.sources.schemas.constraints import Complain
from apigen.compat.sources.schemas.words import Words, is_true, items_of, text, words_of
from apigen.compat.surface.constraints import CelRule
from apigen.spec.nodes import Mapping

WORD = "x-kubernetes-validations"


def rules_of(words: Words, complain: Complain) -> tuple[CelRule, ...]:
    """The rules of a schema."""
    return tuple(_rules(words, complain)) if WORD in words else ()


def _rules(words: Words, complain: Complain) -> Iterator[CelRule]:
    items = items_of(words, WORD)
    if not items:
        complain(words[WORD], f"`{WORD}` is not a list of rules")
    for item in items:
        own = words_of(item) if isinstance(item, Mapping) else {}
        rule = text(own, "rule")
        if rule is None:
            complain(item, "a rule without `rule:`")
        else:
            yield CelRule(
                text=rule.strip(),
                place=item.place,
                message=text(own, "message"),
                optional_old_self=is_true(own, "optionalOldSelf"),
            )
