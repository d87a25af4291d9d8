"""Who remembers a name or number that was once given: the record of a release that shipped it, or the lock."""

from __future__ import annotations

from apigen.diagnostics import Place, Related
from apigen.spec.model import LockedField


def remembered(field: LockedField | None, lock: Place | None, what: str) -> list[Related]:
    """Where it says so, with words for it: `release 1.11 has 4 for depth`."""
    if field is not None and field.recorded is not None:
        return [Related(field.recorded.place, f"release {field.recorded.value} has {what}")]
    return [Related(lock, f"the lock has {what}")] if lock else []
