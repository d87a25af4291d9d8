"""The styles of strings in YAML: plain, quoted, or a block of lines. The rules are those of libyaml and go-yaml."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .json_exact import clean
from .yaml_scalars import is_plain_string

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
    if text.startswith(
        _BYTE_ORDER_MARK
    ):  # go-yaml then treats every character as a byte order mark
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
