"""Values as text for people."""

from __future__ import annotations

import json
from collections.abc import Iterable

from apigen.review.effects.member import Computed, State
from apigen.review.verdict.example import JsonValue, Missing

_LONGEST = 60


def quoted(names: Iterable[str], conjunction: str = ", ") -> str:
    """Names as a list in a sentence."""
    return conjunction.join(f"`{name}`" for name in names)


def state_in_words(state: State) -> str:
    """A value in memory; what a default computes is not known."""
    return f"what its default computes ({state.text})" if isinstance(state, Computed) else shown(state)


def shown(value: JsonValue | Missing) -> str:
    """The value as JSON, cut where it is long; "nothing" for none."""
    if isinstance(value, Missing):
        return "nothing"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
