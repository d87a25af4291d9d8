"""The text of a record, with checksums that detect edits.

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

from apigen.dataclass import dataclass
from apigen.files.hashing import sha256
from apigen.history.levels import KEYWORDS, ORDER, RECORD, Level, is_types
from apigen.history.trees import Change, Moves, entry, mapping, scalar
from apigen.language.folders import FEATURES_FILE
from apigen.language.node_text import entry_lines, text
from apigen.language.nodes import Mapping, Node, Scalar
from apigen.language.releases import Release

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
