"""The docstrings of generated classes: the text of the spec, and further facts for users."""

from __future__ import annotations

import inspect
import textwrap
from typing import TypeGuard

from apigen.ir.model import Alias, Enum, EnumValue, Field, Lifecycle, Struct
from apigen.language.model import GateJoin, GateSpec

WIDTH = 80
"""The length from which a line of documentation is wrapped."""


def struct_doc(struct: Struct, title: str) -> str:
    """The docstring of a class; `title` is how documentation calls its version."""
    if _says_something(struct.doc):
        doc = struct.doc
    elif struct.list_of is not None:
        doc = f"A list of {struct.list_of.name} objects."
    elif struct.kind is not None:
        doc = f"The kind {struct.id.name} of {title}."
    else:
        doc = f"{struct.id.name} of {title}."
    return _joined(doc, _deprecation(struct.lifecycle))


def enum_doc(enum: Enum, title: str) -> str:
    """Return the docstring of an enum; it states that an enum is open, because the class cannot express that."""
    doc = enum.doc if _says_something(enum.doc) else f"{enum.id.name} of {title}."
    return _joined(doc, "Objects may hold values that are not listed here.")


def unknown_doc(member: str) -> str:
    """Return the docstring of the method that chooses a member for an unknown value."""
    return f"Text that is no known value counts as {member}."


def alias_doc(alias: Alias) -> str:
    """The docstring below an alias, empty if there is nothing to say."""
    return _joined(alias.doc, "A value of a map may be None." if alias.nullable else "")


def field_doc(field: Field) -> str:
    """The docstring below a field, empty if there is nothing to say."""
    return _joined(field.doc, _gate(field.gate), _deprecation(field.lifecycle))


def value_doc(value: EnumValue) -> str:
    """The docstring below a member of an enum, empty if there is nothing to say."""
    return _joined(value.doc, _gate(value.gate), _roll_out(value), _deprecation(value.lifecycle))


def _roll_out(value: EnumValue) -> str:
    if value.tolerated is None:
        return ""
    introduced = value.lifecycle.introduced
    kept = f"objects that have it keep it from release {value.tolerated} on"
    return f"{kept[0].upper()}{kept[1:]}." if introduced is None else f"Accepted from release {introduced} on; {kept}."


def _gate(gate: GateSpec | None) -> str:
    if gate is None:
        return ""
    names = [located.value for located in gate.gates]
    if len(names) == 1:
        return f"Needs the feature gate {names[0]}."
    joined = (" and " if gate.join is GateJoin.ALL else " or ").join(names)
    return f"Needs the feature gates {joined}."


def _deprecation(lifecycle: Lifecycle) -> str:
    if lifecycle.deprecated is None and lifecycle.removed is None:
        return ""
    since = f" since {lifecycle.deprecated}" if lifecycle.deprecated else ""
    until = f", gone from {lifecycle.removed} on" if lifecycle.removed else ""
    return f"Deprecated{since}{until}{_instead(lifecycle)}."


def _instead(lifecycle: Lifecycle) -> str:
    new = lifecycle.replacement
    if new is None:
        return ""
    if new.path:
        return f": use {new.path}"
    version = f"{new.group}/{new.version}" if new.group else new.version
    return f": use {version} {new.kind}"


def _joined(*paragraphs: str | None) -> str:
    return "\n\n".join(wrapped(p) for p in paragraphs if _says_something(p))


def _says_something(text: str | None) -> TypeGuard[str]:
    return text is not None and text.strip() != ""


def wrapped(text: str) -> str:
    """`text` with its lines, those over `WIDTH` wrapped below their own indentation."""
    lines: list[str] = []
    for line in inspect.cleandoc(text.replace("\r\n", "\n").replace("\r", "\n")).split("\n"):
        if len(line) <= WIDTH:
            lines.append(line)
        else:
            margin = line[: len(line) - len(line.lstrip())]
            lines += textwrap.wrap(
                line, WIDTH, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False
            )
    return "\n".join(lines)
