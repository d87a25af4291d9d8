"""Text in lines of YAML: plain, quoted, and behind a bar. Whatever is out of the ordinary is an `OddError`.

Each function gives what is said, and the number of the line behind it. `column` is that of the key or dash in front of the text:
what belongs to it is indented more. The rules are those of YAML 1.2, sections 7.3 and 8.1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_ESCAPES: Mapping[str, str] = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "/": "/", " ": " ", "r": "\r"}
_MARGIN = re.compile(" *")
DOUBLE_QUOTED = r'"(?:[^"\\]|\\[nt"\\/ r])*"'
"""Text in double quotes with the escapes that generators write, as a pattern."""


class OddError(Exception):
    """It is not in the form that is read here; it may be right or wrong."""


def folded(text: str, lines: list[str], at: int, column: int) -> tuple[str, int]:
    """Plain text that begins in a line: the lines of it are joined by spaces, empty ones are line breaks."""
    check_plain(text)
    at += 1
    count = len(lines)
    if at == count:
        return text, at
    below = lines[at]
    if below and below[: column + 1].strip(
        " "
    ):  # most text is one line, and this says that the next begins something else
        return text, at
    parts, blank = [text], 0
    ended = at
    while at < count:
        line = lines[at].strip(" ")
        if not line:
            blank += 1
        elif _column(lines[at]) <= column:
            break
        else:
            _check_line(line)
            if line[0] == "#":
                raise OddError
            parts.append("\n" * blank if blank else " ")
            parts.append(line)
            blank, ended = 0, at + 1
        at += 1
    return "".join(parts), ended if len(parts) == 1 else at - blank


def check_plain(text: str) -> None:
    """See to it that a line is all of plain text, or how it begins. Raises OddError."""
    _check_line(text)
    if text[0] == "-" and text[1:2] in ("", " "):
        raise OddError


def _check_line(text: str) -> None:
    if ": " in text or " #" in text or "\t" in text or text[-1] in ": ":
        raise OddError


def _column(line: str) -> int:
    found = _MARGIN.match(line)
    return 0 if found is None else found.end()


def single_quoted(text: str, lines: list[str], at: int, column: int) -> tuple[str, int]:
    """Text in single quotes, of which two stand for one."""
    whole, at = _quoted(text, lines, at, column, _is_end_of_single)
    inner = whole[1:-1].replace("''", "\0")
    if "'" in inner:
        raise OddError
    return inner.replace("\0", "'"), at


def double_quoted(text: str, lines: list[str], at: int, column: int) -> tuple[str, int]:
    """Text in double quotes, with the escapes that generators write."""
    whole, at = _quoted(text, lines, at, column, _is_end_of_double)
    if "\\" not in whole and whole.count('"') == 2:
        return whole[1:-1], at
    if not re.fullmatch(DOUBLE_QUOTED, whole):
        raise OddError
    return re.sub(r"\\(.)", lambda match: _ESCAPES[match[1]], whole[1:-1]), at


def _quoted(text: str, lines: list[str], at: int, column: int, is_end: Callable[[list[str]], bool]) -> tuple[str, int]:
    """The text with its quotes, lines joined as those of plain text are; what stands between is for the caller to judge.

    A backslash at the end of a line joins it to the next one with nothing between, where there are backslashes at all.
    """
    at += 1
    parts = [text]
    blank = 0
    while not is_end(parts):
        if at == len(lines):
            raise OddError
        line = lines[at].strip(" ")
        if not line:
            blank += 1
        elif _column(lines[at]) <= column:
            raise OddError
        else:
            parts += [_joined(parts, blank), line]
            blank = 0
        at += 1
    whole = "".join(parts)
    if "\t" in whole or "\0" in whole:
        raise OddError
    return whole, at


def _joined(parts: list[str], blank: int) -> str:
    """What stands between the last line and the next one."""
    last = parts[-1]
    if parts[0][0] == '"' and last.endswith("\\"):
        if blank or not (len(last) - len(last.rstrip("\\"))) % 2:
            raise OddError
        parts[-1] = last[:-1]
        return ""
    parts[-1] = last.rstrip(" ")
    if parts[-1].endswith("\\"):
        raise OddError
    return "\n" * blank if blank else " "


def _is_end_of_single(parts: list[str]) -> bool:
    """Whether the last line ends with the quote that closes: the number of quotes is even then, as two stand for one."""
    return parts[-1].endswith("'") and sum(part.count("'") for part in parts) % 2 == 0


def _is_end_of_double(parts: list[str]) -> bool:
    """Whether the last line ends with a quote that no backslash escapes."""
    before = parts[-1][:-1]
    is_quote = parts[-1].endswith('"') and (len(parts) > 1 or len(parts[0]) > 1)
    return is_quote and not (len(before) - len(before.rstrip("\\"))) % 2


def literal(lines: list[str], at: int, column: int, mark: str) -> tuple[str, int]:
    """Text behind a bar: its lines as they are, but for the indentation of the first one.

    At the end, `|` keeps one line break, `|-` none, and `|+` all.
    """
    count = len(lines)
    start = at
    while at < count and not lines[at]:
        at += 1
    indent = _column(lines[at]) if at < count else 0
    if indent <= column or lines[at][indent:][:1] in ("", "\t"):
        raise OddError
    margin = " " * indent
    said = [""] * (at - start)
    while at < count:
        line = lines[at]
        if line.startswith(margin):
            if len(line) == indent or line.isspace():
                raise OddError
            said.append(line[indent:])
        elif line.strip(" "):
            break
        else:
            said.append("")
        at += 1
    filled = len(said)
    while not said[filled - 1]:
        filled -= 1
    breaks = {"|": 1, "|-": 0, "|+": len(said) - filled + 1}[mark]
    return "\n".join(said[:filled]) + "\n" * breaks, at
