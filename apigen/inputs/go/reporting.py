"""Reports of an import: Go declarations that are not imported, grouped, and differences between the specs and Go."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from apigen.diagnostics import Place, Related, Report
from apigen.diagnostics.quoting import quote
from apigen.inputs.go.specs.findings import Finding, Findings
from apigen.inputs.merging import Note, NoteKind
from apigen.inputs.merging.yaml_text import flow, scalar
from apigen.inputs.not_imported import NotImported

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
        if not listed.explains(finding.what.value, finding.element, finding.name):
            groups.setdefault((finding.code, finding.reason, finding.group_by), []).append(finding)
    for (code, reason, _), found in sorted(groups.items(), key=lambda group: not group[1][0].is_loss):
        first, *others = found
        hint = None
        message = f"{_subject(first)}{_more(others)} is not imported: {reason}"
        related = [Related(other.place, _subject(other)) for other in others[:_MOST_RELATED]]
        if listed.is_there or first.is_loss:
            hint = f"if that is intended, add to {file}:\n{_entry(found)}"
            report.error(code, first.place, message, hint=hint, related=related)
        else:
            report.warning(code, first.place, message, related=related)
    for entry in listed.unused() if listed.is_there else ():
        message = "unused entry: no omitted element matches it"
        report.error("AG1236", entry.place, message, hint="remove it, or correct its names")


def _subject(finding: Finding) -> str:
    if finding.name:
        return f"{quote(finding.name)} of `{finding.element}`"
    return f"the {finding.what} `{finding.element}`"


def _more(others: Sequence[Finding]) -> str:
    if not others:
        return ""
    return f" (and {len(others):,} more like it)"


def _entry(found: Sequence[Finding]) -> str:
    """The entry to paste."""
    first = found[0]
    entry: dict[str, str] = {"what": first.what.value}
    names = {finding.name for finding in found}
    if len(found) == 1:
        entry["where"] = first.element
    if names != {""}:
        entry["name"] = first.name if len(names) == 1 else f"{_common(names)}*"
    return f"- {flow({**entry, 'reason': '…'})}"


def _common(names: Iterable[str]) -> str:
    """Return the common prefix of names."""
    ordered = sorted(names)
    length = next((n for n, (a, b) in enumerate(zip(ordered[0], ordered[-1], strict=False)) if a != b), len(ordered[0]))
    return ordered[0][:length]


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
        elif note.kind is NoteKind.NOT_WANTED:
            _report_not_wanted(note, place, version, is_left_out, report)


def _report_kept(note: Note, place: Place, path: str, report: Report) -> None:
    key, written = note.path[-1], " ".join(note.written.split())
    state = f"stays {quote(written)}" if written else "stays removed"
    go, hint = "Go has no value", f"to follow Go again, remove {quote(key)}"
    if note.wanted:
        entry = quote(f"{scalar(key)}: {note.wanted}")
        go, hint = f"Go has {quote(note.wanted)}", f"to follow Go again, write {entry}"
    report.warning("AG1231", place, f"{quote(key)} of {path} {state}; {go}", hint=hint)


def _report_followed(note: Note, place: Place, path: str, report: Report) -> None:
    key = quote(note.path[-1])
    if note.kind is NoteKind.FOLLOWED:
        message = f"{key} of {path} changed from {quote(note.written)} to {quote(note.wanted)}, as in Go"
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


def _report_not_wanted(note: Note, place: Place, version: str, is_left_out: IsLeftOut, report: Report) -> None:
    parent, name = note.path[-2], note.path[-1]
    what = _WHAT_OF.get(parent, "entry")
    is_in_type = what in ("field", "value")
    element = f"{version}.{note.path[1]}.{name}" if is_in_type else f"{version}.{name}"
    if is_left_out(what, element):
        return
    message = f"Go has no {what} {quote(name)}"
    if is_in_type:
        hint = f"if it was never released, remove it; otherwise replace it with a tombstone:\n{_tombstone(note)}"
        report.warning("AG1232", place, f"{message} in `{note.path[1]}`", hint=hint)
    else:
        report.warning("AG1233", place, message, hint=_WHAT_TO_DO.get(what))
