"""Colors for text on a terminal."""

from __future__ import annotations

from collections.abc import Mapping

_CODES: Mapping[str, str] = {
    "error": "1;31",
    "unverified": "1;35",
    "warning": "1;33",
    "info": "1;36",
    "silent": "2",
    "good": "1;32",
    "bold": "1",
    "faint": "2",
    "old": "31",
    "new": "32",
}


class Paint:
    """Puts text into a color; a paint that is off returns it unchanged. Text must be visible already."""

    def __init__(self, *, on: bool) -> None:
        self._on = on

    def __call__(self, style: str, text: str) -> str:
        """Return the text in a style: the word of a severity, `bold`, `faint`, `old`, `new`, `good`."""
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self._on and text else text


PLAIN = Paint(on=False)
"""No colors."""
