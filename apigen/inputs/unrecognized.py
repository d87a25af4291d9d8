"""Errors about inputs whose form is not recognized."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.files.regular_files import read_regular
from apigen.inputs.schemas.files import SUFFIXES, documents_of
from apigen.inputs.source import Setting, Source

_LFS = b"version https://git-lfs.github.com/spec/"


def report_no_form(argument: str, setting: Setting, forms: Iterable[Source], place: Place, report: Report) -> None:
    """Report a file or folder that none of these forms recognizes: AG1400, or the errors of its YAML or JSON."""
    try:
        is_of_lfs = read_regular(setting.folder / argument, len(_LFS)) == _LFS
    except OSError:
        is_of_lfs = False
    if is_of_lfs:
        message = f"{quote(argument)} is a Git LFS pointer instead of the file"
        report.error("AG1400", place, message, hint="fetch the file: git lfs pull")
        return
    forms = tuple(forms)
    rejected = next((each for each in (form.rejection(argument, setting) for form in forms) if each is not None), None)
    if rejected is not None:
        report.error("AG1400", place, f"{quote(argument)} is {rejected.is_}", hint=rejected.hint)
        return
    if _is_broken(argument, setting, report):
        return
    titles = ", nor ".join(form.title for form in forms)
    hint = "declare its form: " + " or ".join(f"{form.form}:{argument}" for form in forms)
    report.error("AG1400", place, f"{quote(argument)} cannot be compared: it is neither {titles}", hint=hint)


def _is_broken(argument: str, setting: Setting, report: Report) -> bool:
    """Return whether a file of YAML or JSON cannot be read, which is reported."""
    path = setting.folder / argument
    if path.suffix not in SUFFIXES or not path.is_file():
        return False
    before = report.error_count
    for _ in documents_of(((path, argument),), report):
        pass
    return report.error_count > before
