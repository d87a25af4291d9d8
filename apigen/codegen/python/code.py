"""Writes Python source: lines, blocks, and the only ways in which text of a spec may reach them.

Lines are logical lines of any length; `apigen.codegen.formatting` splits them.
"""

from __future__ import annotations

import ast
import math
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext

INDENT = "    "

LINE_LENGTH = 88
"""The line length of generated code."""


class Code:
    """Lines of a module, written block by block."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._depth = 0

    def line(self, text: str = "") -> None:
        """Add one logical line at the present depth; without text, an empty one."""
        self._lines.append(f"{INDENT * self._depth}{text}" if text else "")

    def lines(self, texts: Iterable[str]) -> None:
        """Add several lines."""
        for text in texts:
            self.line(text)

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        """Add `header` (which ends in a colon) and indent the lines added in the block."""
        self.line(header)
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def when(self, tests: Sequence[str]) -> AbstractContextManager[None]:
        """Indent the lines added in the block below an `if` of all tests, each once; without tests, do not indent them."""
        return self.block(f"if {' and '.join(dict.fromkeys(tests))}:") if tests else nullcontext()

    def docstring(self, text: str) -> None:
        """Add a docstring; several lines keep their breaks."""
        first, *rest = docstring_lines(text)
        if not rest:
            self.line(f'"""{first}"""')
            return
        self.line(f'"""{first}')
        for line in rest:
            self.line(line)
        self.line('"""')

    def extend(self, other: Code) -> None:
        """Add the lines of `other`, below the present depth."""
        self.lines(line for line in other._lines)

    @property
    def is_empty(self) -> bool:
        """Return whether nothing was written."""
        return not self._lines

    def text(self) -> str:
        """All lines, each ended."""
        return "".join(f"{line}\n" for line in self._lines)


def docstring_lines(text: str) -> list[str]:
    """The lines of a docstring: no text of a spec can end it, escape from it, or hide in it.

    Backslashes and quotes are escaped, control, bidi and other invisible characters are shown as `\\uXXXX`.
    """
    text = text.strip().replace("\r\n", "\n").replace("\r", "\n")
    is_plain = "\\" not in text and text.replace("\n", "").isprintable()
    escaped = text if is_plain else "".join(_doc_character(c) for c in text)
    lines = [line.rstrip() for line in escaped.split("\n")] or [""]
    lines = [line.replace('"""', '\\"\\"\\"') for line in lines]
    if lines[0].startswith('"'):
        lines[0] = f"\\{lines[0]}"
    if len(lines) == 1 and lines[0].endswith('\\"'):
        lines[0] = _without_last_quote(lines[0])  # behind a backslash, Black puts a space and ruff does not
    elif len(lines) == 1 and lines[0].endswith('"'):
        lines[0] += " "  # formatters keep the text away from the closing quotes
    return lines


def _without_last_quote(line: str) -> str:
    before = line[:-1]
    backslashes = len(before) - len(before.rstrip("\\"))
    return f"{before[:-1] if backslashes % 2 else before}\\x22"


def _doc_character(character: str) -> str:
    if character == "\\":
        return "\\\\"
    if character == "\n" or character.isprintable():
        return character
    return _escape(character)


def text_literal(text: str) -> str:
    """A Python string literal of `text`, quoted as Black does (with fewest backslashes).

    Everything invisible is escaped, and so are marks and symbols whose width is not the same everywhere.
    """
    if '"' not in text and "\\" not in text and text.isascii() and text.isprintable():
        return f'"{text}"'
    quote = "'" if text.count('"') > text.count("'") else '"'
    body = []
    for character in text:
        if character == "\\" or character == quote:
            body.append(f"\\{character}")
        elif character.isprintable() and not _is_of_doubtful_width(character):
            body.append(character)
        else:
            body.append({"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character) or _escape(character))
    return f"{quote}{''.join(body)}{quote}"


def _is_of_doubtful_width(character: str) -> bool:
    """Marks and symbols on which releases of Unicode, and of Black, disagree how many columns they take."""
    return character >= "\u0300" and unicodedata.category(character) in ("Mn", "Mc", "Me", "No", "Sk", "So")


def bytes_literal(data: bytes) -> str:
    """A Python bytes literal, quoted as Black does."""
    quote = "'" if data.count(b'"') > data.count(b"'") else '"'
    body = []
    for byte in data:
        character = chr(byte)
        if character in ("\\", quote):
            body.append(f"\\{character}")
        elif 32 <= byte < 127:
            body.append(character)
        else:
            body.append(f"\\x{byte:02x}")
    return f"b{quote}{''.join(body)}{quote}"


def literal(value: None | bool | int | float | str | bytes) -> str:
    """A Python expression of a plain value."""
    match value:
        case None | bool() | int():
            return repr(value)
        case float():
            return repr(value) if math.isfinite(value) else f'float("{value}")'
        case str():
            return text_literal(value)
        case bytes():
            return bytes_literal(value)


def alternative(expression: str) -> str:
    """An expression as the part after `else`: in parentheses if it is conditional itself, on which formatters agree."""
    is_conditional = " else " in expression and isinstance(ast.parse(expression, mode="eval").body, ast.IfExp)
    return f"({expression})" if is_conditional else expression


def pair(name: str, expression: str, indent: int) -> str:
    """Return `name: expression` as an item that is on a line of its own, indented by `indent`, if the display is split.

    Conditional expressions and unions that do not fit on that line get parentheses: ruff would split them without, Black
    adds them, and both keep them.
    """
    line = f"{name}: {expression}"
    is_split = indent + len(line) + len(",") > LINE_LENGTH
    return f"{name}: ({expression})" if is_split and _is_operation(expression) else line


def header_without_parameters(name: str, result: str) -> str:
    """The header of a function without parameters.

    ruff and Black split the subscript of a result in different ways. So a result that only fits on the next line is a
    string, and a header with a longer one is not split.
    """
    header, text = f"def {name}() -> {result}:", text_literal(result)
    if len(header) <= LINE_LENGTH:
        return header
    fits_on_next_line = len(INDENT) + len(text) <= LINE_LENGTH
    return f"def {name}() -> {text}:" if fits_on_next_line else f"{header}  # fmt: skip"


def _is_operation(expression: str) -> bool:
    return isinstance(ast.parse(expression, mode="eval").body, ast.IfExp | ast.BinOp)


def comment(text: str) -> str:
    """One comment line; line breaks and invisible characters cannot end it."""
    return f"# {''.join(c if c.isprintable() else _escape(c) for c in text)}"


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
