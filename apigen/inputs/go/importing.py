"""Import of Go packages: their declarations are merged into the files of a spec folder, which are written at
the end.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Place, Related, Report
from apigen.diagnostics.quoting import quote
from apigen.inputs.go.model import GoPackage
from apigen.inputs.go.specs.expressions import WELL_KNOWN, WELL_KNOWN_RAW, folder_name, has_group, is_version
from apigen.inputs.go.specs.fields import FIELD_ORDER
from apigen.inputs.go.specs.groups import GroupEntries, read_groups
from apigen.inputs.go.specs.joining import joined
from apigen.inputs.go.specs.markers import Finding, Findings, OmittedKind, ReadSettings
from apigen.inputs.go.specs.types import same_numbers, without_numbers_in_use
from apigen.inputs.go.specs.validation import left_to_hand_written, mapping
from apigen.inputs.merging import (
    REMOVE,
    Block,
    Entries,
    Note,
    NoteKind,
    Owner,
    Shape,
    UnmergeableError,
    Value,
    flow,
    merge_text,
    render,
    scalar,
)
from apigen.inputs.not_imported import NotImported, path_in, read_not_imported
from apigen.ir.api_names import group_problem, version_problem
from apigen.ir.formats import ANY_JSON
from apigen.ir.series import series_in
from apigen.language import folders
from apigen.language.build_nodes import build_nodes
from apigen.language.load import builtin_apis_folder, load_api
from apigen.language.model import ApiSpec, FeatureSpec, GroupSpec
from apigen.language.source import SourceFile, Sources

_MOST_RELATED = 2
_WHAT_OF = {"types": "type", "fields": "field", "enum": "value", "versions": "version", "kinds": "kind"}
"""The kind of an entry, by the key above it."""
_WHAT_TO_DO = {
    "type": "remove it if no release has it",
    "version": "import its package, too; if the package was removed, declare `removed:`, or delete the version with its file",
    "kind": "it is in none of the packages that were read; delete it if it was removed from Go",
}
"""The hints for entries that do not exist in Go."""
IsLeftOut = Callable[[str, str], bool]
"""Whether `not-imported.yaml` omits a type or field, by its kind and its name in specs."""


def report_findings(findings: Findings, listed: NotImported, file: str, report: Report) -> None:
    """Report the elements that are not imported, equal ones in one line. With a list of exceptions, elements that are
    not in it are errors.
    """
    groups: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in findings:
        if not listed.explains(finding.kind.value, finding.element, finding.name):
            groups.setdefault((finding.code, finding.reason, finding.group_by), []).append(finding)
    for (code, reason, _), equal_findings in sorted(groups.items(), key=lambda group: not group[1][0].is_loss):
        first, *others = equal_findings
        hint = None
        more = f" (and {len(others):,} more like it)" if others else ""
        message = f"{_subject(first)}{more} is not imported: {reason}"
        related = [Related(other.place, _subject(other)) for other in others[:_MOST_RELATED]]
        if listed.exists or first.is_loss:
            hint = f"if that is intended, add to {file}:\n{_list_entries(equal_findings)}"
            report.error(code, first.place, message, hint=hint, related=related)
        else:
            report.warning(code, first.place, message, related=related)
    for entry in listed.unused() if listed.exists else ():
        message = "unused entry: no omitted element matches it"
        report.error("AG1236", entry.place, message, hint="remove it, or correct its names")


def _subject(finding: Finding) -> str:
    if finding.name:
        return f"{quote(finding.name)} of `{finding.element}`"
    return f"the {finding.kind} `{finding.element}`"


def _list_entries(found: Sequence[Finding]) -> str:
    """Return the entries to paste: one for elements with names of the same kind, otherwise one for each element."""
    kind, names = found[0].kind.value, [finding.name for finding in found]
    if all(names):
        entries = [{"what": kind, "where": _common([one.element for one in found]), "name": _common(names)}]
    else:
        entries = [{"what": kind, "where": one.element} for one in found]
    return "\n".join(f"- {flow({**entry, 'reason': '…'})}" for entry in entries)


def _common(texts: Sequence[str]) -> str:
    """Return a pattern that all texts match."""
    common = os.path.commonprefix(list(texts))  # noqa: RUF071 (of texts, not paths)
    return common if all(text == common for text in texts) else f"{common}*"


def report_notes(notes: Iterable[Note], file: str, version: str, is_left_out: IsLeftOut, report: Report) -> None:
    """Report differences between YAML and Go. `version` is the name of the version or group of the file in specs:
    `apps/v1`, `apps`.
    """
    for note in notes:
        place = Place(file, note.line, note.column)
        path = _named(note.path, version)
        if note.kind in (NoteKind.FOLLOWED, NoteKind.REMOVED):
            _report_followed(note, place, path, report)
        elif note.kind is NoteKind.KEPT:
            _report_kept(note, place, path, report)
        elif note.kind is NoteKind.NOT_IN_SOURCE:
            _report_not_in_source(note, place, version, is_left_out, report)


def _report_kept(note: Note, place: Place, path: str, report: Report) -> None:
    key, written = note.path[-1], " ".join(note.written.split())
    state = f"stays {quote(written)}" if written else "stays removed"
    go, hint = "Go has no value", f"to follow Go again, remove {quote(key)}"
    if note.source:
        entry = f"{scalar(key)}: {note.source}"
        shown = f" `{entry}`" if quote(entry) == f"`{entry}`" else f":\n{entry}"
        go, hint = f"Go has {quote(note.source)}", f"to follow Go again, write{shown}"
    report.warning("AG1231", place, f"{quote(key)} of {path} {state}; {go}", hint=hint)


def _report_followed(note: Note, place: Place, path: str, report: Report) -> None:
    key = quote(note.path[-1])
    if note.kind is NoteKind.FOLLOWED:
        message = f"{key} of {path} changed from {quote(note.written)} to {quote(note.source)}, as in Go"
    elif len(note.path) > 2 and note.path[-2] == "fields":
        message = f"the field {key} of `{note.path[-3]}` became a tombstone, as in Go; it was {quote(note.written)}"
    else:
        message = f"{key} of {path} was removed, as in Go; it was {quote(note.written)}"
    report.warning("AG1230", place, message)


def _named(path: tuple[str, ...], version: str) -> str:
    """The element that a key belongs to, as specs name it."""
    if not version:  # features.yaml is of no version
        return f"`{'.'.join(path[:-1])}`"
    names = [part for part in path[1:-1] if part not in ("fields", "enum")]
    return f"`{'.'.join([version, *names])}`" if names else f"`{version}`"


def _tombstone(note: Note) -> str:
    """The tombstone to paste into the type."""
    number = re.search(r"\bprotobuf: *(\d+)", note.written) if note.path[-2] == "fields" else None
    body = {"protobuf": int(number[1])} if number is not None else {}
    return f"tombstones:\n  {scalar(note.path[-1])}: {flow(body)}"


def _report_not_in_source(note: Note, place: Place, version: str, is_left_out: IsLeftOut, report: Report) -> None:
    parent, name = note.path[-2], note.path[-1]
    kind = _WHAT_OF.get(parent, "entry")
    is_in_type = kind in ("field", "value")
    element = f"{version}.{note.path[1]}.{name}" if is_in_type else f"{version}.{name}"
    if is_left_out(kind, element):
        return
    message = f"Go has no {kind} {quote(name)}"
    if is_in_type:
        hint = f"if it was never released, remove it; otherwise replace it with a tombstone:\n{_tombstone(note)}"
        report.warning("AG1232", place, f"{message} in `{note.path[1]}`", hint=hint)
    else:
        report.warning("AG1233", place, message, hint=_WHAT_TO_DO.get(kind))


_FOLLOWED = ("optional", "nullable", "omitEmpty", "inline", "required")
_MERGE_WORDS = ("listType", "listMapKeys", "mapType", "structType", "patchStrategy", "patchMergeKey")
"""These keys change together: a list that became a map in Go also has its keys from Go."""
_CORRECTED = ("type", "protobuf", "protobufName", *_MERGE_WORDS)
_CONSTRAINTS = (
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "maxBytes"),
    *("pattern", "format", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "immutable"),
    *("requires", "forbids", "rules", "not", "monotonic", "update", "forbidden", "uniqueBy"),
    *("ifEnabled", "ifDisabled", "ifMode", "subfields"),
)


def _same_gates(written: object, imported: Value) -> bool:
    """Return whether a gate is unchanged, apart from options that users add."""
    return _gates(written) == _gates(imported)


def _gates(value: object) -> object:
    if isinstance(value, Mapping):
        if "gate" in value:
            return _gates(value["gate"])
        return {word: sorted(map(str, value[word])) for word in ("all", "any") if isinstance(value.get(word), list)}
    return {"all": [value]}


def _same_default(written: object, imported: Value) -> bool:
    """Return whether a default is unchanged, or was replaced by cases by a user."""
    if isinstance(written, Mapping) and written.keys() == {"value"}:
        return _same_default(written["value"], imported)
    if isinstance(written, list) and written and not isinstance(imported, list):
        return isinstance(written[-1], Mapping) and _same_default(written[-1], imported)
    if isinstance(imported, Mapping) and imported.keys() == {"value"}:
        return _same_default(written, imported["value"])
    return written == imported and isinstance(written, bool) == isinstance(imported, bool)


def _format(written: Mapping[str, object], imported: Value) -> Value:
    """Return the imported `format`, without that of raw JSON if a user declared the type in another form."""
    return REMOVE if imported == ANY_JSON and written.get("is") != WELL_KNOWN_RAW else imported


_BY_HAND = {"enforcedByHand": Owner.CORRECT}
_ADAPTED = {"enforcedByHand": left_to_hand_written}
_INNER = Shape(owners={**dict.fromkeys(_CONSTRAINTS, Owner.KEEP), **_BY_HAND}, adapted=_ADAPTED)
_FIELD_OWNERS = {
    **dict.fromkeys(FIELD_ORDER, Owner.KEEP),
    **dict.fromkeys(_FOLLOWED, Owner.FOLLOW),
    **dict.fromkeys(_CORRECTED, Owner.CORRECT),
    "doc": Owner.QUIET,
    **dict.fromkeys((*_CONSTRAINTS, "items", "keys", "values"), Owner.KEEP),
    **_BY_HAND,
}
FIELD = Shape(
    owners=_FIELD_OWNERS,
    children={"items": _INNER, "keys": _INNER, "values": _INNER},
    same={"featureGate": _same_gates, "default": _same_default},
    adapted=_ADAPTED,
)
_LIFE = dict.fromkeys(("introduced", "deprecated", "removed", "replacement"), Owner.CORRECT)
_VALUE = Shape(
    owners={"doc": Owner.QUIET, "pyName": Owner.ONCE, "featureGate": Owner.KEEP}, same={"featureGate": _same_gates}
)
TYPE = Shape(
    owners={
        "doc": Owner.QUIET,
        "hub": Owner.ONCE,
        "is": Owner.KEEP,
        "nullable": Owner.FOLLOW,
        **dict.fromkeys(_MERGE_WORDS, Owner.CORRECT),
        **_LIFE,
        "enum": Owner.KEEP,
        "open": Owner.ONCE,
        "fields": Owner.KEEP,
        **dict.fromkeys((*_CONSTRAINTS, "items", "keys", "values"), Owner.KEEP),
        **_BY_HAND,
        "unions": Owner.KEEP,
        "tombstones": Owner.KEEP,
        "reserved": Owner.CORRECT,
    },
    children={
        "fields": Shape(each=FIELD),
        "enum": Shape(each=_VALUE),
        "tombstones": Shape(each=Shape(owners={"protobuf": Owner.CORRECT}), allows_extra=True),
        "items": _INNER,
        "keys": _INNER,
        "values": _INNER,
    },
    union=("is", "enum", "fields"),
    plainest=({"is": "string"},),
    same={"reserved": same_numbers},
    adapted={**_ADAPTED, "format": _format},
)
VERSION_FILE = Shape(owners={"types": Owner.KEEP}, children={"types": Shape(each=TYPE)})
"""A version's file."""

