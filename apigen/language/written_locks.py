"""Reads a lock in exactly the form that apigen writes: 0.07 CPU s instead of 0.42 s for the locks of all of Kubernetes.

A lock in any other form is not read here, even if it is valid: the caller then reads it as YAML, which also reports
errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from apigen.dataclass import dataclass
from apigen.language.model import LockedField, LockedType, NumberRange

_NAME = r"(?!(?i:null|true|false)[:,}])[A-Za-z_][A-Za-z0-9_-]*|\"[ !#-\[\]-~]*\""
_NUMBER = r"0|[1-9][0-9]{0,8}"
_CHECKSUM = r"[a-f][0-9a-f]{15}|\"[0-9a-f]{16}\""
_RANGES = r"(?:[1-9][0-9]{0,8}(?:-[1-9][0-9]{0,8})?(?:, |(?=\])))+"

_HEAD = re.compile(rf"(?:#[ -~]*\n)*checksum: ({_CHECKSUM})\ntypes:\n")
_TYPE = re.compile(
    rf"  ({_NAME}):\n    checksum: ({_CHECKSUM})\n    highest: ({_NUMBER})\n"
    rf"(?:    reserved: \[({_RANGES})\]\n)?    fields:(?: \{{\}}\n|\n((?:      .*\n)+))"
)
_FIELD = re.compile(
    rf"^      ({_NAME}): \{{(?:py: ({_NAME})(?:, protobuf: ({_NUMBER}))?|protobuf: ({_NUMBER}))?\}}$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class WrittenLock:
    """The contents of a lock: the checksum over all types, and each type with its own."""

    checksum: str
    types: tuple[tuple[LockedType, str], ...]


def written_lock(text: str) -> WrittenLock | None:
    """Return the contents of a lock; None if any of it is not in the form that apigen writes."""
    head = _HEAD.match(text)
    types = None if head is None else _types(text, head.end())
    if head is None or types is None or len({type_.name for type_, _ in types}) < len(types):
        return None
    return WrittenLock(head[1].strip('"'), tuple(types))


def _types(text: str, start: int) -> list[tuple[LockedType, str]] | None:
    found = []
    while start < len(text):
        match = _TYPE.match(text, start)
        fields = None if match is None else _fields(match[5] or "")
        if match is None or fields is None:
            return None
        reserved = tuple(_ranges(match[4] or ""))
        if any(numbers.last < numbers.first for numbers in reserved):
            return None
        found.append((LockedType(match[1].strip('"'), fields, int(match[3]), reserved), match[2].strip('"')))
        start = match.end()
    return found


def _fields(lines: str) -> tuple[LockedField, ...] | None:
    found = {
        name.strip('"'): LockedField(name.strip('"'), py_name.strip('"') if py_name else None, _number(first or second))
        for name, py_name, first, second in _FIELD.findall(lines)
    }
    return tuple(found.values()) if len(found) == lines.count("\n") else None


def _number(digits: str) -> int | None:
    return int(digits) if digits else None


def _ranges(text: str) -> Iterator[NumberRange]:
    for part in text.split(", ") if text else ():
        first, _, last = part.partition("-")
        yield NumberRange(int(first), int(last or first))
