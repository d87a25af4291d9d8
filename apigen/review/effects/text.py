"""Values as text for people."""

from __future__ import annotations

import json
from collections.abc import Iterable

from apigen.review.effects.member import Computed, State
from apigen.review.json_values import JsonValue
from apigen.review.results import Missing

_LONGEST = 60


def quoted(names: Iterable[str], conjunction: str = ", ") -> str:
    """Return names as a list in a sentence."""
    return conjunction.join(f"`{name}`" for name in names)


def state_in_words(state: State) -> str:
    """Return a value in memory as text; the result of a computed default is unknown."""
    return f"the result of its default ({state.text})" if isinstance(state, Computed) else shown(state)


def shown(value: JsonValue | Missing) -> str:
    """Return the value as JSON, shortened if it is long; "unset" for a missing one."""
    if isinstance(value, Missing):
        return "unset"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
