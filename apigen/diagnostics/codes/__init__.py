"""The explanations of all codes. They are Markdown files next to this module, one per area, and are read on first use.

Each code is a section of its own: `## AG0000: title`, the explanation, and an example in a fence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from apigen.dataclass import dataclass

_HEADING = re.compile(r"^## ", re.MULTILINE)
_SECTION = re.compile(
    r"(?P<code>AG\d{4}): (?P<title>\S[^\n]*)\n\n(?P<explanation>\S.*?)\n\n```text\n(?P<example>.+?)\n```\n+", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class CodeInfo:
    """The documentation of a code: its title, its explanation, and an example of the problem or of its fix."""

    code: str
    title: str
    explanation: str
    example: str


@cache
def code_infos() -> Mapping[str, CodeInfo]:
    """Read the documentation of all codes, by code, in the order of the codes.

    Raises ValueError if a file does not have the form of this module's docstring, or if a code has two sections.
    """
    infos: dict[str, CodeInfo] = {}
    for path in Path(__file__).parent.glob("*.md"):
        for info in parse_codes(path.read_text(encoding="utf-8"), path.name):
            if info.code in infos:
                raise ValueError(f"{path.name}: {info.code} has a second section")
            infos[info.code] = info
    return {code: infos[code] for code in sorted(infos)}


def parse_codes(text: str, file: str) -> Iterator[CodeInfo]:
    """Parse the sections of one file. Raises ValueError with `file` and the line of the first section of another form."""
    for heading in _HEADING.finditer(text):
        following = _HEADING.search(text, heading.end())
        section = _SECTION.fullmatch(text, heading.end(), following.start() if following else len(text))
        if section is None:
            line = text.count("\n", 0, heading.start()) + 1
            raise ValueError(
                f"{file}:{line}: a section must be `## AG0000: title`, an explanation, and an example in a ```text fence"
            )
        yield CodeInfo(*section.groups())


def code_info(code: str) -> CodeInfo | None:
    """Return the documentation of a code in upper or lower case; None if there is no such code."""
    return code_infos().get(code.upper())


def explanation(code: str) -> str | None:
    """Return the text that `apigen explain CODE` prints; None if there is no such code."""
    info = code_info(code)
    if info is None:
        return None
    example = "\n".join(f"    {line}".rstrip() for line in info.example.splitlines())
    return f"{info.code}: {info.title}\n\n{info.explanation}\n\nExample:\n\n{example}\n"
