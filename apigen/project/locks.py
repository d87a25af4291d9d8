"""The locks of a project's own groups, as they have to be."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from apigen.ir.locks import plan_locks
from apigen.ir.model import Api
from apigen.project.built import Lock
from apigen.spec.model import ApiSpec


def locks_of(api: Api, spec: ApiSpec, specs: Path, shown_from: Path) -> Iterator[Lock]:
    """The locks of the groups below the folder `specs`; those of the groups that apigen brings are its own affair."""
    for lock in plan_locks(api, spec):
        path = Path(os.path.abspath(shown_from / lock.file))
        if path.is_relative_to(specs):
            yield Lock(path, lock.file, lock.text)
