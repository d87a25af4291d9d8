"""A type became one that has nothing to do with it."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.inner import hits_of
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.types.pair import inner_of, pair_of
from apigen.compat.rules.types.scalars import message, passed
from apigen.compat.values.hits import everywhere, joined
from apigen.compat.verdict.impact import breaks
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("type-changed", altered(Trait.TYPE), altered(Trait.FORM), severities="W/E/E", presets=WIRE)
def type_changed(change: AnyChange, context: Context) -> Verdict | None:
    """The last rule about types: what it is asked is a different type."""
    pair = pair_of(change, context)
    if pair is None or set(pair.shapes) == {"enum", "string"}:
        return None
    text = f"{pair.before} is not read as {pair.after}, nor the reverse"
    if pair.scalars is None:
        is_unproven = "nothing known" in pair.shapes
        words = f"{message(change, pair)}, whose definitions are not both known" if is_unproven else ""
        return Verdict(words or message(change, pair), everywhere(breaks(text)), is_unproven=is_unproven)
    found = passed(change, pair.scalars, context)
    hits = joined((found.hits, hits_of(inner_of(change, pair, context))))
    milder = None if hits else Severities.of("I/I/I")
    return Verdict(message(change, pair), hits, severities=milder, examples=found.examples)
