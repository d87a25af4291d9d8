"""The errors of writing an output folder."""

from __future__ import annotations

from pathlib import Path

from apigen.dataclass import dataclass


class PublishError(Exception):
    """The output could not be written. The message names the obstacle; the folder is unchanged."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Something at or above the place of a file that apigen did not make and does not touch."""

    path: str
    reason: str


class PublishConflict(PublishError):
    """Files that apigen did not generate would be overwritten. No file was changed."""

    def __init__(self, root: Path, obstacles: tuple[Obstacle, ...]) -> None:
        self.obstacles = obstacles
        count = f"{len(obstacles)} files" if len(obstacles) > 1 else "a file"
        lines = "".join(f"\n  {root / obstacle.path}: {obstacle.reason}" for obstacle in obstacles)
        super().__init__(
            f"the output would replace {count} that apigen did not generate, so no file was written:{lines}\n"
            "Move or delete these files, or choose another output folder; then run again."
        )


def describe(error: OSError, doing: str) -> PublishError:
    """A PublishError that tells what the system rejected."""
    where = f" ({error.filename})" if error.filename else ""
    return PublishError(f"cannot {doing}: {error.strerror or error}{where}")
