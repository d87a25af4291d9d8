"""Says of what stands there that it is nothing to compare, and what it seems to be."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from apigen.compat.sources.source import Setting, Source
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.regular_files import read_regular

_LFS = b"version https://git-lfs.github.com/spec/"


def report_no_form(said: str, setting: Setting, forms: Iterable[Source], place: Place, report: Report) -> None:
    """AG1400 for a file or folder that none of these forms takes for its own."""
    if _is_of_lfs(setting.folder / said):
        message = f"{quote(said)} is a pointer of Git LFS, and not the file that it stands for"
        report.error("AG1400", place, message, hint="bring the file: git lfs pull")
        return
    forms = tuple(forms)
    refused = next((each for each in (form.refusal(said, setting) for form in forms) if each is not None), None)
    if refused is not None:
        report.error("AG1400", place, f"{quote(said)} is {refused.is_}", hint=refused.hint)
        return
    titles = " and no ".join(form.title.partition(" ")[2] for form in forms)
    hint = "say what it is meant to be: " + " or ".join(f"{form.form}:{said}" for form in forms)
    report.error("AG1400", place, f"{quote(said)} is nothing that can be compared: no {titles}", hint=hint)


def _is_of_lfs(path: Path) -> bool:
    """Whether a file holds nothing but where Git LFS keeps it."""
    try:
        return read_regular(path, len(_LFS)) == _LFS
    except OSError:
        return False
