"""Text from an input, made safe to show: one escaper per output format, and the phrases in which messages name and
count things.
"""

from __future__ import annotations

import re

LONGEST_QUOTE = 60

_COMMAND = re.compile(r"^(\s*):(?=:)|#(?=#(?:\[|vso\[|teamcity\[))")
_SARIF_LINK = re.compile(r"([\\\[\]])")
_YAML_NAME = re.compile(r"(?!(?:null|true|false|y|n|yes|no|on|off)$)[A-Za-z_][\w-]*", re.ASCII | re.IGNORECASE)
"""Names that no version of YAML reads as another value."""


def visible(text: str) -> str:
    """The text with every character as an escape that is invisible, moves the cursor or turns the direction."""
    if text.isprintable():
        return text
    return "".join(_escaped(character) for character in text)


def inert(line: str) -> str:
    """Return a line without commands for CI systems: `::error::` at its start, or `##[error]` anywhere."""
    if "::" not in line and "##" not in line:  # every command has one of them
        return line
    return _COMMAND.sub(lambda found: "\\x23" if found[1] is None else f"{found[1]}\\x3a", line)


def github_text(text: str) -> str:
    """Text as the message of a workflow command. (GitHub Actions, "Workflow commands")"""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def github_property(text: str) -> str:
    """Text as the value of a property of a workflow command."""
    return github_text(text).replace(":", "%3A").replace(",", "%2C")


def sarif_text(text: str) -> str:
    """Return lines as a SARIF message, in which brackets are links and braces are arguments. (SARIF 2.1.0, §3.11)"""
    lines = "\n".join(visible(line) for line in text.splitlines())
    return _SARIF_LINK.sub(r"\\\1", lines).replace("{", "{{").replace("}", "}}")


def xml_text(text: str) -> str:
    """Text as the content of an XML element. The line breaks in it stay."""
    lines = "\n".join(visible(line) for line in text.split("\n"))
    return lines.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def xml_attribute(text: str) -> str:
    """Text as the value of an XML attribute, without the quotes around it."""
    return xml_text(visible(text)).replace('"', "&quot;").replace("'", "&#39;")


def yaml_quoted(text: str) -> str:
    """Return text as a scalar of YAML in double quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{visible(escaped)}"'


def yaml_text(text: str) -> str:
    """Return text as a scalar that is text to every reader of YAML: in quotes, unless it is a plain name."""
    return text if _YAML_NAME.fullmatch(text) else yaml_quoted(text)


def quote(text: str) -> str:
    """Return a word of a spec for messages: in backticks, shortened if it is very long."""
    return f"`{text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + '…'}`"


def listing(words: tuple[str, ...], joined_by: str = "or") -> str:
    """Words in backticks as a phrase: `a`, `b` or `c`."""
    quoted = [quote(word) for word in words]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {joined_by} {quoted[-1]}"


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 error`, `2 errors`. The plural of the noun has an `s` unless it is given."""
    return f"{count} {noun if count == 1 else plural or f'{noun}s'}"


def _escaped(character: str) -> str:
    if character.isprintable():
        return character
    number = ord(character)
    if number <= 0xFF:
        return {"\t": "\\t", "\n": "\\n", "\r": "\\r"}.get(character, f"\\x{number:02x}")
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
