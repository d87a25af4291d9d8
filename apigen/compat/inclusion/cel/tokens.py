"""CEL expressions as tokens, so that white space and quotes make no difference."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""\s+|//[^\n]*
    |(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?P<unsigned>[uU]?)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<operator>&&|\|\||==|!=|<=|>=|[-+*/%<>!?:.,()\[\]{}])""",
    re.VERBOSE,
)
_SIMPLE_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", '"': '"', "'": "'"}
_PREFIXES = ("r", "R", "b", "B")
_LONGEST = 4_000

Token = str
"""Names, operators and numbers as they are; text in one form, with `"` before it."""


def tokens(text: str) -> tuple[Token, ...] | None:
    """The tokens of an expression; None where it has something that is not understood here."""
    if len(text) > _LONGEST or '"""' in text or "'''" in text:
        return None
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or (match["name"] in _PREFIXES and text.startswith(('"', "'"), match.end())):
            return None
        at = match.end()
        if match["text"] is not None:
            read = _unquoted(match["text"])
            if read is None:
                return None
            found.append(f'"{read}')
        elif match["number"] is not None:
            found.append(match["number"] + match["unsigned"])
        elif match["name"] or match["operator"]:
            found.append(match["name"] or match["operator"])
    return tuple(found)


def _unquoted(text: str) -> str | None:
    """What a quoted text says; None where an escape is not understood."""
    inner = text[1:-1]
    if any(match[1] not in _ESCAPES for match in _SIMPLE_ESCAPE.finditer(inner)):
        return None
    return _SIMPLE_ESCAPE.sub(lambda match: _ESCAPES[match[1]], inner)
