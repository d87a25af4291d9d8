"""The locks of a project's own groups, as they have to be, and as they are."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from apigen.ir.locks import plan_locks
from apigen.ir.model import Api
from apigen.spec.model import ApiSpec


@dataclass(frozen=True, slots=True)
class Lock:
    """A lock: its file, how people see its path, the text that it has to have, and the one that it has."""

    path: Path
    shown: str
    text: str
    present: str | None

    @property
    def is_stale(self) -> bool:
        """Whether the file has to be written."""
        return self.text != self.present

    def write(self) -> None:
        """Put the text in place of the old file at once. Raises OSError."""
        handle, temporary = tempfile.mkstemp(prefix=f".{self.path.name}.", dir=self.path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(self.text)
                stream.flush()
                os.fsync(stream.fileno())
            Path(temporary).chmod(0o644)
            Path(temporary).replace(self.path)
        except BaseException:
            with suppress(OSError):
                Path(temporary).unlink()
            raise


def locks_of(api: Api, spec: ApiSpec, specs: Path, shown_from: Path) -> Iterator[Lock]:
    """The locks of the groups below the folder `specs`; those of the groups that apigen brings are its own affair."""
    for lock in plan_locks(api, spec):
        path = Path(os.path.abspath(shown_from / lock.file))
        if path.is_relative_to(specs):
            yield Lock(path, lock.file, lock.text, _text_of(path))


def _text_of(path: Path) -> str | None:
    """What a lock has; None if it is not there. That it can be read is known: it was, when the specs were loaded."""
    try:
        return path.read_bytes().decode("utf-8", "replace")
    except FileNotFoundError:
        return None
