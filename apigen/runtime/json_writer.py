"""JSON trees to text, byte for byte as Go's encoding/json writes it: `<`, `>`, `&` escaped, floats in Go's notation.

A tree consists of dict (written in its order), list, str, int, float, bool and None, and may hold `RawExtension`,
`FieldsV1` and `JsonNumber` anywhere. orjson writes it if it is installed, else the standard library; a writer in
Python handles values that these reject or would write differently from Go.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from json import encoder

from .errors import EncodeError
from .json_numbers import JsonNumber, encode_float32, encode_float64, float64_text
from .json_reader import MAX_DEPTH, SURROGATE, orjson, parse_json
from .json_source import JsonText, LongInt

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from .json_reader import Orjson

__all__ = [
    "JsonNumber",
    "encode_float32",
    "encode_float64",
    "encoded_json",
    "json_bytes",
    "json_text",
]

_encoder_in_c: Callable[..., Callable[[object, int], Iterable[str]]] | None = getattr(
    encoder, "c_make_encoder", None
)

# The last quote of a string is optional, as no search for it can then be in vain. All texts here are valid JSON.
_STRING_OR_SPACE = re.compile(r'("(?:[^"\\]|\\.)*"?)|[ \t\n\r]+')
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|[^"\[\]{},:]+|[\[\]{},:]')
_LS, _PS = "\u2028".encode(), "\u2029".encode()
_LESS, _GREATER, _AMPERSAND = (
    b"<>&"  # bytes are searched for a number in a fifth of the time that bytes take
)
_STRINGS = frozenset({str})
_PLAIN = frozenset({str, int, bool, type(None)})
_OPTIONS = (
    0
    if orjson is None
    else orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME
)
_PLACEHOLDER = f"raw-{os.urandom(8).hex()}"


def json_text(
    value: object, indent: int | None = None, *, floats_encoded: bool = False
) -> str:
    """Return the text of a tree: compact, or with `indent` spaces a level as `json.MarshalIndent` lays it out.

    `floats_encoded` is the promise that all floats in the tree come from `encode_float64` or `encode_float32`, as in
    trees made by generated code; it spares looking for them. Raises EncodeError for NaN, raw values that are not JSON,
    names that are not strings, other types, and nesting deeper than 10,000 levels.
    """
    text = json_bytes(value, floats_encoded=floats_encoded).decode()
    return text if indent is None else _indented(text, indent)


def json_bytes(value: object, *, floats_encoded: bool = False) -> bytes:
    """Return `json_text(value)` in UTF-8."""
    if floats_encoded or not _is_odd([value]):
        data = _by_json(value) if orjson is None else _by_orjson(orjson, value)
        if data is not None:
            return data
    return "".join(_pieces(value)).encode()


def encoded_json(value: object) -> bytes:
    """Return `json_bytes(value, floats_encoded=True)` of a tree from generated code.

    Raises EncodeError also for strings that UTF-8 cannot represent, which `json_bytes` writes with U+FFFD as Go does.
    """
    data = _by_json(value) if orjson is None else _by_orjson(orjson, value)
    if data is None:
        return "".join(_pieces(value, only_utf8=True)).encode()
    return data


def _by_orjson(library: Orjson, value: object) -> bytes | None:
    """Return the text, or `None` if orjson rejects the tree."""
    try:
        data = library.dumps(value, _fragment, _OPTIONS)
    except library.JSONEncodeError:
        return None
    if _LESS in data or _GREATER in data or _AMPERSAND in data:
        data = (
            data.replace(b"<", b"\\u003c")
            .replace(b">", b"\\u003e")
            .replace(b"&", b"\\u0026")
        )
    return (
        data
        if data.isascii()
        else data.replace(_LS, b"\\u2028").replace(_PS, b"\\u2029")
    )


def _fragment(special: object) -> object:
    assert orjson is not None
    return orjson.Fragment(_special(special))


def _by_json(value: object) -> bytes | None:
    """Return the text, or `None` if the standard library rejects the tree.

    The library accepts a replacement value for a type, but not its text. The replacement is a string that no tree has:
    it is random in each process.
    """
    specials: list[str] = []

    def placeholder(special: object) -> str:
        specials.append(_special(special))
        return _PLACEHOLDER

    try:
        text = _written(value, placeholder)
        text = _escaped(text, only_utf8=True)
    except (TypeError, ValueError, RecursionError):
        return None
    if specials:
        first, *others = text.split(f'"{_PLACEHOLDER}"')
        text = first + "".join(
            special + other for special, other in zip(specials, others, strict=True)
        )
    return text.encode()


def _written(value: object, default: Callable[[object], object]) -> str:
    """Return the text of the standard library's encoder. Raises its errors."""
    # a cycle is nested too deeply as well, which is faster to detect
    if _encoder_in_c is None or not isinstance(value, (dict, list)):
        return json.JSONEncoder(
            ensure_ascii=False,
            check_circular=False,
            allow_nan=False,
            separators=(",", ":"),
            default=default,
        ).encode(value)
    # like the encoder above, without creating one
    encode = _encoder_in_c(
        None, default, encoder.encode_basestring, None, ":", ",", False, False, False
    )
    return "".join(encode(value, 0))