_SUBRESOURCES = Shape(each=Shape(owners={}), allows_extra=True)
_KIND = Shape(
    owners={
        **dict.fromkeys(("scope", "plural", "singular"), Owner.KEEP),
        **dict.fromkeys(("shortNames", "categories"), Owner.QUIET),
        "subresources": Owner.KEEP,
        "list": Owner.KEEP,
    },
    children={"subresources": _SUBRESOURCES},
)
GROUP_FILE = Shape(
    owners={
        "group": Owner.CORRECT,
        "versions": Owner.KEEP,
        "hub": Owner.ONCE,
        "protobuf": Owner.ONCE,
        "kinds": Owner.KEEP,
    },
    children={
        "versions": Shape(each=Shape(owners={**_LIFE, "storage": Owner.ONCE, "served": Owner.KEEP})),
        "kinds": Shape(each=_KIND),
    },
)
"""group.yaml."""

FEATURES_FILE = Shape(
    each=Shape(owners={"owner": Owner.QUIET, "doc": Owner.QUIET, "stages": Owner.CORRECT, "dependsOn": Owner.KEEP}),
    allows_extra=True,
)
"""features.yaml: the import owns the stages and dependencies of a gate."""


_SAY_GROUP = "add `// +groupName=things.example.com` above `package` in doc.go, or a constant `GroupName`"
_NO_GROUP = "AG0125"
_RECORDS = ".imported"
"""The folder next to specs with the imported entries of each file at the last import. Hidden folders are not read as
specs.
"""
_HEAD = "# The state of Go at the last import. Commit this file; do not edit it.\n"
_FOREIGN_NAME = re.compile(r"(k8s\.io/[\w./-]+)\.\w+")


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """The packages to import, and the folder of specs. `gates` are those of `--features`; None without that option."""

    packages: tuple[GoPackage, ...]
    specs: Path
    display_path: str
    gates: Entries | None = None
    docs: bool = False
    release: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """The text of a file before the import (None for a new file) and after it."""

    path: Path
    display_path: str
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


