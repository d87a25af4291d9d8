"""`<version>.lock.yaml`: assigned names and numbers (Python names, protobuf numbers), which never change.

The file has a line per field, in order of name, so that git merges added fields. Each type has a checksum of its
own and the file one over the names of its types: adding fields to two types on two branches merges, and an edit by hand
or a merge within a type is detected.

A lock in exactly the form that apigen writes is read by patterns: 0.07 CPU s instead of 0.42 s for the locks of all of
Kubernetes. A lock in any other form is read as YAML, which also reports errors.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import yaml_text
from apigen.files.hashing import sha256
from apigen.language.build_nodes import build_nodes
from apigen.language.model import Located, LockedField, LockedType, LockFile, NumberRange
from apigen.language.nodes import Context, Node, Scalar
from apigen.language.readers.types import NUMBERS
from apigen.language.shapes import COUNT, PLAIN_COUNT, PLAIN_TEXT, Found, Key, Keys, Part, map_of, text_shape
from apigen.language.source import SourceFile

_NAME = r"(?!(?i:null|true|false)[:,}])[A-Za-z_][A-Za-z0-9_-]*|\"[ !#-\[\]-~]*\""
_NUMBER = r"0|[1-9][0-9]{0,8}"
_DIGITS = r"[a-f][0-9a-f]{15}|\"[0-9a-f]{16}\""
_RANGES = r"(?:[1-9][0-9]{0,8}(?:-[1-9][0-9]{0,8})?(?:, |(?=\])))+"

_HEAD = re.compile(rf"(?:#[ -~]*\n)*checksum: ({_DIGITS})\ntypes:\n")
_TYPE_LINES = re.compile(
    rf"  ({_NAME}):\n    checksum: ({_DIGITS})\n    highest: ({_NUMBER})\n"
    rf"(?:    reserved: \[({_RANGES})\]\n)?    fields:(?: \{{\}}\n|\n((?:      .*\n)+))"
)
_FIELD_LINE = re.compile(
    rf"^      ({_NAME}): \{{(?:py: ({_NAME})(?:, protobuf: ({_NUMBER}))?|protobuf: ({_NUMBER}))?\}}$", re.MULTILINE
)


def _untouched(text: str) -> tuple[LockedType, ...] | None:
    """Return the types of a lock; None if any of it is not in the form that apigen writes, or a checksum is wrong."""
    head = _HEAD.match(text)
    if head is None:
        return None
    found: dict[str, LockedType] = {}
    start = head.end()
    while start < len(text):
        match = _TYPE_LINES.match(text, start)
        fields = None if match is None else _fields(match[5] or "")
        if match is None or fields is None:
            return None
        reserved = tuple(_ranges(match[4] or ""))
        type_ = LockedType(match[1].strip('"'), fields, int(match[3]), reserved)
        is_valid = type_.name not in found and all(numbers.first <= numbers.last for numbers in reserved)
        if not is_valid or match[2].strip('"') != _checksum_of_type(type_):
            return None
        found[type_.name] = type_
        start = match.end()
    return tuple(found.values()) if head[1].strip('"') == _checksum_of_names(found.values()) else None


def _fields(lines: str) -> tuple[LockedField, ...] | None:
    found = {
        name.strip('"'): LockedField(name.strip('"'), py_name.strip('"') if py_name else None, _number(first or second))
        for name, py_name, first, second in _FIELD_LINE.findall(lines)
    }
    return tuple(found.values()) if len(found) == lines.count("\n") else None


def _number(digits: str) -> int | None:
    return int(digits) if digits else None


def _ranges(text: str) -> Iterator[NumberRange]:
    for part in text.split(", ") if text else ():
        first, _, last = part.partition("-")
        yield NumberRange(int(first), int(last or first))


HEADER = "# Written by apigen. Do not edit: assigned names and numbers never change.\n"

_CHECKSUM_LENGTH = 16

_CHECKSUM = Key("checksum", text_shape("a checksum", r"[0-9a-f]{16}"), "Detects manual edits.", required=True)
_FIELD = Part(
    LockedField,
    (
        Key("py", PLAIN_TEXT, "The name in Python.", to="py_name"),
        Key("protobuf", PLAIN_COUNT, "The protobuf field number.", to="number"),
    ),
)
_FIELD_KEYS = Keys("lockedField", "a field of a lock", _FIELD.keys)

_HIGHEST = Key("highest", COUNT, "The highest number ever used.", required=True)
_FIELDS = Key(
    "fields",
    map_of(_FIELD_KEYS, lambda name, found, _: _FIELD.of(found, json_name=name.text), "a mapping of fields"),
    "All fields, including removed ones.",
    required=True,
)
_RESERVED = Key("reserved", NUMBERS, "Numbers that are never assigned.")
_TYPE = Keys("lockedType", "a type of a lock", (_CHECKSUM, _HIGHEST, _RESERVED, _FIELDS))

_Signed = tuple[LockedType, Located[str]]


def _type(name: Scalar, found: Found, _: Context) -> _Signed | None:
    checksum, highest, fields = found.get(_CHECKSUM), found.get(_HIGHEST), found.get(_FIELDS)
    if checksum is None or highest is None or fields is None:
        return None
    reserved = tuple(numbers.value for numbers in found.some(_RESERVED))
    return LockedType(name.text, fields, highest.value, reserved), checksum


_TYPES = Key("types", map_of(_TYPE, _type, "a mapping of types"), "The types.", required=True)
_LOCK = Keys("lock", "a lock", (_CHECKSUM, _TYPES))


def read_lock(file: SourceFile, version: str, report: Report) -> LockFile | None:
    """The lock in a file; None, with diagnostics, if it is not as apigen wrote it."""
    types = _untouched(file.text)
    if types is not None:
        return LockFile(version, Place(file.name), types)
    root = build_nodes(file, report)
    return None if root is None else _read(root, file, version, report)


def write_lock(lock: LockFile) -> str:
    """The text of a lock: the same for the same content, whatever its order."""
    return "".join(_lines(sorted(lock.types, key=lambda type_: type_.name)))


def _read(root: Node, file: SourceFile, version: str, report: Report) -> LockFile | None:
    own_report = Report()
    context = Context.of_run(own_report)
    found = _LOCK.read(root, context)
    if own_report.diagnostics:
        first = own_report.diagnostics[0]
        report.error(
            "AG0491", first.place, f"not a lock file of apigen: {first.message}", hint=_RESTORE.format(file=file.name)
        )
    if context.broken or found is None:
        return None
    checksum, signed = found.get(_CHECKSUM), found.some(_TYPES)
    types = tuple(type_ for type_, _ in signed)
    if checksum is not None and checksum.value != _checksum_of_names(types):
        report.error(
            "AG0490", checksum.place, "types were added or removed by hand", hint=_RESTORE.format(file=file.name)
        )
        return None
    edited = [(type_, own) for type_, own in signed if own.value != _checksum_of_type(type_)]
    for type_, own in edited:
        report.error(
            "AG0490", own.place, f"the lock of `{type_.name}` was edited by hand", hint=_RESTORE.format(file=file.name)
        )
    return None if edited else LockFile(version, Place(file.name), types)


_RESTORE = (
    "restore the file (`git checkout -- {file}`), declare the change in the spec, and run `apigen generate`;"
    " after a merge, take the whole file of one side"
)


def _lines(types: Iterable[LockedType]) -> Iterator[str]:
    types = tuple(types)
    yield HEADER
    yield f"checksum: {yaml_text(_checksum_of_names(types))}\n"
    yield "types:\n" if types else "types: {}\n"
    for type_ in types:
        yield f"  {yaml_text(type_.name)}:\n"
        yield f"    checksum: {yaml_text(_checksum_of_type(type_))}\n"
        yield f"    highest: {type_.highest}\n"
        if type_.reserved:
            yield f"    reserved: [{', '.join(map(str, type_.reserved))}]\n"
        yield "    fields:\n" if type_.fields else "    fields: {}\n"
        for locked in sorted(type_.fields, key=lambda one: one.json_name):
            py_name = [] if locked.py_name is None else [f"py: {yaml_text(locked.py_name)}"]
            number = [] if locked.number is None else [f"protobuf: {locked.number}"]
            yield f"      {yaml_text(locked.json_name)}: {{{', '.join([*py_name, *number])}}}\n"


def _checksum_of_names(types: Iterable[LockedType]) -> str:
    return _checksum(sorted(type_.name for type_ in types))


def _checksum_of_type(type_: LockedType) -> str:
    fields = sorted((locked.json_name, locked.py_name or "", locked.number or 0) for locked in type_.fields)
    reserved = [[str(numbers) for numbers in type_.reserved]] if type_.reserved else []
    return _checksum([type_.name, type_.highest, [list(field) for field in fields], *reserved])


def _checksum(content: object) -> str:
    text = json.dumps(content, separators=(",", ":"))
    return sha256(text.encode("ascii"))[:_CHECKSUM_LENGTH]
