"""Trees to YAML text, byte for byte as Kubernetes' library (`sigs.k8s.io/yaml`) writes them.

Block style, keys sorted (numbers in them by value), list items not indented below their key, spaces past
column 80 become line ends. If that
library would lose data, this writes a form that is read back unchanged: `"<<"` and DEL are quoted, and so is U+0085.
"""

from __future__ import annotations

from collections.abc import Iterator

from .errors import ApiError, EncodeError
from .json_numbers import JsonNumber, float64_text, yaml_float_text
from .json_reader import parse_json
from .json_source import JsonText, RawFloat
from .yaml_keys import is_simple_key, sorted_keys
from .yaml_scalars import plain_value
from .yaml_styles import LINE_BREAKS, string_text

MAX_DEPTH = 500
"""Maximum nesting of a tree; each level costs two spaces in every line below it."""


def yaml_text(value: object) -> str:
    """Return the YAML of a tree as `json_text` takes it; the text ends with a newline.

    Raises EncodeError for NaN, raw values that are not JSON, names that are not strings, other types, and nesting
    deeper than 500 levels.
    """
    value = _parsed(value)
    if not _is_block(value):
        return _line(_scalar(value, 2, 0))
    pieces: list[str] = []
    blocks = [_Block(value, 0, "")]
    while blocks:
        block = blocks[-1]
        entry = next(block.entries, None)
        if entry is None:
            blocks.pop()
            continue
        key, value = entry
        value = _parsed(value)
        head = _head(block, key)
        if not _is_block(value):
            pieces.append(
                _line(f"{head} {_scalar(value, block.indent + 2, _column(head) + 1)}")
            )
        elif block.of_keys and is_simple_key(key):
            pieces.append(head + "\n")
            indent = block.indent if isinstance(value, list) else block.indent + 2
            blocks.append(_Block(value, indent, " " * indent))
        else:
            blocks.append(_Block(value, block.indent + 2, head + " "))
        if len(blocks) > MAX_DEPTH:
            raise EncodeError("", f"nested more than {MAX_DEPTH} levels deep")
    return "".join(pieces)


class _Block:
    """A list or object that is being written: its remaining values, and the start of its next line."""

    __slots__ = ("entries", "indent", "lead", "of_keys")

    def __init__(self, value: object, indent: int, lead: str) -> None:
        self.indent = indent
        self.lead = lead
        self.of_keys = isinstance(value, dict)
        self.entries: Iterator[tuple[str, object]]
        if isinstance(value, dict):
            self.entries = ((key, value[key]) for key in sorted_keys(value))
        else:
            assert isinstance(value, list)
            self.entries = (("", item) for item in value)


def _head(block: _Block, key: str) -> str:
    """Return the text before the next value of the block, up to its colon or dash."""
    lead, block.lead = block.lead, " " * block.indent
    if not block.of_keys:
        return f"{lead}-"
    if is_simple_key(key):
        return f"{lead}{string_text(key, block.indent + 2, None)}:"
    return (
        _line(f"{lead}? {string_text(key, block.indent + 2, _column(lead) + 2)}")
        + f"{block.lead}:"
    )


def _column(text: str) -> int:
    """Return how long the last line is."""
    return len(text) - 1 - max(map(text.rfind, LINE_BREAKS))


def _parsed(value: object) -> object:
    if not isinstance(value, JsonText):
        return value
    try:
        return parse_json(value.raw)
    except ApiError as error:
        raise EncodeError("", f"raw value: {error.problem}") from None


def _is_block(value: object) -> bool:
    return isinstance(value, (dict, list)) and bool(value)


def _line(text: str) -> str:
    """End the line, unless a block scalar has done so; such a text may end with a line break of Unicode, too."""
    return text if text[-1] in LINE_BREAKS else text + "\n"


def _scalar(value: object, indent: int, column: int) -> str:
    if isinstance(value, str):
        return string_text(value, indent, column)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list)):
        return "{}" if isinstance(value, dict) else "[]"
    if isinstance(value, (int, float, JsonNumber)):
        return _number(value)
    raise EncodeError("", f"YAML cannot hold a {type(value).__name__}")


def _number(value: float | JsonNumber) -> str:
    """Write the number as in JSON, because Kubernetes converts JSON text to YAML."""
    if isinstance(value, JsonNumber):
        text = value.text
    elif isinstance(value, float) and not isinstance(value, RawFloat):
        text = float64_text(value)
    else:
        text = str(value)
    number = plain_value(text)
    return yaml_float_text(number) if isinstance(number, float) else str(number)