def import_go(request: ImportRequest, report: Report) -> Imported | None:
    """Return the files of the spec folder after the import. Nothing is written.

    None, with errors, if an existing file cannot be read or merged into, or packages exclude each other. Omitted
    elements are reported, too: as warnings, or, if the folder has a `not-imported.yaml`, as errors unless that gives
    the reason.
    """
    run = _Run(request, Sources(report), report)
    packages = joined(_versions_of_groups(request.packages, report), report)
    _check_packages(packages, report)
    own = run.own_specs()
    existing = run.with_builtin_apis(own)
    listed = read_not_imported(run.source(path_in(request.specs)), report)
    if report.has_errors:
        return None
    findings = Findings()
    gates = _gates_by_group(packages, own, existing.features, request.gates or ())
    settings = ReadSettings(docs=request.docs, gates=gates, release=request.release, listed=listed)
    groups = read_groups(packages, existing, settings, findings)
    files = tuple(run.files(groups, own, existing.features, findings, listed))
    if report.error_count:
        return None
    report_findings(findings, listed, path_in(request.specs).name, report)
    return Imported(files, tuple(findings), tuple(run.records))


def _gates_by_group(
    packages: Sequence[GoPackage], own: ApiSpec, features: Sequence[FeatureSpec], imported: Iterable[str]
) -> Mapping[str, frozenset[str]]:
    """Return the feature gates that each group may name, by the folder of the group: those of its release series. The
    gates that are imported with the packages belong to the project's own.
    """
    gates = [
        *((feature.name, series_in(own, feature.series)) for feature in features),
        *((gate, "") for gate in imported),
    ]
    series = {group.folder: series_in(own, group.series) for group in own.groups}
    folders_of_groups = {folder_name(package.group) for package in packages}
    return {
        folder: frozenset(gate for gate, of_gate in gates if of_gate == series.get(folder, ""))
        for folder in folders_of_groups
    }


