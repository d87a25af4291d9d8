"""The names and numbers that a group ever used, from its records: none of them may be reused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as AbstractMapping

from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Place, Report
from apigen.history.levels import is_types
from apigen.history.rebuilding import Chain
from apigen.history.trees import branch, child
from apigen.ir.names import field_name, member_name
from apigen.ir.numbers import merged_ranges
from apigen.language.folders import HUB_FILE, SUFFIX
from apigen.language.model import ApiSpec, GroupSpec, Located, LockedField, LockedType, LockFile, NumberRange
from apigen.language.nodes import Context, Mapping, Node, Scalar
from apigen.language.readers.types import NUMBERS
from apigen.language.releases import Release


@dataclass(slots=True)
class Past:
    """The names and numbers that were ever assigned: by version and type of a group, each field or value by its JSON name.

    A field with a tombstone has no Python name, as in locks. `place` is the location of the newest record.
    """

    place: Place
    types: dict[tuple[str, str], dict[str, LockedField]] = field(default_factory=dict)
    reserved: dict[tuple[str, str], tuple[NumberRange, ...]] = field(default_factory=dict)

    def fields(self, version: str, type_: str) -> AbstractMapping[str, LockedField]:
        """Return all fields or values that a type ever had."""
        return self.types.get((version, type_), {})

    @property
    def versions(self) -> frozenset[str]:
        """Return all versions that the group ever had."""
        return frozenset(version for version, _ in self.types)


def past_of(chain: Chain) -> Past:
    """Return the names and numbers in the records of a group."""
    newest = chain.folder.newest
    past = Past(Place("") if newest is None else newest.place)
    for record in chain.folder.records:
        release = record.header.release
        for section, types in chain.change(record).tree.entries:
            if not is_types(section.text) or section.text == HUB_FILE or not isinstance(types, Mapping):
                continue
            version = section.text.removesuffix(SUFFIX)
            for name, type_ in types.entries:
                if isinstance(type_, Mapping):
                    known = past.types.setdefault((version, name.text), {})
                    known.update((member.json_name, member) for member in _locked_fields(type_, release))
                    numbers = (*past.reserved.get((version, name.text), ()), *_reserved(type_))
                    past.reserved[version, name.text] = numbers
    return past


def with_past(spec: ApiSpec, chains: Iterable[Chain]) -> ApiSpec:
    """Return the spec with locks that also contain all recorded names and numbers, whether their files exist or not."""
    pasts = {chain.folder.of: past_of(chain) for chain in chains if chain.folder.records}
    if not pasts:
        return spec
    groups = (_with_past(group, pasts[group.folder]) if group.folder in pasts else group for group in spec.groups)
    return replace(spec, groups=tuple(groups))


def _with_past(group: GroupSpec, past: Past) -> GroupSpec:
    locks = {lock.version: lock for lock in group.locks}
    for file in group.version_files:
        if file.name in past.versions:
            lock = locks.get(file.name, LockFile(file.name, past.place, ()))
            locks[file.name] = replace(lock, types=tuple(_types(lock, past)))
    return replace(group, locks=tuple(locks.values()))


def _types(lock: LockFile, past: Past) -> Iterator[LockedType]:
    locked = {type_.name: type_ for type_ in lock.types}
    recorded = {name: fields for (version, name), fields in past.types.items() if version == lock.version}
    for name in {**locked, **recorded}:
        reserved = past.reserved.get((lock.version, name), ())
        yield _type(locked.get(name, LockedType(name, ())), recorded.get(name, {}), reserved)


def _type(
    locked: LockedType, recorded: AbstractMapping[str, LockedField], reserved: tuple[NumberRange, ...]
) -> LockedType:
    fields = {member.json_name: member for member in locked.fields}
    for name, member in recorded.items():
        known = fields.get(name)
        is_removed = known is not None and known.py_name is None
        fields[name] = replace(member, py_name=None) if is_removed else member
    numbers = [member.number for member in fields.values() if member.number is not None]
    numbers += (one.last for one in reserved)
    every = merged_ranges((*locked.reserved, *reserved))
    return LockedType(locked.name, tuple(fields.values()), max([locked.highest, *numbers]), every)


def _locked_fields(type_: Mapping, release: Release) -> Iterator[LockedField]:
    for key, node in branch(type_, "fields").entries:
        if isinstance(node, Mapping):
            name = None if _is_true(child(node, "inline")) else _text(child(node, "pyName")) or field_name(key.text)
            yield LockedField(key.text, name, _number(node), Located(release, key.place))
    for key, node in branch(type_, "enum").entries:
        if isinstance(node, Mapping):
            name = _text(child(node, "pyName")) or member_name(key.text)
            yield LockedField(key.text, name, None, Located(release, key.place))
    for key, node in branch(type_, "tombstones").entries:
        if isinstance(node, Mapping):
            yield LockedField(key.text, None, _number(node), Located(release, key.place))


def _reserved(type_: Mapping) -> tuple[NumberRange, ...]:
    written = child(type_, "reserved")
    numbers = None if written is None else NUMBERS.read(written, Context.of_run(Report()))
    return tuple(one.value for one in numbers or ())


def _number(node: Mapping) -> int | None:
    number = child(node, "protobuf")
    return number.value if isinstance(number, Scalar) and isinstance(number.value, int) else None


def _text(node: Node | None) -> str | None:
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else None


def _is_true(node: Node | None) -> bool:
    return isinstance(node, Scalar) and node.value is True
