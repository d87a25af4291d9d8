"""Values as YAML text, in the style of the spec folders: an entry is one flow mapping where it fits into a line."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from apigen.inputs.merging.values import Block, Gone, Lines, Value, without_gone
from apigen.language.node_text import WIDEST, text

_INDENT = 2


def render(value: Mapping[str, Value]) -> str:
    """A whole file."""
    return "".join(f"{line}\n" for key, entry in without_gone(value).items() for line in entry_lines(key, entry, 0))


def entry_lines(key: str, value: Value, indent: int) -> list[str]:
    """The lines of an entry of a mapping: one, where it fits."""
    head = f"{' ' * indent}{scalar(key)}:"
    if not _is_block(value):
        line = f"{head} {flow(value)}"
        if len(line) <= WIDEST or _has_one_form(value):
            return [line]
        if isinstance(value, str) and key == "doc":
            return [f"{head} >-", *_folded(value, indent + _INDENT)]
    return [head, *block_lines(value, indent + _INDENT)]


def block_lines(value: Value, indent: int) -> list[str]:
    """The lines of a mapping or list, an entry each."""
    if isinstance(value, Mapping):
        return [line for key, entry in value.items() for line in entry_lines(key, entry, indent)]
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [line for item in value for line in _item_lines(item, indent)]
    return [f"{' ' * indent}{flow(value)}"]


def flow(value: Value) -> str:
    """A value within a line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(key)}: {flow(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    return scalar(value)


def scalar(value: object) -> str:
    """A scalar that every reader of YAML reads as the same."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, Gone):
        raise TypeError("what is gone has no text")
    return text(str(value))


def _is_block(value: Value) -> bool:
    """Return whether a value is written a key a line in any case: some mapping below wants it."""
    if isinstance(value, Block | Lines):
        return bool(value)
    return isinstance(value, Mapping) and any(_is_block(entry) for entry in value.values())


def _has_one_form(value: Value) -> bool:
    if isinstance(value, str):
        return not value.isprintable() or value != " ".join(value.split()) or " " not in value
    return not isinstance(value, Mapping | Sequence) or not value


def _item_lines(item: Value, indent: int) -> list[str]:
    line = f"{' ' * indent}- {flow(item)}"
    if len(line) <= WIDEST or not isinstance(item, Mapping) or not item:
        return [line]
    first, *rest = block_lines(item, indent + 2)
    return [f"{' ' * indent}- {first.lstrip()}", *rest]


def _folded(value: str, indent: int) -> Iterator[str]:
    """Text without line breaks as a folded block."""
    yield from (
        f"{' ' * indent}{line}"
        for line in textwrap.wrap(value, WIDEST - indent, break_long_words=False, break_on_hyphens=False)
    )