@cache
def _builtin_apis() -> ApiSpec:
    """Return the built-in API groups of Kubernetes."""
    return load_api(builtin_apis_folder(), Report())


def _versions_of_groups(packages: Sequence[GoPackage], report: Report) -> tuple[GoPackage, ...]:
    """Return the packages; those without a group (helpers, or other protocols) are only read for types that others
    refer to.

    If no package has a group, they are returned unchanged, and `_check_packages` reports that.
    """
    requested = [package for package in packages if not package.referred and is_version(package.version)]
    without = [package for package in requested if not has_group(package)]
    if len(without) == len(requested):
        return tuple(packages)
    for package in without:
        message = f"`{package.path}` does not declare its group, so it is omitted"
        report.warning("AG1235", package.place, message, hint=_SAY_GROUP)
    return tuple(replace(one, referred=True) if any(one is other for other in without) else one for one in packages)


def _check_packages(packages: Sequence[GoPackage], report: Report) -> None:
    """Report packages without a group, and names of groups and versions that are not valid."""
    for package in packages:
        if package.referred or not is_version(package.version):
            continue
        if not has_group(package):
            message = f"`{package.path}` does not declare its group"
            report.error("AG1235", package.place, message, hint=_SAY_GROUP)
            continue
        # The name of a group is the name of its folder, so an invalid one may also lead out of the spec folder.
        for problem in (group_problem(package.group), version_problem(package.version)):
            if problem is not None:
                report.error("AG1235", package.place, f"`{package.path}`: {problem.message}", hint=problem.fix)


