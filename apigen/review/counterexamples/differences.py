"""The differences of two objects as JSON values."""

from __future__ import annotations

import json
from collections.abc import Iterator

from apigen.dataclass import dataclass
from apigen.language.json_values import JsonValue
from apigen.review.results import ABSENT, Missing

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
