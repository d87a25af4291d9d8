"""Import of Go packages: their declarations are merged into the files of a spec folder, which are written at
the end.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cache
from pathlib import Path

from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Place, Report
from apigen.inputs.go.model import GoPackage
from apigen.inputs.go.reporting import IsLeftOut, report_findings, report_notes
from apigen.inputs.go.specs.asked import Asked
from apigen.inputs.go.specs.expressions import WELL_KNOWN, has_group, is_version
from apigen.inputs.go.specs.findings import Finding, Findings, What
from apigen.inputs.go.specs.groups import GroupEntries, read_groups
from apigen.inputs.go.specs.ownership import FEATURES_FILE, GROUP_FILE, VERSION_FILE
from apigen.inputs.go.specs.reserved import without_numbers_in_use
from apigen.inputs.merging import Entries, Note, Shape, UnmergeableError, Value, merge_text, render
from apigen.inputs.not_imported import NotImported, path_in, read_not_imported
from apigen.ir.api_names import group_problem, version_problem
from apigen.language import folders
from apigen.language.build_nodes import build_nodes
from apigen.language.builtin_apis import catalog_folder
from apigen.language.load import load_api
from apigen.language.model import ApiSpec, FeatureSpec, GroupSpec
from apigen.language.source import SourceFile, Sources

_SAY_GROUP = "add `// +groupName=things.example.com` above `package` in doc.go, or a constant `GroupName`"
_NO_GROUP = "AG0125"
_RECORDS = ".imported"
"""The folder next to specs with the imported entries of each file at the last import. Hidden folders are not read as specs."""
_HEAD = "# The state of Go at the last import. Commit this file; do not edit it.\n"
_FOREIGN_NAME = re.compile(r"(k8s\.io/[\w./-]+)\.\w+")


@dataclass(frozen=True, slots=True)
class Wanted:
    """The packages to import, and the folder of specs. `gates` are those of `--features`; None without that option."""

    packages: tuple[GoPackage, ...]
    specs: Path
    shown: str
    gates: Entries | None = None
    docs: bool = False
    release: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """The text of a file before the import (None for a new file) and after it."""

    path: Path
    shown: str
    before: bytes | None
    after: bytes
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class Imported:
    """The files of an import, and the omitted elements. `records` store the Go declarations of each file for the next
    import.
    """

    files: tuple[ImportedFile, ...]
    findings: tuple[Finding, ...]
    records: tuple[ImportedFile, ...] = ()

    @property
    def changed(self) -> tuple[ImportedFile, ...]:
        """Return the files that the import changes."""
        return tuple(file for file in self.files if file.before != file.after)

    @property
    def written(self) -> tuple[ImportedFile, ...]:
        """The files to write: those that changed, with their records."""
        return (*self.changed, *(record for record in self.records if record.before != record.after))


def import_go(wanted: Wanted, report: Report) -> Imported | None:
    """Return the files of the spec folder after the import. Nothing is written.

    None, with errors, if an existing file cannot be read or merged into, or packages exclude each other. Omitted
    elements are reported, too: as warnings, or, if the folder has a `not-imported.yaml`, as errors unless that gives
    the reason.
    """
    run = _Run(wanted, Sources(report), report)
    packages = _versions_of_groups(wanted.packages, report)
    _check_packages(packages, report)
    own = run.own_specs()
    existing = run.with_catalog(own)
    listed = read_not_imported(run.source(path_in(wanted.specs)), report)
    if report.has_errors:
        return None
    findings = Findings()
    groups = read_groups(packages, existing, run.asked(existing, listed), findings)
    files = tuple(run.files(groups, own, existing.features, findings, listed))
    if report.error_count:
        return None
    report_findings(findings, listed, path_in(wanted.specs).name, report)
    return Imported(files, tuple(findings), tuple(run.records))


@cache
def _catalog() -> ApiSpec:
    """Return the built-in API groups of Kubernetes."""
    return load_api(catalog_folder(), Report())


def _versions_of_groups(packages: Sequence[GoPackage], report: Report) -> tuple[GoPackage, ...]:
    """Return the packages; those without a group (helpers, or other protocols) are only read for types that others
    refer to.

    If no package has a group, they are returned unchanged, and `_check_packages` reports that.
    """
    asked = [package for package in packages if not package.referred and is_version(package.version)]
    without = [package for package in asked if not has_group(package)]
    if len(without) == len(asked):
        return tuple(packages)
    for package in without:
        message = f"`{package.path}` does not declare its group, so it is omitted"
        report.warning("AG1235", _place(package), message, hint=_SAY_GROUP)
    return tuple(replace(one, referred=True) if any(one is other for other in without) else one for one in packages)


def _check_packages(packages: Sequence[GoPackage], report: Report) -> None:
    """Two packages cannot be one version, and a version has a group."""
    first: dict[tuple[str, str], GoPackage] = {}
    for package in packages:
        if package.referred or not is_version(package.version):
            continue
        if not has_group(package):
            message = f"`{package.path}` does not declare its group"
            report.error("AG1235", _place(package), message, hint=_SAY_GROUP)
            continue
        # The name of a group is the name of its folder, so an invalid one may also lead out of the spec folder.
        for problem in (group_problem(package.group), version_problem(package.version)):
            if problem is not None:
                report.error("AG1235", _place(package), f"`{package.path}`: {problem.message}", hint=problem.fix)
        other = first.setdefault((package.group, package.version), package)
        if other is not package:
            message = f"`{package.path}` and `{other.path}` are both {package.version} of `{package.group}`"
            report.error("AG1235", _place(package), message, hint="import one of them")


def _place(package: GoPackage) -> Place:
    return Place(package.types[0].place.file) if package.types else Place(package.path)


def _for_group_file(group: GroupEntries, known: Set[str]) -> Entries:
    """Return the entries for an existing group.yaml, which already declares storage versions and known kinds."""
    return type(group.group)(
        {
            "group": group.group["group"],
            "versions": _without(group.group["versions"], lambda version, key: key == "storage"),
            "kinds": _without(group.group["kinds"], lambda kind, key: kind in known and (kind, key) in group.guessed),
        }
    )


def _without_docs(entries: Mapping[str, Value]) -> Entries:
    kept = type(entries)() if isinstance(entries, dict) else {}
    for key, value in entries.items():
        if key != "doc" or not isinstance(value, str):
            kept[key] = _without_docs(value) if isinstance(value, Mapping) else value
    return kept


def _with_free_numbers(entries: Entries, there: GroupSpec | None, version: str) -> Entries:
    """Return the entries for a version's file, without reserving numbers that the existing file uses."""
    types = entries["types"]
    return {**entries, "types": without_numbers_in_use(types, there, version)} if isinstance(types, dict) else entries