def _for_group_file(group: GroupEntries, existing: GroupSpec) -> Entries:
    """Return the entries for an existing group.yaml, which already declares storage versions. What Go does not declare of
    known kinds is as in the file.
    """
    written = {kind.name: {"scope": kind.scope, "plural": kind.plural} for kind in existing.kinds}

    def completed(kind: str, entries: Mapping[str, Value]) -> Entries:
        guessed = {key: own for key, own in written.get(kind, {}).items() if (kind, key) in group.guessed}
        declared = {key: value for key, value in entries.items() if key not in guessed}
        return declared | {key: own.value for key, own in guessed.items() if own is not None}

    return type(group.group)(
        {
            "group": group.group["group"],
            "versions": _without(group.group["versions"], lambda version, key: key == "storage"),
            "kinds": Block(
                {kind: completed(kind, mapping(body)) for kind, body in mapping(group.group["kinds"]).items()}
            ),
        }
    )


def _declared_in_go(group: GroupEntries) -> Entries:
    """Return the entries to record of group.yaml."""
    kinds = _without(group.group["kinds"], lambda kind, key: (kind, key) in group.guessed)
    return {"group": group.group["group"], "versions": group.group["versions"], "kinds": kinds}


def _without_docs(entries: Mapping[str, Value]) -> Entries:
    kept = type(entries)() if isinstance(entries, dict) else {}
    for key, value in entries.items():
        if key != "doc" or not isinstance(value, str):
            kept[key] = _without_docs(value) if isinstance(value, Mapping) else value
    return kept


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

    request: ImportRequest
    sources: Sources
    report: Report
    records: list[ImportedFile] = field(default_factory=list)

    def source(self, path: Path) -> SourceFile | None:
        """Return a file of the spec folder, None if it does not exist; a broken symbolic link is an error."""
        return self.sources.read(path, self._display_path(path)) if os.path.lexists(path) else None

    def with_builtin_apis(self, found: ApiSpec) -> ApiSpec:
        """Return the existing specs, with the built-in API types if they refer to types of Kubernetes that no spec
        declares.
        """
        if not self._names_others():
            return found
        builtin_apis = _builtin_apis()
        known = {group.folder for group in found.groups}
        more = [group for group in builtin_apis.groups if group.folder not in known]
        gates = {feature.name for feature in found.features}
        features = [feature for feature in builtin_apis.features if feature.name not in gates]
        return replace(found, groups=(*found.groups, *more), features=(*found.features, *features))

    def own_specs(self) -> ApiSpec:
        """Return the existing specs; a folder without a group counts as missing."""
        if not self.request.specs.is_dir():
            return ApiSpec((), ())
        own = Report()
        found = load_api(self.request.specs, own)
        for diagnostic in own.diagnostics:
            if diagnostic.code != _NO_GROUP:
                self.report.add(diagnostic)
        return found

    def files(
        self,
        groups: Sequence[GroupEntries],
        own: ApiSpec,
        features: Sequence[FeatureSpec],
        findings: Findings,
        listed: NotImported,
    ) -> Iterator[ImportedFile]:
        """Return all files of the import, merged into the existing specs."""
        left_out = {finding.element for finding in findings if finding.kind in (OmittedKind.TYPE, OmittedKind.FIELD)}

        def is_left_out(what: str, element: str) -> bool:
            return element in left_out or listed.leaves_out(what, element, "")

        for group in groups:
            folder = self.request.specs / group.folder
            existing = next((one for one in own.groups if one.folder == group.folder), None)
            header = group.group if existing is None else _for_group_file(group, existing)
            path = folder / folders.GROUP_FILE
            yield from self._merged(path, header, GROUP_FILE, group.folder, is_left_out)
            self._record(path, _declared_in_go(group))
            for version, entries in group.versions.items():
                types = without_numbers_in_use(mapping(entries["types"]), existing, version)
                entries = {"types": types}  # without reserving numbers that the existing file uses
                path = folder / f"{version}{folders.SUFFIX}"
                yield from self._merged(path, entries, VERSION_FILE, f"{group.folder}/{version}", is_left_out)
                self._record(path, entries)
        if self.request.gates is not None:
            path = self.request.specs / folders.FEATURES_FILE
            display_path = self._display_path(path)
            gates_of_others = {feature.name for feature in features if feature.place.file != display_path}
            own_gates = {name: gate for name, gate in self.request.gates.items() if name not in gates_of_others}
            gates = type(self.request.gates)(own_gates)
            yield from self._merged(path, gates, FEATURES_FILE, "", is_left_out)
            self._record(path, gates)

    def _record(self, path: Path, entries: Entries) -> None:
        """Record the imported entries of a file. Docs are not recorded, because users may edit them."""
        record = path.parent / _RECORDS / path.name
        before = record.read_bytes() if record.is_file() else None
        text = _HEAD + render(_without_docs(entries))
        self.records.append(ImportedFile(record, self._display_path(record), before, text.encode(), ()))

    def _merged(
        self, path: Path, entries: Entries, shape: Shape, element: str, is_left_out: IsLeftOut
    ) -> Iterator[ImportedFile]:
        display_path = self._display_path(path)
        if not os.path.lexists(path):
            text = render(entries)
            if self._is_readable(text, display_path):
                yield ImportedFile(path, display_path, None, text.encode(), ())
            return
        file = self.sources.read(path, display_path)
        if file is None or build_nodes(file, self.report) is None:
            return
        before, record = path.read_bytes(), self.source(path.parent / _RECORDS / path.name)
        if record is not None and build_nodes(record, self.report) is None:
            return
        try:
            base = "" if record is None else record.text
            text, notes = merge_text(file.text, entries, shape, base)
        except UnmergeableError as error:
            place = Place(display_path, error.line, error.column)
            self.report.error("AG1234", place, str(error), hint="write the value in full, then import again")
            return
        if not self._is_readable(text, display_path):
            return
        mark = b"\xef\xbb\xbf" if before.startswith(b"\xef\xbb\xbf") else b""
        report_notes(notes, display_path, element, is_left_out, self.report)
        yield ImportedFile(path, display_path, before, mark + text.encode(), notes)

    def _is_readable(self, text: str, display_path: str) -> bool:
        """Return whether the written file can be read back; a name in Go may not be valid in specs."""
        problems = Report()
        if (
            build_nodes(SourceFile(Path(display_path), display_path, text), problems) is not None
            and not problems.has_errors
        ):
            return True
        problem = problems.diagnostics[0].message if problems.diagnostics else "it is not YAML"
        self.report.error("AG1234", Place(display_path), f"the result would be invalid YAML: {problem}")
        return False

    def _display_path(self, path: Path) -> str:
        return f"{self.request.display_path}/{path.relative_to(self.request.specs).as_posix()}"

    def _names_others(self) -> bool:
        """Return whether specs refer to a built-in type of Kubernetes whose package was not read."""
        read = {package.path for package in self.request.packages if not package.referred}
        if os.path.realpath(self.request.specs) == os.path.realpath(builtin_apis_folder()):
            return False
        own = (package for package in self.request.packages if not package.referred)
        types = (type_ for package in own for declared in package.types for type_ in declared.used_types)
        return any(
            match[1] not in read and match[0] not in WELL_KNOWN
            for type_ in types
            for match in _FOREIGN_NAME.finditer(type_.resolved)
        )
