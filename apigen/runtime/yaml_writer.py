"""Trees to YAML text, byte for byte as Kubernetes' library (`sigs.k8s.io/yaml`) writes them.

Block style, keys sorted (numbers in them by value), list items not indented below their key, spaces past column 80
become line ends. If that library would lose data, this writes a form that is read back unchanged: `"<<"` and DEL are
quoted, and so is U+0085.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cmp_to_key

from .errors import ApiError, EncodeError
from .json_numbers import JsonNumber, float64_text, yaml_float_text
from .json_reader import clean, parse_json
from .json_source import JsonText, RawFloat
from .yaml_reader import is_plain_string, plain_value

_LETTERS = re.compile("[A-Za-z]*")
_LINE_BREAK = re.compile("[\n\r\x85\u2028\u2029]")
_MAX_SIMPLE_KEY = 128


def is_simple_key(key: str) -> bool:
    """Return whether the key is written before its colon, without a question mark."""
    return len(
        key.encode("utf-8", "replace")
    ) <= _MAX_SIMPLE_KEY and not _LINE_BREAK.search(key)


def sorted_keys(keys: Iterable[object]) -> list[str]:
    """Return the keys in the order of Go's YAML library: letters after all else, numbers in them by their value.

    Raises EncodeError for a key that is not a string.
    """
    names: list[str] = []
    for key in keys:
        if not isinstance(key, str):
            raise EncodeError("", f"the name {key!r} is not a string")
        names.append(key)
    names.sort()
    if not all(map(_LETTERS.fullmatch, names)):
        # Go's order is cyclic for some keys (1:30, 01, 0x1), and depends on their original order.
        names.sort(key=cmp_to_key(_compare))
    return names


def _compare(a: str, b: str) -> int:
    at = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), None)
    if at is None:
        return len(a) - len(b)
    x, y = a[at], b[at]
    if x.isalpha() or y.isalpha():
        return (
            ord(x) - ord(y)
            if x.isalpha() and y.isalpha()
            else (1 if x.isalpha() else -1)
        )
    one = 1 if (x == "0" or y == "0") and _follows_number(a, at) else 0
    m, end_m = _integer(a, at, one)
    n, end_n = _integer(b, at, one)
    if m != n:
        return m - n
    return end_m - end_n or ord(x) - ord(y)


def _follows_number(text: str, at: int) -> bool:
    """Return whether the digits right before are a number other than zero, so that a zero here counts."""
    while at > 0 and text[at - 1].isdecimal():
        at -= 1
        if text[at] != "0":
            return True
    return False


def _integer(text: str, start: int, value: int) -> tuple[int, int]:
    """Return the number of the digits from `start`, after `value`, modulo 2**64 as in Go; and their end."""
    end = start
    while end < len(text) and text[end].isdecimal():
        value = (value * 10 + ord(text[end]) - ord("0")) % 2**64
        end += 1
    return (value + 2**63) % 2**64 - 2**63, end


_WIDTH = 80
LINE_BREAKS = "\n\u2028\u2029"
"""The characters that end a line in a block scalar or in single quotes."""
_ORDINARY = re.compile("[A-Za-z][A-Za-z0-9_./-]*")
_LONGEST_WORD = 5  # of those with another meaning in YAML 1.1, such as false
_SPECIAL = re.compile(  # excluded characters, because `re` takes ten times as long to compile the included ones
    "[\0-\t\v-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffe\uffff\U00010000-\U0010ffff]"
)
_NEVER_BARE = LINE_BREAKS + '"\\'
_BREAK_AND_SPACE = re.compile(f"[{LINE_BREAKS}] ")
_SPACE_AND_BREAK = re.compile(f" [{LINE_BREAKS}]")
_NOT_PLAIN = re.compile(
    rf"[#,\[\]{{}}&*!|>'\"%@` ]|[?-](?: |\Z)|---|\.\.\.|.*(?::(?: |\Z)| #| \Z|[{LINE_BREAKS}])"
)
_LINE = re.compile(f"(\\A|[{LINE_BREAKS}])(?=[^{LINE_BREAKS}])")
_ESCAPES = {
    "\0": "\\0",
    "\a": "\\a",
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\v": "\\v",
    "\f": "\\f",
    "\r": "\\r",
    "\x1b": "\\e",
    '"': '\\"',
    "\\": "\\\\",
    "\x85": "\\N",
    "\xa0": "\\_",
    "\u2028": "\\L",
    "\u2029": "\\P",
}
_MERGE_KEY = "<<"
_BYTE_ORDER_MARK = "\ufeff"


def string_text(text: str, indent: int, column: int | None) -> str:
    """Return the string in YAML, for a place with `column` characters before it in its line.

    Further lines are indented by `indent` spaces. Without `column`, the result is one line: a key before its colon.
    """
    if len(text) > _LONGEST_WORD and _ORDINARY.fullmatch(text):
        return text
    text = clean(text)
    inexpressible = _SPECIAL.search(text) or _SPACE_AND_BREAK.search(text)
    if "\n" in text and not inexpressible and text[-1] != " ":
        return _literal(text, " " * indent)
    if (
        inexpressible
        or "\n" in text
        or _BREAK_AND_SPACE.search(text)
        or not is_plain_string(text)
        or (text == _MERGE_KEY and column is None)
    ):
        return _wrapped('"', _escaped(text), indent, column)
    if _NOT_PLAIN.match(text):
        return _wrapped("'", text.replace("'", "''"), indent, column)
    return _wrapped("", text, indent, column)


def _literal(text: str, margin: str) -> str:
    indent_hint = "2" if text[0] in " " + LINE_BREAKS else ""
    if text[-1] not in LINE_BREAKS:
        chomping = "-"
    else:
        chomping = "+" if len(text) == 1 or text[-2] in LINE_BREAKS else ""
    return f"|{indent_hint}{chomping}\n" + _LINE.sub(r"\1" + margin, text)


def _wrapped(quote: str, units: Sequence[str], indent: int, column: int | None) -> str:
    """Join the encoded characters. A space past column 80 becomes the end of a line.

    Line breaks of Unicode, which only single quotes keep, start a line, too.
    """
    joined = "".join(units)
    if column is None or (column + len(joined) <= _WIDTH and quote != "'"):
        return quote + joined + quote
    margin = " " * indent
    pieces = [quote]
    column += len(quote)
    previous = ""
    for at, unit in enumerate(units):
        if previous and previous in LINE_BREAKS and unit not in LINE_BREAKS:
            pieces.append(margin)
            column = indent
        if (
            unit == " "
            and column > _WIDTH
            and previous not in ("", " ")
            and _may_end_line(quote, units, at)
        ):
            two = units[at + 1] == " "
            unit = "\n" + margin + ("\\" if two else "")
            column = indent + two
        else:
            column = 0 if unit in LINE_BREAKS else column + len(unit)
        pieces.append(unit)
        previous = units[at]
    return "".join(pieces) + quote


def _may_end_line(quote: str, units: Sequence[str], at: int) -> bool:
    """Return whether the space at this index is not lost at the end of a line."""
    return at + 1 < len(units) and (quote == '"' or units[at + 1] != " ")


def _escaped(text: str) -> list[str]:
    if text.startswith(_BYTE_ORDER_MARK):
        # go-yaml then treats every character as a byte order mark
        return [_escape(char) for char in text]
    return [
        _escape(char) if char in _NEVER_BARE or _SPECIAL.match(char) else char
        for char in text
    ]


def _escape(char: str) -> str:
    short = _ESCAPES.get(char)
    if short is not None:
        return short
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"


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
