"""The printers of diagnostics: each turns them into the text of one format and knows nothing of what they mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from apigen.diagnostics.model import Diagnostic
from apigen.diagnostics.printers import github, json, sarif, text

Printer = Callable[[Sequence[Diagnostic]], str]

PRINTERS: Mapping[str, Printer] = {
    "text": text.render,
    "json": json.render,
    "github": github.render,
    "sarif": sarif.render,
}
"""The printers by what `--format` calls them."""

__all__ = ["PRINTERS", "Printer"]
