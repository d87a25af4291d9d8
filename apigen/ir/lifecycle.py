"""Releases, and the order of introduction, deprecation and removal."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

from apigen.dataclass import dataclass
from apigen.diagnostics.quoting import listing, quote
from apigen.ir.model import Lifecycle, Replacement
from apigen.ir.run import Run
from apigen.language.model import ApiSpec, LifecycleSpec, Located

_VERSION_OF_GROUP = re.compile(r"v[0-9][a-z0-9]*")
_FULL = re.compile(r"(?:(?P<group>[^/]+)/)?(?P<version>v[0-9][a-z0-9]*)\.(?P<kind>[A-Z][A-Za-z0-9]*)")


@dataclass(frozen=True, slots=True)
class Replacements:
    """The versions and kinds of all groups, for checks of replacements.

    A group outside of the specs may be named, too (it is of another project), unless it is similar to a known one.
    """

    folders: Mapping[str, str]
    kinds: Mapping[tuple[str, str], frozenset[str]]

    @classmethod
    def of(cls, spec: ApiSpec) -> Replacements:
        """Return the versions and kinds of the specs; `folders` by name on the wire and by folder."""
        folders = {group.folder: group.folder for group in spec.groups}
        folders |= {group.group: group.folder for group in spec.groups if group.group}
        kinds: dict[tuple[str, str], frozenset[str]] = {}
        for group in spec.groups:
            named = {kind.name for kind in group.kinds} | {f"{kind.name}List" for kind in group.kinds if kind.list}
            types = {file.name: [type_.name for type_ in file.types] for file in group.version_files}
            for header in group.versions:
                # A version without file is an error of its own: every kind may be in it.
                kinds[group.folder, header.name] = frozenset(named.intersection(types.get(header.name, named)))
        return cls(folders, kinds)


def lifecycle_of(spec: LifecycleSpec, replacement: Replacement | None) -> Lifecycle:
    """Return a lifecycle with the releases of a declaration."""
    declared = (spec.introduced, spec.deprecated, spec.removed, spec.returned)
    introduced, deprecated, removed, returned = (each.value if each else None for each in declared)
    return Lifecycle(introduced, deprecated, removed, replacement, returned)


@dataclass(frozen=True, slots=True)
class LifecycleReader:
    """Reads the lifecycles of a group."""

    folder: str
    wire_names: Mapping[str, str]
    known: Replacements
    run: Run

    def read(self, spec: LifecycleSpec, kind: str = "") -> Lifecycle:
        """A lifecycle with its replacement bound; wrong parts are reported and omitted."""
        replacement = self._replacement(spec.replacement, kind) if spec.replacement else None
        return lifecycle_of(spec, replacement)

    def of_version(self, text: Located[str] | None, kind: str) -> Replacement | None:
        """Return the replacement of one kind by a version's replacement; None if that version does not have the kind."""
        if text is None or (self.folder, text.value) not in self.known.kinds:
            return None
        if kind not in self.known.kinds[self.folder, text.value]:
            return None
        return Replacement(self.wire_names.get(self.folder, self.folder), text.value, kind)

    def _replacement(self, text: Located[str], kind: str) -> Replacement | None:
        if _VERSION_OF_GROUP.fullmatch(text.value):
            return self._of_group(text, self.folder, text.value, kind)
        match = _FULL.fullmatch(text.value)
        if match is None:
            self.run.error(
                "AG0542",
                text.place,
                f"{quote(text.value)} is not a valid replacement",
                hint="write a version of this group (`v1`) or a kind (`apps/v1.Deployment`)",
            )
            return None
        group = match["group"] or self.folder
        folder = self.known.folders.get(group)
        if folder is not None:
            return self._of_group(text, folder, match["version"], match["kind"])
        hint = self.run.did_you_mean(group, self.known.folders)
        if hint is not None:
            self.run.error("AG0542", text.place, f"unknown group {quote(group)}", hint=hint)
            return None
        return Replacement(group, match["version"], match["kind"])

    def _of_group(self, text: Located[str], folder: str, version: str, kind: str) -> Replacement | None:
        kinds = self.known.kinds.get((folder, version))
        broken = self.run.broken
        if kinds is None:
            if not broken.version(folder, version):
                versions = [v for f, v in self.known.kinds if f == folder]
                hint = self.run.did_you_mean(version, versions)
                if hint is None and versions:
                    hint = f"write {listing(tuple(versions))}"
                message = f"group {quote(folder)} has no version {quote(version)}"
                self.run.error("AG0542", text.place, message, hint=hint)
            return None
        if kind and kind not in kinds:
            if not broken.kind(folder, kind) and not broken.type(folder, version, kind):
                hint = self.run.did_you_mean(kind, sorted(kinds))
                self.run.error("AG0542", text.place, f"`{folder}/{version}` has no kind {quote(kind)}", hint=hint)
            return None
        return Replacement(self.wire_names.get(folder, folder), version, kind)


def lifecycle_readers(spec: ApiSpec, run: Run) -> Mapping[str, LifecycleReader]:
    """A reader for each group, by folder."""
    wire_names = {group.folder: group.group for group in spec.groups}
    known = Replacements.of(spec)
    return {group.folder: LifecycleReader(group.folder, wire_names, known, run) for group in spec.groups}


def check_order(spec: LifecycleSpec, run: Run) -> None:
    """Check the order: introduced, then deprecated, then removed in a later release than the one that introduces it.

    For a restored element, the order starts with `returned`; only the first introduction is earlier.
    """
    steps = (
        ("introduced", spec.introduced),
        ("returned", spec.returned),
        ("deprecated", spec.deprecated),
        ("removed", spec.removed),
    )
    written = [(word, release.value, release.place) for word, release in steps if release is not None]
    for (before, earlier, _), (after, later, place) in pairwise(written):
        is_at_once = before in ("introduced", "returned") and after in ("removed", "returned") and earlier == later
        if later < earlier or is_at_once:
            hint = f"declare a release {'after' if is_at_once else 'not before'} {earlier}"
            run.error("AG0541", place, f"{after} in {later}, but {before} in {earlier}", hint=hint)
