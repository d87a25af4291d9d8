"""Whether what became of an object has to do with the element of a finding: two sides may differ in more than one place."""

from __future__ import annotations

import re
from collections.abc import Iterable

from apigen.dataclass import dataclass

_INDEX = re.compile(r"\[[^\]]*\]")
_PATH = re.compile(r"[\w$-]+(?:\.[\w$-]+)*")


@dataclass(frozen=True, slots=True)
class Refusals:
    """What rejections say that show a finding: one of `words`, where there are any, and none of `others`."""

    words: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    def fit(self, text: str) -> bool:
        """Whether a rejection is of the finding's own rule."""
        if self.words and not any(word in text for word in self.words):
            return False
        return not any(word in text for word in self.others)


def path_of(steps: Iterable[str]) -> str:
    """The path of members along steps; those into items, keys and values are omitted."""
    return ".".join(step for step in steps if not step.startswith(("[", "{")))


def concerns(text: str, places: tuple[str, ...]) -> bool:
    """Whether an outcome speaks of one of the places, of what is in it, or of what it is in. Without places, of anything."""
    if not places or "" in places:
        return True
    told = _PATH.findall(_INDEX.sub("", text))
    return any(_is_inside(path, place) or _is_inside(place, path) for path in told for place in places)


def _is_inside(path: str, other: str) -> bool:
    return path == other or path.startswith(f"{other}.")
