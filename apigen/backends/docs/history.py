"""When fields and values came and went, as the records of releases show it."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.dataclass import dataclass
from apigen.history.model import History
from apigen.ir.model import Api, Enum, Group, Release, Struct
from apigen.ir.types import TypeId

MemberKey = tuple[TypeId, str]
"""A type and the name of a field or value of it."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The release that brought a member, and the one that went on without it.

    `came` is None for what came with its type, or before there were records.
    """

    came: Release | None = None
    went: Release | None = None


def seen(group: Group, history: History) -> Mapping[MemberKey, Seen]:
    """Every member that a recorded release of the group has had."""
    found: dict[MemberKey, Seen] = {}
    known: dict[TypeId, frozenset[str]] = {}
    for release, api in history.steps():
        types = _types(group.folder, api)
        for id_, names in types.items():
            for name in names:
                if (id_, name) not in found or found[id_, name].went is not None:
                    found[id_, name] = Seen(release if id_ in known else None)
            for name in known.get(id_, frozenset()) - names:
                found[id_, name] = Seen(found[id_, name].came, release)
        known |= types
    return found


def _types(folder: str, api: Api) -> dict[TypeId, frozenset[str]]:
    """The types of the versions of a group with the names of their members."""
    found: dict[TypeId, frozenset[str]] = {}
    group = next((group for group in api.groups if group.folder == folder), None)
    for version in () if group is None else group.versions:
        for id_ in version.types:
            type_ = api.types.get(id_)
            if isinstance(type_, Struct):
                found[id_] = frozenset(field.json_name for field in type_.own_fields)
            elif isinstance(type_, Enum):
                found[id_] = frozenset(value.value for value in type_.values)
    return found
