"""The error of the small grammars that live within a text: type expressions and paths."""

from __future__ import annotations


class TextError(ValueError):
    """A syntax error in a text at `offset`; `hint` is the fix."""

    def __init__(self, offset: int, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message
        self.hint = hint
