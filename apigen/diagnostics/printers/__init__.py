"""The printers of diagnostics: each formats them in one format, independent of their meaning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

from apigen.diagnostics.model import Diagnostic

Printer = Callable[[Sequence[Diagnostic]], str]


def _printer(form: str) -> Printer:
    def render(diagnostics: Sequence[Diagnostic]) -> str:
        rendered: str = import_module(f"{__name__}.{form}").render(diagnostics)
        return rendered

    return render


PRINTERS: Mapping[str, Printer] = {form: _printer(form) for form in ("text", "json", "github", "sarif")}
"""The printers by the values of `--format`; their modules are imported on first use."""

__all__ = ["PRINTERS", "Printer"]
