"""Tries what a review calls safe: objects of one side are given to a server that knows the other."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from apigen.review.results import Direction
from apigen.review.review import review
from tests.review.crdify.given import Case
from tests.review.crdify.outcome import surface_of
from tests.review.crdify.server import Server, objects


@dataclass(frozen=True)
class Given:
    """Objects that a server takes, given to another: how many, how many it rejected, how many it has differently."""

    objects: int
    rejected: int
    changed: int


@dataclass(frozen=True)
class Tried:
    """Objects of the base tried with the newer server and the reverse; `reported` are the directions that the review warns
    of.
    """

    forth: Given
    back: Given
    reported: frozenset[Direction]

    @property
    def is_sound(self) -> bool:
        """Whether all objects were preserved in directions that the review does not report."""
        return not any(
            direction not in self.reported and (given.rejected or given.changed)
            for direction, given in ((Direction.STORED, self.forth), (Direction.ROLLBACK, self.back))
        )


def tried(case: Case, folder: Path) -> Tried:
    """Give every object that one side takes to the other."""
    surfaces = (surface_of(text, folder, name) for text, name in ((case.old, "old"), (case.new, "new")))
    reported = frozenset(direction for finding in review(*surfaces).findings for direction in finding.effects)
    old, new = Server(case.old), Server(case.new)
    samples = [*objects(old.schema), *objects(new.schema)]
    return Tried(_given(old, new, samples), _given(new, old, samples), reported)


def _given(writer: Server, reader: Server, samples: list[dict[str, object]]) -> Given:
    written = [found for found in map(writer.read, samples) if found is not None]
    read = [reader.read(each) for each in written]
    rejected = sum(each is None for each in read)
    changed = sum(after is not None and after != before for before, after in zip(written, read, strict=True))
    return Given(len(written), rejected, changed)
