"""What is told about a code of a diagnostic."""

from __future__ import annotations

from apigen.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class CodeInfo:
    """A code's title, the long story of `apigen explain`, and an example that gives it, with how to mend it."""

    code: str
    title: str
    explanation: str
    example: str
