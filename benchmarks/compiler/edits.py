"""Changes of one field of one version, as somebody types them, and what was written after them without need."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from benchmarks.compiler.projects import GROUP, Project

_numbers = count()


@dataclass(frozen=True, slots=True)
class Edit:
    """A field that each edit changes: its documentation, or its `limit`."""

    version: str
    field: str
    limit: bool = False

    @property
    def name(self) -> str:
        """What figures call it."""
        return f"{self.version} limit" if self.limit else self.version

    def make(self, project: Project) -> Mapping[Path, tuple[int, bytes]]:
        """Write the next edit of the field; returns the previous files of the output with their modification times."""
        group, _, version = self.version.partition("/")
        path = project.folder / "specs" / group / f"{version}.yaml"
        before = _snapshot(project.output)
        text = path.read_text(encoding="utf-8")
        key, value = ("maximum", 1_000_000) if self.limit else ("doc", "Its meaning was documented again with number ")
        new = rf"\1{{{key}: {value}{next(_numbers)}, "
        edited, found = re.subn(rf"(\b{self.field}: ){{(?:{key}: [^,]*, )?", new, text, count=1)
        assert found, f"{self.field} is no field of {path}"
        path.write_text(edited, encoding="utf-8")
        return before


WORDS = (Edit("apps/v1", "minReadySeconds"), Edit("core/v1", "terminationGracePeriodSeconds"))
LIMITS = (Edit("apps/v1", "revisionHistoryLimit", limit=True), Edit("core/v1", "activeDeadlineSeconds", limit=True))
SMALL = Edit(f"{GROUP}/v1", "verb")


def needlessly_written(output: Path, before: Mapping[Path, tuple[int, bytes]]) -> int:
    """How many files were written although their bytes are what they were."""
    after = _snapshot(output)
    return sum(
        after[path][0] != written and after[path][1] == content
        for path, (written, content) in before.items()
        if path in after
    )


def _snapshot(folder: Path) -> Mapping[Path, tuple[int, bytes]]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}
