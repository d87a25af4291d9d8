"""Enums that declared after their first release that they may grow."""

from __future__ import annotations

from collections.abc import Container

from apigen.history.model import History
from apigen.ir.model import Api, Enum, Release, TypeDef
from apigen.review.surface import TypeName, may_grow


def growth_declared_late(
    history: History, api: Api, folders: Container[str], now: Api | None = None
) -> dict[TypeName, Release]:
    """Return the enums of an API that declare that they may grow, but did not in their first recorded release.

    Clients are written for the first release, so the declaration is too late for some of them. The value is that release.
    If the API of the next release is given as `now`, only enums with new values are returned: earlier releases are read for these.
    """
    late: dict[TypeName, Release] = {}
    names = {group.folder: group.name for group in api.groups}
    for id_, enum in api.types.items():
        if id_.group not in folders or not isinstance(enum, Enum) or not may_grow(enum):
            continue
        if now is not None and not _has_new_values(enum, now.types.get(id_)):
            continue
        recorded = ((release, each.types.get(id_)) for release, each in history.steps())
        release, first = next((step for step in recorded if isinstance(step[1], Enum)), (None, None))
        if release is not None and isinstance(first, Enum) and not may_grow(first):
            late[TypeName(names[id_.group], id_.version, id_.name)] = release
    return late


def _has_new_values(before: Enum, now: TypeDef | None) -> bool:
    known = {value.value for value in before.values}
    return isinstance(now, Enum) and any(value.value not in known for value in now.values)
