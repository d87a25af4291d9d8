"""What things are called in `.proto` text, and the only ways in which text of a spec may reach it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apigen.ir.generated_modules import package_name
from apigen.ir.model import Struct
from apigen.ir.names import is_identifier
from apigen.ir.numbers import merged_ranges
from apigen.spec.model import NumberRange

RUNTIME_FILE = "runtime/runtime.proto"
RUNTIME_PACKAGE = "apigen.runtime"
"""Where the well-known types stand."""


def file_of(group: str, version: str) -> str:
    """The file of a version, relative to the output folder, as other files import it."""
    return f"{package_name(group)}/{version}/types.proto"


def package_of(group: str, version: str) -> str:
    """The protobuf package of a version: the folder of the group, then the version, e.g. `things.example.com.v6`."""
    parts = (re.sub(r"\W", "_", part, flags=re.ASCII) for part in [*group.split("."), version])
    return ".".join(part if is_identifier(part) else f"_{part}" for part in parts)


def reserved(struct: Struct) -> Iterator[str]:
    """What a message reserves: the numbers of its tombstones and those that nobody gets, and the names of tombstones that
    no field has.
    """
    numbers = [NumberRange(t.number, t.number) for t in struct.tombstones if t.number is not None]
    ranges = merged_ranges([*numbers, *struct.reserved])
    if ranges:
        yield ", ".join(str(r.first) if r.first == r.last else f"{r.first} to {r.last}" for r in ranges)
    gone = {t.json_name for t in struct.tombstones if is_identifier(t.json_name)}
    names = sorted(gone.difference(f.protobuf_name for f in struct.own_fields))
    if names:
        yield ", ".join(f'"{name}"' for name in names)


def json_name_option(name: str, json_name: str) -> Iterator[str]:
    """`json_name = "…"` where protobuf would derive another JSON name than the field has."""
    if _derived_json_name(name) != json_name and re.fullmatch(r"[\w$.-]+", json_name, re.ASCII):
        yield f'json_name = "{json_name}"'


def comment_lines(text: str) -> list[str]:
    """Text as comment lines. No character of it can end a comment or hide in it."""
    lines = text.strip().replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [f"// {''.join(_shown(c) for c in line)}".rstrip() for line in lines] if text.strip() else []


def _derived_json_name(name: str) -> str:
    first, *words = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in words)


def _shown(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
