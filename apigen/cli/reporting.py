"""Prints the diagnostics of a run, and says which exit code they make."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from typing import TextIO

from apigen.cli.exits import UNREADABLE_CODES, USAGE_CODES, Exit
from apigen.cli.terminal import has_color, tell
from apigen.diagnostics import Diagnostic, Severity
from apigen.diagnostics.printers import PRINTERS
from apigen.diagnostics.quoting import counted

TEXT = "text"


def add_format(parser: ArgumentParser) -> None:
    """Add `--format`."""
    parser.add_argument(
        "--format",
        choices=tuple(PRINTERS),
        default=TEXT,
        help="how diagnostics are printed: as text for people (default), json, github for the lines of a pull request,"
        " or sarif for code scanners",
    )


def print_diagnostics(diagnostics: Sequence[Diagnostic], form: str, stream: TextIO) -> None:
    """Print diagnostics, as text with a summary below. The formats for machines print an empty list, too."""
    if form != TEXT:
        stream.write(PRINTERS[form](diagnostics))
    elif diagnostics:
        from apigen.diagnostics.paint import Paint
        from apigen.diagnostics.printers.text import render, summary

        stream.write(render(diagnostics, Paint(on=has_color(stream))))
        tell(f"\n{summary(diagnostics)}; `apigen explain {diagnostics[0].code}` says more", stream)


def report_errors(diagnostics: Sequence[Diagnostic], form: str, *, to_stdout: bool = False) -> Exit:
    """Print what a command that is not about warnings has to say of them; returns the exit code.

    As text, that is the errors, and how many warnings there are, and goes to stderr. The formats for machines have all
    of them, and go to stdout where the command has nothing else to print.
    """
    if form != TEXT:
        print_diagnostics(diagnostics, form, sys.stdout if to_stdout else sys.stderr)
        return exit_of(diagnostics)
    errors = [d for d in diagnostics if d.severity is Severity.ERROR]
    print_diagnostics(errors, form, sys.stderr)
    count = len(diagnostics) - len(errors)
    if count:
        tell(f"{counted(count, 'warning')}: `apigen lint` shows them", sys.stderr)
    return exit_of(errors)


def exit_of(diagnostics: Iterable[Diagnostic], *, strict: bool = False) -> Exit:
    """The exit code of a run that ends with these diagnostics; `strict` counts warnings, too."""
    codes = {d.code for d in diagnostics if strict or d.severity is Severity.ERROR}
    if not codes:
        return Exit.GOOD
    if codes & UNREADABLE_CODES:
        return Exit.UNREADABLE
    if codes & USAGE_CODES:
        return Exit.USAGE
    return Exit.FINDINGS