def _without(entries: Value, leaves_out: Callable[[str, str], bool]) -> Value:
    """Entries without those keys of each that are to be omitted."""
    if not isinstance(entries, dict):
        return entries
    found = type(entries)()
    for name, entry in entries.items():
        words = entry if isinstance(entry, dict) else {}
        found[name] = {key: value for key, value in words.items() if not leaves_out(name, key)}
    return found


@dataclass(frozen=True, slots=True)
class _Run:
    """The state of one import."""

    wanted: Wanted
    sources: Sources
    report: Report
    records: list[ImportedFile] = field(default_factory=list)

    def source(self, path: Path) -> SourceFile | None:
        """Return a file of the spec folder, None if it does not exist; a broken symbolic link is an error."""
        return self.sources.read(path, self._shown(path)) if os.path.lexists(path) else None

    def with_catalog(self, found: ApiSpec) -> ApiSpec:
        """Return the existing specs, with the built-in API types if they refer to types of Kubernetes that no spec
        declares.
        """
        if not self._names_others():
            return found
        catalog = _catalog()
        known = {group.folder for group in found.groups}
        more = [group for group in catalog.groups if group.folder not in known]
        gates = {feature.name for feature in found.features}
        features = [feature for feature in catalog.features if feature.name not in gates]
        return replace(found, groups=(*found.groups, *more), features=(*found.features, *features))

    def own_specs(self) -> ApiSpec:
        """Return the existing specs; a folder without a group counts as missing."""
        if not self.wanted.specs.is_dir():
            return ApiSpec((), ())
        own = Report()
        found = load_api(self.wanted.specs, own)
        for diagnostic in own.diagnostics:
            if diagnostic.code != _NO_GROUP:
                self.report.add(diagnostic)
        return found

    def asked(self, existing: ApiSpec, listed: NotImported) -> Asked:
        """Return the settings that determine how packages are read."""
        gates = {feature.name for feature in existing.features} | set(self.wanted.gates or ())
        return Asked(
            docs=self.wanted.docs,
            gates=frozenset(gates),
            release=self.wanted.release,
            leaves_out=listed.leaves_out,
            explains=listed.explains,
            instead_of_gate=listed.instead_of,
        )

    def files(
        self,
        groups: Sequence[GroupEntries],
        own: ApiSpec,
        features: Sequence[FeatureSpec],
        findings: Findings,
        listed: NotImported,
    ) -> Iterator[ImportedFile]:
        """Return all files of the import, merged into the existing specs."""
        left_out = {finding.element for finding in findings if finding.what in (What.TYPE, What.FIELD)}

        def is_left_out(what: str, element: str) -> bool:
            return element in left_out or listed.leaves_out(what, element, "")

        for group in groups:
            folder = self.wanted.specs / group.folder
            there = next((one for one in own.groups if one.folder == group.folder), None)
            header = group.group if there is None else _for_group_file(group, {kind.name for kind in there.kinds})
            path = folder / folders.GROUP_FILE
            yield from self._merged(path, header, GROUP_FILE, group.folder, is_left_out)
            self._record(path, {key: group.group[key] for key in ("group", "versions")})  # kinds are guessed in part
            for version, entries in group.versions.items():
                entries = _with_free_numbers(entries, there, version)
                path = folder / f"{version}{folders.SUFFIX}"
                yield from self._merged(path, entries, VERSION_FILE, f"{group.folder}/{version}", is_left_out)
                self._record(path, entries)
        if self.wanted.gates is not None:
            path = self.wanted.specs / folders.FEATURES_FILE
            here = self._shown(path)
            others = {feature.name for feature in features if feature.place.file != here}
            found = {name: gate for name, gate in self.wanted.gates.items() if name not in others}
            gates = type(self.wanted.gates)(found)
            yield from self._merged(path, gates, FEATURES_FILE, "", is_left_out)
            self._record(path, gates)

    def _record(self, path: Path, entries: Entries) -> None:
        """Record the imported entries of a file. Docs are not recorded, because users may edit them."""
        record = path.parent / _RECORDS / path.name
        before = record.read_bytes() if record.is_file() else None
        text = _HEAD + render(_without_docs(entries))
        self.records.append(ImportedFile(record, self._shown(record), before, text.encode(), ()))

    def _base(self, path: Path) -> str:
        """Return the content of a file as imported last time; empty if no import is recorded."""
        file = self.source(path.parent / _RECORDS / path.name)
        return "" if file is None else file.text

    def _merged(
        self, path: Path, entries: Entries, shape: Shape, element: str, is_left_out: IsLeftOut
    ) -> Iterator[ImportedFile]:
        shown = self._shown(path)
        if not os.path.lexists(path):
            text = render(entries)
            if self._is_readable(text, shown):
                yield ImportedFile(path, shown, None, text.encode(), ())
            return
        file = self.sources.read(path, shown)
        if file is None or build_nodes(file, self.report) is None:
            return
        before = path.read_bytes()
        try:
            text, notes = merge_text(file.text, entries, shape, self._base(path))
        except UnmergeableError as error:
            place = Place(shown, error.line, error.column)
            self.report.error("AG1234", place, str(error), hint="write the value in full, then import again")
            return
        if not self._is_readable(text, shown):
            return
        mark = b"\xef\xbb\xbf" if before.startswith(b"\xef\xbb\xbf") else b""
        report_notes(notes, shown, element, is_left_out, self.report)
        yield ImportedFile(path, shown, before, mark + text.encode(), notes)

    def _is_readable(self, text: str, shown: str) -> bool:
        """Return whether the written file can be read back; a name in Go may not be valid in specs."""
        found = Report()
        if build_nodes(SourceFile(Path(shown), shown, text), found) is not None and not found.has_errors:
            return True
        problem = found.diagnostics[0].message if found.diagnostics else "it is not YAML"
        self.report.error("AG1234", Place(shown), f"the result would be invalid YAML: {problem}")
        return False

    def _shown(self, path: Path) -> str:
        return f"{self.wanted.shown}/{path.relative_to(self.wanted.specs).as_posix()}"

    def _names_others(self) -> bool:
        """Return whether specs refer to a built-in type of Kubernetes whose package was not read."""
        read = {package.path for package in self.wanted.packages if not package.referred}
        if os.path.realpath(self.wanted.specs) == os.path.realpath(catalog_folder()):
            return False
        texts = (
            type_.resolved
            for package in self.wanted.packages
            if not package.referred
            for declared in package.types
            for type_ in (
                *(field.type for field in declared.fields),
                *([declared.underlying] if declared.underlying else []),
            )
        )
        return any(
            match[1] not in read and match[0] not in WELL_KNOWN
            for text in texts
            for match in _FOREIGN_NAME.finditer(text)
        )
