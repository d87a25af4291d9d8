"""Edits of a spec folder, as the cases of this folder write them.

- {file: things/v1.yaml, replace: text that is there once, by: other text}
- {file: [things/v1.yaml, things/v2.yaml], replace: text, by: other text}       # the same edit in each
- {file: features.yaml, append: more text}
- {file: things/v2.yaml, text: all of a new file}
- {file: things/v2.yaml, copy: things/v1.yaml}
- {file: things/v1beta1.yaml, remove: true}
- {file: things/v1beta1.yaml, restore: true}       # as it was before all edits
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit. `replace` is there exactly once in the file."""

    file: str
    replace: str | None = None
    by: str = ""
    append: str | None = None
    text: str | None = None
    copy: str | None = None
    remove: bool = False
    restore: bool = False

    def apply(self, specs: Path, original: Path) -> None:
        """Make the edit. What is to be replaced must be there once, and what is to be removed must be there."""
        path = specs / self.file
        path.parent.mkdir(parents=True, exist_ok=True)
        if self.remove:
            path.unlink()
        elif self.restore:
            shutil.copyfile(original / self.file, path)
        elif self.copy is not None:
            shutil.copyfile(specs / self.copy, path)
        elif self.text is not None:
            path.write_text(self.text, encoding="utf-8")
        else:
            path.write_text(self._changed(path.read_text(encoding="utf-8") if path.exists() else ""), encoding="utf-8")

    def _changed(self, before: str) -> str:
        if self.replace is None:
            return before + (self.append or "")
        assert before.count(self.replace) == 1, f"{self.file} has {before.count(self.replace)} times:\n{self.replace}"
        return before.replace(self.replace, self.by)


def edits_of(written: Iterable[dict[str, Any]]) -> tuple[Edit, ...]:
    """The edits that a case writes."""
    edits = []
    for each in written:
        files = each["file"] if isinstance(each["file"], list) else [each["file"]]
        edits += [Edit(**{**each, "file": file}) for file in files]
    return tuple(edits)


def apply_all(edits: Iterable[Edit], specs: Path, original: Path) -> None:
    """Make some edits, one after the other. `original` is the folder as it was before all of them."""
    for edit in edits:
        edit.apply(specs, original)
