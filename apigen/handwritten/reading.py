"""Reads hand-written modules with LibCST; nothing in them is executed."""

from __future__ import annotations

from pathlib import Path

import libcst as cst

from apigen.diagnostics import Place, Report


def parsed(path: Path, shown: str, report: Report) -> cst.Module | None:
    """The module; None, with AG0803 in the file that is `shown`, where Python cannot read it."""
    try:
        return cst.parse_module(path.read_text(encoding="utf-8"))
    except (cst.ParserSyntaxError, UnicodeDecodeError, OSError, RecursionError) as error:
        line = getattr(error, "raw_line", 0)
        report.error("AG0803", Place(shown, line, 1 if line else 0), f"this is no Python: {_first_line(error)}")
        return None


def _first_line(error: Exception) -> str:
    return str(getattr(error, "message", error)).splitlines()[0]
