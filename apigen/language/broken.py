"""Declarations that could not be read: they exist, but their contents are unknown, so they must not cause further
errors.
"""

from __future__ import annotations

from apigen.dataclass import dataclass

Name = tuple[str, ...]


def group_name(group: str) -> Name:
    """A group: the declarations of its group.yaml, other than versions and kinds."""
    return ("group", group)


def group_file_name(group: str) -> Name:
    """A group.yaml that could not be read at all."""
    return (*group_name(group), "unreadable")


def version_name(group: str, version: str) -> Name:
    """An entry of `versions:`."""
    return (*group_name(group), "version", version)


def kind_name(group: str, kind: str) -> Name:
    """An entry of `kinds:`."""
    return (*group_name(group), "kind", kind)


def file_name(group: str, version: str) -> Name:
    """A version's file, or hub.yaml (`hub`)."""
    return (*group_name(group), "file", version)


def lock_name(group: str, version: str) -> Name:
    """A version's lock."""
    return (*group_name(group), "lock", version)


GATES: Name = ("gate",)
"""All gates: a features.yaml could not be read, so that any gate may exist."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The names of elements that could not be read.

    An element that could not be read is omitted from the model, together with all elements that depend on it: a field
    without a readable type is omitted, and a field with a bad `default:` has no default. Both are
    named here.
    """

    names: frozenset[Name] = frozenset()

    def group(self, group: str) -> bool:
        """Return whether group.yaml could not be read at all; the group is then missing in the model."""
        return group_file_name(group) in self.names

    def header(self, group: str) -> bool:
        """Return whether a declaration of the group itself in group.yaml (its name, its hub) could not be read."""
        return self.group(group) or group_name(group) in self.names

    def version(self, group: str, version: str) -> bool:
        """Return whether the declaration of the version in group.yaml could not be read."""
        return self.header(group) or version_name(group, version) in self.names

    def kind(self, group: str, kind: str) -> bool:
        """Return whether the kind could not be read."""
        return self.group(group) or kind_name(group, kind) in self.names

    def file(self, group: str, version: str) -> bool:
        """Return whether a version's file, or hub.yaml (`hub`), could not be read: any type may be in it."""
        return file_name(group, version) in self.names

    def type(self, group: str, version: str, type_: str) -> bool:
        """Return whether a part of the type itself could not be read, other than a field, value or tombstone."""
        return self.file(group, version) or (*file_name(group, version), type_) in self.names

    def member(self, group: str, version: str, type_: str, member: str) -> bool:
        """Return whether a field, value or tombstone could not be read, or the type that may have it."""
        return self.type(group, version, type_) or (*file_name(group, version), type_, member) in self.names

    def members(self, group: str, version: str, type_: str) -> frozenset[str]:
        """The fields, values and tombstones of a type that could not be read, one by one."""
        prefix = (*file_name(group, version), type_)
        return frozenset(name[-1] for name in self.names if name[:-1] == prefix)

    def lock(self, group: str, version: str) -> bool:
        """Return whether the version's lock could not be read, so that earlier names and numbers are unknown."""
        return lock_name(group, version) in self.names

    def gate(self, gate: str) -> bool:
        """Return whether the gate could not be read, or a features.yaml that may have it."""
        return GATES in self.names or (*GATES, gate) in self.names
