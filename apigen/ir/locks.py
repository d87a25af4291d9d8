"""The contents of lock files: every name and number that was ever assigned, to existing and to removed elements."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping

from apigen.dataclass import dataclass
from apigen.ir.model import Api, Enum, Struct, TypeDef
from apigen.language.folders import LOCK_SUFFIX
from apigen.language.locks import write_lock
from apigen.language.model import ApiSpec, GroupSpec, LockedField, LockedType, LockFile, Tombstone, VersionFile


@dataclass(frozen=True, slots=True)
class LockText:
    """The lock of a version. `file` is a path as in locations: relative to the working directory, with `/`."""

    file: str
    text: str


def plan_locks(api: Api, spec: ApiSpec) -> tuple[LockText, ...]:
    """The locks of all versions, in order of group and version, for a spec and the IR without errors that it gave."""
    return tuple(
        _lock_text(group, file, api.types_of(group.folder, file.name).values())
        for group in spec.groups
        for file in group.version_files
    )


def _lock_text(group: GroupSpec, file: VersionFile, types: Iterable[TypeDef]) -> LockText:
    old = next((lock.types for lock in group.locks if lock.version == file.name), ())
    display_path = posixpath.join(posixpath.dirname(file.place.file), f"{file.name}{LOCK_SUFFIX}")
    lock = LockFile(file.name, file.place, locked_types(types, {type_.name: type_ for type_ in old}))
    return LockText(display_path, write_lock(lock))


def locked_types(types: Iterable[TypeDef], old: Mapping[str, LockedType]) -> tuple[LockedType, ...]:
    """Return the lock entries for the types of a version; the entry of a removed type is unchanged."""
    locked = dict(old)
    for type_ in types:
        if isinstance(type_, Struct | Enum):
            locked[type_.id.name] = _locked_type(type_, old.get(type_.id.name))
    return tuple(locked.values())


def _locked_type(type_: Struct | Enum, old: LockedType | None) -> LockedType:
    fields = {field.json_name: LockedField(field.json_name, None, field.number) for field in old.fields} if old else {}
    fields |= {field.json_name: field for field in (*_entries_of_tombstones(type_.tombstones), *_living(type_))}
    reserved = type_.reserved if isinstance(type_, Struct) else ()
    numbers = [field.number for field in fields.values() if field.number is not None]
    highest = max([old.highest if old else 0, *numbers, *(each.last for each in reserved)])
    return LockedType(type_.id.name, tuple(fields.values()), highest, reserved)


def _living(type_: Struct | Enum) -> Iterator[LockedField]:
    if isinstance(type_, Enum):
        yield from (LockedField(value.value, value.py_name, None) for value in type_.values)
        return
    yield from (LockedField(field.json_name, field.py_name, field.number) for field in type_.own_fields)
    yield from (LockedField(inline.name, None, inline.number) for inline in type_.inlines if not inline.via)


def _entries_of_tombstones(tombstones: Iterable[Tombstone]) -> Iterator[LockedField]:
    """Yield the lock entries of tombstones; they have no Python name, which distinguishes them from those of fields."""
    return (LockedField(tombstone.name, None, tombstone.number) for tombstone in tombstones)
