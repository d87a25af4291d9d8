"""The printers of diagnostics: each formats them in one format, independent of their meaning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from apigen.diagnostics.model import Diagnostic

Printer = Callable[[Sequence[Diagnostic]], str]


def _text(diagnostics: Sequence[Diagnostic]) -> str:
    from apigen.diagnostics.printers.text import render

    return render(diagnostics)


def _json(diagnostics: Sequence[Diagnostic]) -> str:
    from apigen.diagnostics.printers.json import render

    return render(diagnostics)


def _github(diagnostics: Sequence[Diagnostic]) -> str:
    from apigen.diagnostics.printers.github import render

    return render(diagnostics)


def _sarif(diagnostics: Sequence[Diagnostic]) -> str:
    from apigen.diagnostics.printers.sarif import render

    return render(diagnostics)


PRINTERS: Mapping[str, Printer] = {"text": _text, "json": _json, "github": _github, "sarif": _sarif}
"""The printers by the values of `--format`; their modules are imported on first use."""

__all__ = ["PRINTERS", "Printer"]
