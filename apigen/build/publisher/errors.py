"""Why an output folder could not be written, in words for people."""

from __future__ import annotations

from pathlib import Path

from apigen.dataclass import dataclass


class PublishError(Exception):
    """The output could not be written. The message says what stands in the way; the folder is as it was before."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Something at or above the place of a file that apigen did not make and does not touch."""

    path: str
    reason: str


class PublishRefused(PublishError):
    """Files would be overwritten that apigen did not make. Nothing has been touched."""

    def __init__(self, root: Path, obstacles: tuple[Obstacle, ...]) -> None:
        self.obstacles = obstacles
        count = f"{len(obstacles)} files" if len(obstacles) > 1 else "a file"
        lines = "".join(f"\n  {root / obstacle.path}: {obstacle.reason}" for obstacle in obstacles)
        super().__init__(
            f"the output has {count} where something stands that apigen did not make, so nothing was written:{lines}\n"
            "Move or delete what is in the way, or choose another output folder; then run again."
        )


def describe(error: OSError, doing: str) -> PublishError:
    """A PublishError that tells what the system rejected."""
    where = f" ({error.filename})" if error.filename else ""
    return PublishError(f"cannot {doing}: {error.strerror or error}{where}")
