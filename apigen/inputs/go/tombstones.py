"""Removed fields, as Kubernetes documents them in the comments of a struct.

Two forms: the marker `+k8s:deprecated=name,protobuf=4`, and the commented-out line of the field, below a remark that
its number is reserved. A line without a number or a remark may be a plan that never shipped, or a field that was moved:
it is returned, but not as `real`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.inputs.go.comments import DEPRECATED, CommentGroup, CommentLine, read_comments
from apigen.inputs.go.fields import FieldReader, is_exported
from apigen.inputs.go.imports import Imports
from apigen.inputs.go.model import GoField, GoTombstone, Marker, TombstoneForm, TombstoneWords
from apigen.inputs.go.syntax import children_of, parse
from apigen.inputs.go.unit import Unit

_HEAD = re.compile(r"\*?[A-Za-z_][\w.]*(?:\s*,\s*[A-Za-z_]\w*)*\s.*")
_TAG_WORDS = ('json:"', 'protobuf:"')
_NUMBER = re.compile(r"[1-9]\d{0,9}")
_NAME = re.compile(r"[A-Za-z_][\w-]*")
_WORDS = (
    (TombstoneWords.TOMBSTONE, re.compile(r"\btombstone", re.IGNORECASE)),
    (TombstoneWords.MUST_NOT_USE, re.compile(r"\bmust not (?:use|be (?:re-?)?used|re-?use)\b", re.IGNORECASE)),
)


@dataclass(frozen=True, slots=True)
class RemovedField:
    """A removed field in a comment; `field` is the commented-out field, None for a marker."""

    line: CommentLine
    json: str | None
    number: int | None
    words: TombstoneWords
    field: GoField | None = None
    markers: tuple[Marker, ...] = ()


def find_removed_fields(groups: Iterable[CommentGroup], unit: Unit) -> list[RemovedField]:
    """Return the removed fields, in order of location. A comment that looks like a removed field, but is not one, is
    reported.
    """
    return [removed for group in groups for removed in _in_group(group, unit)]


def tombstones(found: Iterable[RemovedField], fields: Sequence[GoField]) -> tuple[GoTombstone, ...]:
    """Return the tombstones for removed fields, next to the existing fields."""
    places = [field.place for field in fields]
    numbers = {f.protobuf.number: f.go for f in reversed(fields) if f.protobuf is not None}
    return tuple(_tombstone(removed, _last_before(removed, places, fields), numbers) for removed in found)


def _last_before(removed: RemovedField, places: Sequence[Place], fields: Sequence[GoField]) -> GoField | None:
    position = bisect_left(places, removed.line.place)
    return fields[position - 1] if position else None


def _tombstone(removed: RemovedField, after: GoField | None, numbers: Mapping[int | None, str]) -> GoTombstone:
    protobuf = None if removed.field is None else removed.field.protobuf
    is_announced = removed.number is not None and removed.words is not TombstoneWords.NOTHING
    return GoTombstone(
        form=TombstoneForm.MARKER if removed.field is None else TombstoneForm.COMMENTED,
        json=removed.json,
        number=removed.number,
        place=removed.line.place,
        go=None if removed.field is None else removed.field.go,
        type=None if removed.field is None else removed.field.type.text,
        wire=None if protobuf is None else protobuf.wire,
        words=removed.words,
        real=removed.field is None or is_announced,
        after=None if after is None else after.go,
        number_now_of=None if removed.number is None else numbers.get(removed.number),
        markers=removed.markers,
    )


def _in_group(group: CommentGroup, unit: Unit) -> Iterator[RemovedField]:
    words: TombstoneWords | None = None
    markers: list[Marker] = []
    for line in group.lines:
        if line.is_marker:
            if line.marker.text.startswith(DEPRECATED):
                removed = _marked(line, unit.report)
                yield from () if removed is None else (removed,)
            else:
                markers.append(line.marker)
            continue
        fields = commented_fields(line, unit)
        if fields:
            words = _words(group) if words is None else words
            for field in fields:
                number = None if field.protobuf is None else field.protobuf.number
                yield RemovedField(line, field.json, number, words, field, tuple(markers))
            markers = []


def _marked(line: CommentLine, report: Report) -> RemovedField | None:
    """Read `+k8s:deprecated=name,protobuf=N`; the number may be missing."""
    name, *options = (part.strip() for part in line.marker.text.removeprefix(DEPRECATED).split(","))
    number = None
    problem = None if _NAME.fullmatch(name) else f"{quote(name)} is not the name of a field"
    for option in options:
        key, _, value = option.partition("=")
        if key == "protobuf" and _NUMBER.fullmatch(value):
            number = int(value)
        else:
            problem = problem or f"unknown option {quote(option)}"
    if problem is not None:
        hint = "write `+k8s:deprecated=jsonName,protobuf=4`"
        report.warning("AG1214", line.place, f"invalid marker of a removed field: {problem}", hint=hint)
    if not _NAME.fullmatch(name):
        return None
    return RemovedField(line, name, number, TombstoneWords.MARKER)


def _words(group: CommentGroup) -> TombstoneWords:
    """Return the words that announce the fields of a comment; lines with fields do not count."""
    text = " ".join(line.text.strip() for line in group.lines if _candidate(line) is None)
    return next((words for words, pattern in _WORDS if pattern.search(text)), TombstoneWords.NOTHING)


def _candidate(line: CommentLine) -> tuple[str, str] | None:
    """Return the possible field in a line of a comment, and the text after it; None without one."""
    text = line.text.strip()
    start = text.find("`")
    end = text.find("`", start + 1)
    if start < 0 or end < 0 or not any(word in text[start:end] for word in _TAG_WORDS):
        return None
    return (text[: end + 1], text[end + 1 :].strip()) if _HEAD.fullmatch(text[:start]) else None


def commented_fields(line: CommentLine, unit: Unit) -> tuple[GoField, ...]:
    """Return the fields in a comment line, if it has a struct tag with `json` or `protobuf`.

    A line that starts like a field but continues differently is reported, so that a person can check it.
    """
    candidate = _candidate(line)
    if candidate is None:
        return ()
    text, rest = candidate
    fields = () if rest and not rest.startswith("//") else _parsed(text, unit)
    is_field = bool(fields) and all(_is_plausible(field) for field in fields)
    is_prose = rest and 'protobuf:"' not in text
    if not is_field and not is_prose and is_exported(text.lstrip("*")) and len(text.partition("`")[0].split()) > 1:
        message = "this looks like a commented-out field, but is not one"
        hint = "if it is one, write only the field on its line"
        unit.report.warning("AG1213", line.place, message, hint=hint)
    return fields if is_field else ()


def _is_plausible(field: GoField) -> bool:
    """A single word before a tag is more often prose than an embedded type of this package."""
    return is_exported(field.go) and (not field.embedded or "." in field.type.text or field.protobuf is not None)


def _parsed(text: str, unit: Unit) -> tuple[GoField, ...]:
    """The fields that a line is in a struct. Names of packages in it need no import."""
    file = parse(unit.parser, f"package p\ntype T struct {{\n{text}\n}}\n".encode(), unit.file.display_path)
    if file is None or file.root.has_error:
        return ()
    quiet = Unit(file, read_comments(file), Imports({}, (), (), lambda path: None), Report(), unit.parser)
    structs = [
        struct
        for declaration in children_of(file.root, "type_declaration")
        for spec in children_of(declaration, "type_spec")
        for struct in children_of(spec, "struct_type")
    ]
    return FieldReader(quiet).read(structs[0]) if len(structs) == 1 else ()
