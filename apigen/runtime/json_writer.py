"""JSON trees to text, byte for byte as Go's encoding/json writes it: `<`, `>`, `&` escaped, floats in Go's notation.

A tree consists of dict (written in its order), list, str, int, float, bool and None, and may hold `RawExtension`,
`FieldsV1` and `JsonNumber` anywhere. orjson is used where it is installed, else the standard library, else (for what
both refuse) a writer in Python.
"""

from __future__ import annotations

import binascii
import json
import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .errors import EncodeError
from .json_exact import MAX_DEPTH
from .json_numbers import JsonNumber, encode_float32, encode_float64, float64_text
from .raw import FieldsV1, RawExtension

if TYPE_CHECKING:
    import orjson
else:
    try:
        import orjson
    except ImportError:
        orjson = None

__all__ = ["JsonNumber", "encode_bytes", "encode_float32", "encode_float64", "json_bytes", "json_text"]

_SURROGATE = re.compile("[\ud800-\udfff]")
_STRING_OR_SPACE = re.compile(r'("(?:[^"\\]|\\.)*")|[ \t\n\r]+')
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[^"\[\]{},:]+|[\[\]{},:]')
_ITEM_SEPARATOR = ",\0"
_PLACEHOLDER = f"[NaN{_ITEM_SEPARATOR}NaN]"


def json_text(value: object, indent: int | None = None, *, floats_encoded: bool = False) -> str:
    """Return the text of a tree: compact, or with `indent` spaces a level as `json.MarshalIndent` lays it out.

    `floats_encoded` is the promise that all floats in the tree come from `encode_float64` or `encode_float32`, as in
    trees made by generated code; it spares looking for them. Raises EncodeError for NaN, raw values that are not JSON,
    names that are not strings, other types, and nesting deeper than 10,000 levels.
    """
    text = _text(value, floats_encoded)
    return text if indent is None else _indented(text, indent)


def json_bytes(value: object, *, floats_encoded: bool = False) -> bytes:
    """Return `json_text(value)` in UTF-8."""
    if orjson is not None and (floats_encoded or not _has_odd_float(value)):
        data = _by_orjson(value)
        if data is not None and data.isascii():
            return _escaped_ascii(data)
    return _text(value, floats_encoded).encode()


def encode_bytes(data: bytes) -> str:
    """Return the bytes in standard base64."""
    return binascii.b2a_base64(data, newline=False).decode("ascii")


def _text(value: object, floats_encoded: bool) -> str:
    if floats_encoded or not _has_odd_float(value):
        data = None if orjson is None else _by_orjson(value)
        if data is not None:
            return _escaped(data.decode())
        text = _by_json(value)
        if text is not None:
            return text
    return "".join(_pieces(value))


def _by_orjson(value: object) -> bytes | None:
    """Return compact UTF-8 without Go's escapes, or None if orjson refuses the tree."""
    try:
        return orjson.dumps(value, _fragment, orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME)
    except orjson.JSONEncodeError:
        return None


def _fragment(value: object) -> orjson.Fragment:
    return orjson.Fragment(_special(value))


def _by_json(value: object) -> str | None:
    """Return the text, or None if the standard library refuses the tree.

    It cannot be told how to write a type, only what else to write in its stead. That is a list of two NaNs, which no
    string can imitate because strings never hold the bare NUL of the separator, and no tree because NaN is refused.
    """
    specials: list[str] = []

    def placeholder(special: object) -> list[float]:
        specials.append(_special(special))
        return [math.nan, math.nan]

    encoder = json.JSONEncoder(ensure_ascii=False, separators=(_ITEM_SEPARATOR, ":"), default=placeholder)
    try:
        text = encoder.encode(value)
    except (TypeError, ValueError, RecursionError):
        return None
    text = _escaped(text)
    if specials:
        first, *others = text.split(_PLACEHOLDER)
        text = first + "".join(special + other for special, other in zip(specials, others, strict=True))
    return text.replace("\0", "")


def _special(value: object) -> str:
    """Return the text of what is not plain JSON. Raises TypeError for types that have none."""
    if isinstance(value, (RawExtension, FieldsV1)):
        return _compacted(value.raw)
    if isinstance(value, JsonNumber):
        return value.text
    if isinstance(value, float):  # a subclass; orjson asks for those
        return float64_text(value)
    raise TypeError


def _compacted(raw: bytes) -> str:
    """Check the JSON text, leave out spaces between tokens, and escape what Go escapes."""
    from .json_reader import parse_json

    try:
        parse_json(raw)
    except ValueError as error:
        raise EncodeError("", f"raw value: {error}") from None
    text = raw.decode("utf-8", "surrogateescape")
    return _escaped(_STRING_OR_SPACE.sub(r"\1", text))


def _escaped(text: str) -> str:
    """Escape for HTML, and what JavaScript or UTF-8 cannot hold. In JSON all of that occurs in strings only."""
    text = text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    if text.isascii():
        return text
    text = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return _SURROGATE.sub(r"\\ufffd", text) if _SURROGATE.search(text) else text


def _escaped_ascii(data: bytes) -> bytes:
    return data.replace(b"<", b"\\u003c").replace(b">", b"\\u003e").replace(b"&", b"\\u0026")


def _has_odd_float(value: object) -> bool:
    """Return whether the tree has a float that the fast writers print unlike Go, or is too deep to tell."""
    try:
        return _contains_odd_float([value])
    except RecursionError:
        return True


def _contains_odd_float(container: list[object] | dict[str, object]) -> bool:
    for value in container.values() if isinstance(container, dict) else container:
        kind = type(value)
        if kind is str or kind is int or kind is bool or value is None:
            continue
        if isinstance(value, (dict, list)):
            if _contains_odd_float(value):
                return True
        elif isinstance(value, float) and (kind is not float or encode_float64(value) is not value):
            return True
    return False


class _Level:
    """A list or dict that is being written."""

    __slots__ = ("closing", "left", "path", "separator")

    def __init__(self, container: list[object] | dict[object, object], path: str) -> None:
        self.path = path
        self.separator = ""
        self.closing = "}" if isinstance(container, dict) else "]"
        self.left: Iterator[tuple[object, object]] = iter(
            container.items() if isinstance(container, dict) else enumerate(container)
        )


def _pieces(value: object) -> Iterator[str]:
    """Write in Python, without recursion: any depth, any number, and errors that tell the path."""
    levels: list[_Level] = []
    path = ""
    while True:
        if isinstance(value, (dict, list)):
            if len(levels) >= MAX_DEPTH:
                raise EncodeError("", f"nested more than {MAX_DEPTH} levels deep")
            yield "{" if isinstance(value, dict) else "["
            levels.append(_Level(value, path))
        else:
            yield _scalar(value, path)
        while levels and (entry := next(levels[-1].left, None)) is None:
            yield levels.pop().closing
        if not levels or entry is None:
            return
        key, value = entry
        path = _step(levels[-1], key)
        yield levels[-1].separator
        levels[-1].separator = ","
        if levels[-1].closing == "}":
            yield _escaped(json.dumps(key, ensure_ascii=False)) + ":"


def _step(level: _Level, key: object) -> str:
    if level.closing == "]":
        return f"{level.path}[{key}]"
    if not isinstance(key, str):
        raise EncodeError(level.path, f"the name {key!r} is not a string")
    return f"{level.path}.{key}" if level.path else key


def _scalar(value: object, path: str) -> str:
    if value is None or isinstance(value, (str, int)):
        return _escaped(json.dumps(value, ensure_ascii=False))
    try:
        return _special(value)
    except TypeError:
        raise EncodeError(path, f"JSON cannot hold a {type(value).__name__}") from None
    except EncodeError as error:
        raise EncodeError(path, error.problem) from None


def _indented(text: str, indent: int) -> str:
    """Lay out compact text: a line for each member and element, nothing inside of empty lists and objects."""
    pieces: list[str] = []
    newline = "\n"
    previous = ""
    for token in _TOKEN.findall(text):
        if token in ("]", "}"):
            newline = newline[:-indent] if indent else newline
            if previous not in ("[", "{"):
                pieces.append(newline)
        elif previous in ("[", "{"):
            pieces.append(newline)
        pieces.append(token)
        if token in ("[", "{"):
            newline += " " * indent
        elif token == ",":
            pieces.append(newline)
        elif token == ":":
            pieces.append(" ")
        previous = token
    return "".join(pieces)
