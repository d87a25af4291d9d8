"""Values as messages show them."""

from __future__ import annotations

import json

from apigen.compat.inclusion.result import Inclusion, NotIncluded
from apigen.compat.verdict.example import JsonValue

_LONGEST = 60


def shown(value: JsonValue) -> str:
    """A value as JSON; what is long is told by its size."""
    text = json.dumps(value, ensure_ascii=False)
    if len(text) <= _LONGEST:
        return text
    match value:
        case str():
            return f"a text of {len(value)} characters"
        case list():
            return f"a list of {len(value)} items"
        case dict():
            return f"a map of {len(value)} entries"
    return f"{text[:_LONGEST]}…"


def value_shown(found: Inclusion, otherwise: str) -> str:
    """The counter-example of an inclusion; `otherwise` where there is none to show."""
    if isinstance(found, NotIncluded) and found.counter_example is not None:
        return shown(found.counter_example)
    return otherwise
