"""What strategies of Kubernetes do that no data can say: a row per resource and cause, in `strategy-causes.yaml`.

A row names the resource, its operations, the paths at and below which a record may differ, the cause and a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.yaml_files import read_yaml

FILE = Path(__file__).with_name("strategy-causes.yaml")
CAUSES = ("clock", "requester", "computed value", "merging", "view of a subresource")
_KEYS = frozenset({"resource", "operations", "paths", "cause", "why"})
_STEP = re.compile(r"\[\]|[^.\[\]]+")

Tokens = tuple[str, ...]
"""The steps of a path; `[]` for each element of a list and each value of a map."""


@dataclass(frozen=True, slots=True)
class Cause:
    """One row."""

    resource: str
    operations: tuple[str, ...]
    paths: tuple[str, ...]
    cause: str
    why: str

    def depth(self, resource: str, operation: str, place: Tokens) -> int:
        """How many steps the longest of the paths has at or below which the place is; 0 where none is."""
        if resource != self.resource or operation not in self.operations:
            return 0
        return max((len(tokens) for path in self.paths if _covers(tokens := steps(path), place)), default=0)


def causes(file: Path = FILE) -> tuple[Cause, ...]:
    """Return all rows. Raises ValueError for a malformed or duplicate row."""
    rows = tuple(_row(written) for written in read_yaml(file.read_text(encoding="utf-8")) or ())
    twice = {row for row in rows if rows.count(row) > 1}
    if twice:
        raise ValueError(f"{file.name}: written twice: {', '.join(f'{row.resource} {row.cause}' for row in twice)}")
    return rows


def explained_by(rows: Iterable[Cause], resource: str, operation: str, places: Iterable[Tokens]) -> list[Cause] | None:
    """The rows that account for all the places of a record; None where one of them has no row."""
    found: dict[Cause, None] = {}
    known = tuple(rows)
    for place in places:
        best = max(known, key=lambda row: row.depth(resource, operation, place), default=None)
        if best is None or not best.depth(resource, operation, place):
            return None
        found[best] = None
    return list(found)


def differences(ours: Any, theirs: Any, place: Tokens = ()) -> Iterator[Tokens]:
    """Where two JSON values differ: as far inside as lists of the same length and maps lead."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted(ours.keys() | theirs.keys()):
            if key not in ours or key not in theirs:
                yield (*place, key)
            else:
                yield from differences(ours[key], theirs[key], (*place, key))
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for one, other in zip(ours, theirs, strict=True):
            yield from differences(one, other, (*place, "[]"))
    elif type(ours) is not type(theirs) or ours != theirs:
        yield place


@cache
def steps(path: str) -> Tokens:
    """The steps of a path as the rows and the records write it."""
    return tuple(_STEP.findall(path))


def shown(place: Tokens) -> str:
    """A place as people write it."""
    return ".".join(place).replace(".[]", "[]")


def _covers(tokens: Tokens, place: Tokens) -> bool:
    return len(tokens) <= len(place) and all(
        mine in ("[]", theirs) for mine, theirs in zip(tokens, place[: len(tokens)], strict=True)
    )


def _row(written: Mapping[str, Any]) -> Cause:
    if not isinstance(written, Mapping) or written.keys() != _KEYS:
        raise ValueError(f"{FILE.name}: a row says {', '.join(sorted(_KEYS))}, and nothing else: {written}")
    row = Cause(
        str(written["resource"]),
        tuple(written["operations"]),
        tuple(written["paths"]),
        str(written["cause"]),
        str(written["why"]),
    )
    if row.cause not in CAUSES:
        raise ValueError(f"{FILE.name}: {row.resource}: {row.cause!r} is no cause; there are {', '.join(CAUSES)}")
    if not row.operations or not row.paths or not row.why or not all(map(steps, row.paths)):
        raise ValueError(f"{FILE.name}: {row.resource}: a row has operations, paths and a sentence")
    return row
