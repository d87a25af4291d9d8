"""Find the nearest known name for a misspelled one."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

LONGEST_WORD = 64
SIMILAR_ENOUGH = 0.7


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate most similar to `word`, or None; case, `-` and `_` matter little."""
    if len(word) > LONGEST_WORD:
        return None
    return _nearest(word, tuple(dict.fromkeys(candidates)))


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """`nearest` as a sentence for a diagnostic's hint."""
    found = nearest(word, candidates)
    return f"did you mean `{found}`?" if found is not None else None


def nearest_file(path: str) -> str | None:
    """Return the existing file or folder that is most similar to `path`, with one name of it corrected; None without
    one.
    """
    missing = Path(path)
    for part in (missing, *missing.parents):
        if part.parent.is_dir():
            found = nearest(part.name, sorted(os.listdir(part.parent)))
            fixed = None if found is None else part.with_name(found) / missing.relative_to(part)
            return str(fixed) if fixed is not None and fixed.exists() else None
    return None


@lru_cache(maxsize=256)
def _nearest(word: str, candidates: tuple[str, ...]) -> str | None:
    from difflib import get_close_matches  # most runs find no misspelled name

    by_plain = {_plain(candidate): candidate for candidate in reversed(candidates)}
    found = get_close_matches(_plain(word), by_plain, n=1, cutoff=SIMILAR_ENOUGH)
    return by_plain[found[0]] if found else None


def _plain(word: str) -> str:
    return word.replace("_", "").replace("-", "").lower()