def _special(value: object) -> str:
    """Return the text of a value that is not plain JSON. Raises TypeError for unsupported types."""
    if isinstance(value, JsonText):
        return _compacted(value.raw)
    if isinstance(value, JsonNumber):
        return value.text
    if isinstance(value, float):  # a subclass, which orjson passes to its fallback
        return float64_text(value)
    raise TypeError


def _compacted(raw: bytes) -> str:
    """Check the JSON text, remove spaces between tokens, and escape the characters that Go escapes."""
    try:
        parse_json(raw)
    except ValueError as error:
        raise EncodeError("", f"raw value: {error}") from None
    text = raw.decode("utf-8", "surrogateescape")
    return _escaped(_STRING_OR_SPACE.sub(r"\1", text))


def _escaped(text: str, *, only_utf8: bool = False) -> str:
    """Escape characters for HTML, and those that JavaScript or UTF-8 cannot represent; in JSON, they only occur in strings.

    With `only_utf8`, the latter raises UnicodeEncodeError.
    """
    # searching for them is much faster than replacing missing characters
    if "<" in text or ">" in text or "&" in text:
        text = (
            text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
        )
    if text.isascii():
        return text
    text = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    try:
        text.encode()
    except UnicodeEncodeError:
        if only_utf8:
            raise
        return SURROGATE.sub(r"\\ufffd", text)
    return text


def _is_odd(container: Iterable[object] | dict[object, object]) -> bool:
    """Return whether the fast writers would write the tree in another way than Go, or whether it is too deep to tell.

    That is the case for many floats, and for names that are not strings.
    """
    if isinstance(container, dict) and not _STRINGS.issuperset(map(type, container)):
        return True
    values = container.values() if isinstance(container, dict) else container
    if _PLAIN.issuperset(map(type, values)):
        return False
    try:
        return any(map(_is_odd_value, values))
    except (RecursionError, EncodeError):
        return True


def _is_odd_value(value: object) -> bool:
    if isinstance(value, (dict, list, tuple)):
        return _is_odd(value)
    return isinstance(value, LongInt) or (
        isinstance(value, float)
        and (type(value) is not float or encode_float64(value) is not value)
    )


class _Level:
    """A list or dict that is being written."""

    __slots__ = ("closing", "key", "left", "separator")

    def __init__(
        self, container: dict[object, object] | list[object] | tuple[object, ...]
    ) -> None:
        self.separator = ""
        self.closing = "}" if isinstance(container, dict) else "]"
        self.left: Iterator[tuple[object, object]] = iter(
            container.items() if isinstance(container, dict) else enumerate(container)
        )
        self.key: object = None


def _pieces(value: object, *, only_utf8: bool = False) -> Iterator[str]:
    """Write in Python, without recursion: any depth, any number, and errors that tell the path.

    With `only_utf8`, strings that UTF-8 cannot hold are errors.
    """
    levels: list[_Level] = []
    while True:
        if isinstance(value, (dict, list, tuple)):
            if len(levels) >= MAX_DEPTH:
                raise EncodeError("", f"nested more than {MAX_DEPTH} levels deep")
            yield "{" if isinstance(value, dict) else "["
            levels.append(_Level(value))
        else:
            yield _scalar(value, levels, only_utf8)
        entry = None
        while levels and (entry := next(levels[-1].left, None)) is None:
            yield levels.pop().closing
        if entry is None:
            return
        level = levels[-1]
        level.key, value = entry
        yield level.separator
        level.separator = ","
        if level.closing == "}":
            yield _name(levels, only_utf8)


def _name(levels: list[_Level], only_utf8: bool) -> str:
    name = levels[-1].key
    if not isinstance(name, str):
        raise EncodeError(_path(levels[:-1]), f"the name {name!r} is not a string")
    return _text(name, levels, only_utf8) + ":"


def _text(value: object, levels: list[_Level], only_utf8: bool) -> str:
    try:
        return _escaped(json.dumps(value, ensure_ascii=False), only_utf8=only_utf8)
    except UnicodeEncodeError:
        problem = "a string that UTF-8 cannot hold: half of a surrogate pair"
        raise EncodeError(_path(levels), problem) from None


def _scalar(value: object, levels: list[_Level], only_utf8: bool) -> str:
    if isinstance(value, LongInt):
        return str(value)
    if value is None or isinstance(value, (str, int)):
        return _text(value, levels, only_utf8)
    try:
        return _special(value)
    except TypeError:
        raise EncodeError(
            _path(levels), f"JSON cannot hold a {type(value).__name__}"
        ) from None
    except EncodeError as error:
        raise EncodeError(_path(levels), error.problem) from None


def _path(levels: list[_Level]) -> str:
    steps = (
        f"[{level.key}]" if level.closing == "]" else f".{level.key}"
        for level in levels
    )
    return "".join(steps).removeprefix(".")


def _indented(text: str, indent: int) -> str:
    """Indent compact text: a line for each member and element, nothing inside of empty lists and objects."""
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
