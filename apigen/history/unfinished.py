"""Detect an unfinished write of records. Separate module, because every run checks it, even without records."""

from __future__ import annotations

from pathlib import Path

JOURNAL_FILE = ".apigen-release"
"""A folder in the spec folder with records that are not moved to their places yet."""


def is_unfinished(root: Path) -> bool:
    """Return whether a run was killed while it wrote records to a spec folder."""
    journal = root / JOURNAL_FILE
    return journal.is_file() and not journal.is_symlink()
