"""In what two objects differ, as plain values."""

from __future__ import annotations

import json
from collections.abc import Iterator

from apigen.dataclass import dataclass
from apigen.review.verdict.example import ABSENT, JsonValue, Missing

_LONGEST = 80


@dataclass(frozen=True, slots=True)
class Difference:
    """A place, and what is there in both objects."""

    path: str
    before: JsonValue | Missing
    after: JsonValue | Missing

    def __str__(self) -> str:
        if isinstance(self.after, Missing):
            return f"{self.path} is lost: it was {_shown(self.before)}"
        if isinstance(self.before, Missing):
            return f"{self.path} comes out as {_shown(self.after)}, and was not there"
        return f"{self.path} comes out as {_shown(self.after)}, and was {_shown(self.before)}"


def differences(before: JsonValue, after: JsonValue, path: str = "") -> Iterator[Difference]:
    """The innermost places that differ. Absent, null and empty are told apart only where nothing else differs."""
    if before == after and type(before) is type(after):
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for name in {**before, **after}:
            yield from _member(before.get(name, ABSENT), after.get(name, ABSENT), f"{path}.{name}".lstrip("."))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from differences(one, other, f"{path}[{index}]")
    else:
        yield Difference(path, before, after)


def _member(before: JsonValue | Missing, after: JsonValue | Missing, path: str) -> Iterator[Difference]:
    if isinstance(before, Missing) or isinstance(after, Missing):
        yield Difference(path, before, after)
    else:
        yield from differences(before, after, path)


def _shown(value: JsonValue | Missing) -> str:
    text = "nothing" if isinstance(value, Missing) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
