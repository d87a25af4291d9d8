"""Makes text from a spec safe to show: no control character, no change of direction, no endless word, no command to a CI system."""

from __future__ import annotations

import re

LONGEST_QUOTE = 60

_COMMAND = re.compile(r"^(\s*):(?=:)|#(?=#(?:\[|vso\[|teamcity\[))")


def visible(text: str) -> str:
    """The text with every character as an escape that is invisible, moves the cursor or turns the direction."""
    if text.isprintable():
        return text
    return "".join(_escaped(character) for character in text)


def inert(line: str) -> str:
    """A line that no CI system takes for a command to itself: `::error::` at its beginning, `##[error]` anywhere."""
    if "::" not in line and "##" not in line:  # every command has one of them
        return line
    return _COMMAND.sub(lambda found: "\\x23" if found[1] is None else f"{found[1]}\\x3a", line)


def quote(text: str) -> str:
    """A word of a spec as it is named in a message: in backticks, cropped when it is very long."""
    return f"`{text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + '…'}`"


def listing(words: tuple[str, ...], joined_by: str = "or") -> str:
    """Words in backticks as a phrase: `a`, `b` or `c`."""
    quoted = [quote(word) for word in words]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {joined_by} {quoted[-1]}"


def _escaped(character: str) -> str:
    if character.isprintable():
        return character
    number = ord(character)
    if number <= 0xFF:
        return {"\t": "\\t", "\n": "\\n", "\r": "\\r"}.get(character, f"\\x{number:02x}")
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
