"""The text of a record, with checksums that detect edits, and the records of a spec folder, which are checked to be unchanged
since apigen wrote them.

    <folder of a group>/history/1.10.yaml            what release 1.10 shipped of the group: all of it, or what changed
    <folder of features.yaml>/history/1.10.yaml      the gates that no group names
    <either>/history/chain.yaml                      the list of records, with their checksums

A record contains the checksum of the previous one, so that edited, removed and inserted records are detected:

    # Written by `apigen release`: what release 1.11 changes in things.example.com. Do not edit.
    of: things.example.com
    release: "1.11"
    after: {"1.10": 5be4d7c2f6b3a190}        the record before, and its checksum
    checksum: 0a9c63d7be24f158               of all lines outside of sections, and of the checksums of sections
    group.yaml:  # 77ab0e4d91c3f265          a section, with its checksum
      versions:
        v7alpha1: {introduced: "1.11"}
    v7alpha1.yaml:
      Frobber:  # e19d2c405b7f8a36           a type is a section of its own
        fields:
          depth: {type: int32, protobuf: 4, optional: true}

Sections are found without parsing the record, so that checking all records of a group takes as long as reading them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as AbstractMapping
from pathlib import Path

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Related, Report
from apigen.diagnostics.quoting import quote
from apigen.files.hashing import sha256
from apigen.history.trees import KEYWORDS, ORDER, RECORD, Change, Level, Moves, entry, is_types, mapping, scalar
from apigen.language.folders import FEATURES_FILE, HistoryFolder, SpecFile
from apigen.language.node_text import entry_lines, text
from apigen.language.nodes import Mapping, Node, Scalar
from apigen.language.releases import Release, parse_release
from apigen.language.source import SourceFile, Sources

CHECKSUM = r"[0-9a-f]{16}"
_CHECKSUM_LINE = re.compile(rf"checksum: ({CHECKSUM})")
_SIGNED = re.compile(rf"(.*?)  # ({CHECKSUM})")
_TOP = re.compile(r'("?)([A-Za-z0-9._-]+)\1:')
_HEADER = ("of", "release", "after", "checksum")


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a record. `after` is the release of the previous record, and its checksum."""

    of: str
    release: Release
    after: tuple[Release, str] | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a text: its first line (from 1), its name, the written and the expected checksum."""

    line: int
    name: str
    written: str
    expected: str


@dataclass(frozen=True, slots=True)
class Signed:
    """The parts of a text: its sections, the written and the expected checksum, and the line of the checksum."""

    sections: tuple[Section, ...]
    line: int
    written: str
    expected: str


def record_text(header: Header, change: Change) -> str:
    """Return the text of a record."""
    verb = "holds" if header.after is None else "changes"
    owner = "besides its groups" if header.of == FEATURES_FILE else f"{'in' if header.after else 'of'} {header.of}"
    lines = [
        f"# Written by `apigen release`: what release {header.release} {verb} {owner}. Do not edit.",
        f"of: {text(header.of)}",
        f'release: "{header.release}"',
    ]
    if header.after is not None:
        lines.append(f'after: {{"{header.after[0]}": "{header.after[1]}"}}')
    lines.append("checksum: ")
    lines += _body(change)
    signed = list(_signed_sections(lines))
    checksum = taken_apart("\n".join(signed)).expected
    return "".join(f"{line}{checksum}\n" if line == "checksum: " else f"{line}\n" for line in signed)


def taken_apart(content: str) -> Signed:
    """Return the sections and checksums of a text, which need not be a valid record."""
    lines = content.replace("\r\n", "\n").split("\n")
    skeleton: list[str] = []
    sections: list[Section] = []
    at, written = 0, ""
    for start, is_section, part in _parts(lines):
        signed = _SIGNED.fullmatch(part[0])
        if not is_section:
            checksum = _CHECKSUM_LINE.fullmatch(part[0])
            if part[0].startswith("checksum:"):
                at, written = start, checksum[1] if checksum else ""
            else:
                skeleton += part
            continue
        head, own = (signed[1], signed[2]) if signed else (part[0], "")
        sections.append(Section(start, _name(head), own, digest([head, *part[1:]])))
        skeleton.append(part[0])
    return Signed(tuple(sections), at, written, digest(skeleton))


def digest(lines: Iterable[str]) -> str:
    """Return the checksum of some lines."""
    joined = "\n".join(lines).rstrip("\n")
    return sha256(joined.encode("utf-8", "surrogatepass"))[:16]


def _name(head: str) -> str:
    return head.strip().partition(":")[0].strip('"')


def _body(change: Change) -> Iterator[str]:
    for key, value in change.tree.entries:
        yield from _lines(key, value, 0, RECORD.inside(key.text))
    if change.order:
        moves = mapping(entry("/".join(path), _moves(moved)) for path, moved in change.order.items())
        yield f"{ORDER}:"
        yield from (line for key, value in moves.entries for line in entry_lines(key, value, 2))


def _moves(moves: Moves) -> Mapping:
    return mapping(entry(key, scalar(before)) for key, before in moves.items())


def _lines(key: Scalar, value: Node, indent: int, level: Level | None) -> list[str]:
    """Yield the lines of an entry: one line for each key of a level; other entries on one line if they fit."""
    if level is None or level is KEYWORDS or not isinstance(value, Mapping) or not value.entries:
        return entry_lines(key, value, indent)
    lines = [f"{' ' * indent}{text(key.text)}:"]
    for inner_key, inner_value in value.entries:
        lines += _lines(inner_key, inner_value, indent + 2, level.inside(inner_key.text))
    return lines


def _signed_sections(lines: list[str]) -> Iterator[str]:
    for _, is_section, part in _parts(lines):
        if not is_section:
            yield from part
        else:
            yield f"{part[0]}  # {digest(part)}"
            yield from part[1:]


def _parts(lines: list[str]) -> Iterator[tuple[int, bool, list[str]]]:
    """Yield the lines of each section, and each line outside of sections, with the number of the first line, from 1."""
    start, part, is_in_types = 0, list[str](), False
    for number, line in enumerate(lines, 1):
        is_top = bool(line) and not line.startswith(" ")
        is_type = is_in_types and line.startswith("  ") and line[2:3] not in (" ", "")
        if not is_top and not is_type and part:
            part.append(line)
            continue
        if part:
            yield start, True, part
            part = []
        top = _TOP.match(line) if is_top else None
        if is_top:
            is_in_types = top is not None and is_types(top[2]) and line.rstrip().endswith(":")
        if is_type or (top is not None and not is_in_types and top[2] not in _HEADER):
            start, part = number, [line]
        else:
            yield number, False, [line]
    if part:
        yield start, True, part


CHAIN_FILE = "chain.yaml"

RESTORE = "restore the committed folder (`git checkout -- {folder}`); released records cannot be changed"

_MOST_EDITS = 10
"""Maximum number of edited parts of a record that are reported one by one; a replaced file is reported as a whole."""

_NAME = re.compile(r"([0-9]{1,9}\.[0-9]{1,9})\.yaml")
_CHAIN_LINE = re.compile(rf'"([0-9]{{1,9}}\.[0-9]{{1,9}})": "({CHECKSUM})"')
_HEAD = re.compile(
    r"# [^\n]*\n"
    r'of: ("?)(?P<of>[^\n"]*)\1\n'
    r'release: "(?P<release>[0-9]{1,9}\.[0-9]{1,9})"\n'
    rf'(?:after: \{{"(?P<after>[0-9]{{1,9}}\.[0-9]{{1,9}})": "(?P<before>{CHECKSUM})"\}}\n)?'
    rf"checksum: (?P<checksum>{CHECKSUM})\n"
)


@dataclass(frozen=True, slots=True)
class Record:
    """A record with valid checksums."""

    header: Header
    checksum: str
    file: SourceFile

    @property
    def place(self) -> Place:
        """The location of its release."""
        return Place(self.file.name, 3, 1)


def listed_as(record: Record) -> str:
    """Return the entry for a record of a group in the spec folder's own records."""
    return f"{record.header.release} {record.checksum}"


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of records: of a group, by the name of its folder, or of the gates next to a features.yaml.

    `is_left`: the group no longer has a group.yaml.
    """

    path: SpecFile
    of: str
    is_left: bool = False
    records: tuple[Record, ...] = ()

    @property
    def newest(self) -> Record | None:
        """The last record, or `None`."""
        return self.records[-1] if self.records else None

    def at(self, release: Release) -> Record | None:
        """Return the record that applies to a release: the one of the release, or else the last earlier one."""
        return next((record for record in reversed(self.records) if record.header.release <= release), None)


def chain_text(records: AbstractMapping[Release, str]) -> str:
    """Return the text of a chain.yaml."""
    lines = "".join(f'"{release}": "{checksum}"\n' for release, checksum in sorted(records.items()))
    return f"# Written by `apigen release`: the records of this folder. Do not edit.\n{lines}"


def read_folder(history: HistoryFolder, sources: Sources, report: Report) -> Folder | None:
    """Return the records of a folder, oldest first; None, with diagnostics, if they were changed since apigen wrote them.

    Errors: AG1300 an edited record, AG1301 a broken chain, AG1302 a file that is not a record.
    """
    before = report.error_count
    path = history.path
    of, is_left = _owner(history)
    unordered = tuple(_files(path, of, sources, report))
    if report.error_count > before:
        return None
    records = tuple(sorted(unordered, key=lambda record: record.header.release))
    _check_links(records, path, report)
    _check_chain(records, path, sources, report)
    return None if report.error_count > before else Folder(path, of, is_left, records)


def _owner(history: HistoryFolder) -> tuple[str, bool]:
    """Return the owner of the records of a folder; a folder of groups contains those of gates, or the records of a
    removed group.
    """
    name = history.parent.path.name
    if history.is_of_group:
        return name, False
    lines = (line for file in sorted(history.path.path.glob("*.yaml")) for line in _first_lines(file))
    is_left = f"of: {text(name)}" in lines
    return (name, True) if is_left else (FEATURES_FILE, False)


def _first_lines(file: Path) -> list[str]:
    if file.is_symlink() or not file.is_file():
        return []
    try:
        with file.open(encoding="utf-8", errors="replace") as stream:
            return [stream.readline(200).rstrip("\r\n") for _ in range(2)]
    except OSError:
        return []


def _files(path: SpecFile, of: str, sources: Sources, report: Report) -> Iterator[Record]:
    for found in sorted(path.path.iterdir()):
        record_file = SpecFile(found, f"{path.display_path}/{found.name}")
        if found.name == CHAIN_FILE or found.name.startswith("."):
            continue
        match = None if found.is_symlink() else _NAME.fullmatch(found.name)
        if match is None:
            message = f"{quote(found.name)} is not a record; a folder `history` contains one file per release"
            report.error("AG1302", record_file.place, message, hint="move it elsewhere")
            continue
        file = sources.read(found, record_file.display_path)
        record = None if file is None else _record(file, of, match[1], path, report)
        if record is not None:
            yield record


def _record(file: SourceFile, of: str, release: str, folder: SpecFile, report: Report) -> Record | None:
    restore = RESTORE.format(folder=folder.display_path)
    content = file.text.replace("\r\n", "\n")
    head = _HEAD.match(content)
    if head is None:
        report.error("AG1302", file.place, "this is not a record of apigen", hint=restore)
        return None
    signed = taken_apart(content)
    edited = [section for section in signed.sections if section.written != section.expected]
    for section in edited[:_MOST_EDITS]:
        message = f"`{section.name}` in the record of {release} was edited by hand"
        report.error("AG1300", Place(file.name, section.line, 1), message, hint=restore)
    if len(edited) > _MOST_EDITS:
        message = f"{len(edited) - _MOST_EDITS} more parts of the record of {release} were edited by hand"
        report.error("AG1300", Place(file.name, edited[_MOST_EDITS].line, 1), message, hint=restore)
    if signed.written != signed.expected and not edited:
        message = f"the record of {release} was edited by hand: something was added or removed"
        report.error("AG1300", Place(file.name, signed.line, 1), message, hint=restore)
    elif (head["of"], head["release"]) != (of, release):
        message = f"this is the record of {head['of']} {head['release']}, not of {of} {release}"
        report.error("AG1301", Place(file.name, 2, 1), message, hint=restore)
    elif not edited:
        after = (parse_release(head["after"]), head["before"]) if head["after"] else None
        return Record(Header(of, parse_release(release), after), signed.expected, file)
    return None


def _check_links(records: tuple[Record, ...], folder: SpecFile, report: Report) -> None:
    """Report the first record that does not refer to the one before it."""
    before: Record | None = None
    for record in records:
        after = record.header.after
        expected = None if before is None else (before.header.release, before.checksum)
        if after != expected:
            declared = "as the first one" if after is None else f"after that of {after[0]}"
            actual = (
                "there is no previous record"
                if before is None
                else f"the previous record is that of {before.header.release}"
            )
            if after is not None and before is not None and after[0] == before.header.release:
                actual = f"the record of {after[0]} was replaced"
            message = f"the record of {record.header.release} was made {declared}, and {actual}"
            related = [] if before is None else [Related(before.place, f"the record of {before.header.release}")]
            hint = RESTORE.format(folder=folder.display_path)
            report.error("AG1301", Place(record.file.name, 4, 1), message, hint=hint, related=related)
            return
        before = record


def _check_chain(records: tuple[Record, ...], folder: SpecFile, sources: Sources, report: Report) -> None:
    """Report records that are missing, were replaced, or are not listed in chain.yaml."""
    display_path = f"{folder.display_path}/{CHAIN_FILE}"
    path = folder.path / CHAIN_FILE
    if not records and not path.exists():
        return
    hint = RESTORE.format(folder=folder.display_path)
    if not path.exists():
        report.error("AG1301", Place(display_path), f"`{CHAIN_FILE}`, the list of the records, is missing", hint=hint)
        return
    file = sources.read(path, display_path)
    if file is None:
        return
    listed = {}
    for number, line in enumerate(file.text.replace("\r\n", "\n").split("\n"), 1):
        match = _CHAIN_LINE.fullmatch(line)
        if match is not None:
            listed[parse_release(match[1])] = (match[2], number)
        elif line and not line.startswith("#"):
            report.error("AG1301", Place(display_path, number, 1), "this line was not written by apigen", hint=hint)
            return
    by_release = {record.header.release: record for record in records}
    for release, (checksum, number) in listed.items():
        if release not in by_release:
            report.error("AG1301", Place(display_path, number, 1), f"the record of {release} is missing", hint=hint)
        elif by_release[release].checksum != checksum:
            message = f"the record of {release} was replaced"
            related = [Related(by_release[release].place, "the record")]
            report.error("AG1301", Place(display_path, number, 1), message, hint=hint, related=related)
    for release in by_release.keys() - listed.keys():
        message = f"this record of {release} was not written by apigen: `{CHAIN_FILE}` does not list it"
        report.error("AG1301", by_release[release].place, message, hint=hint)
