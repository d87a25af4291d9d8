"""Print the diagnostics of a run, and determine the exit code."""

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
        help="the format of diagnostics: text (default), json, github for annotations of a pull request, or sarif for code"
        " scanners",
    )


def print_diagnostics(diagnostics: Sequence[Diagnostic], form: str, stream: TextIO) -> None:
    """Print diagnostics, as text with a summary below. The formats for machines print an empty list, too."""
    if form != TEXT:
        stream.write(PRINTERS[form](diagnostics))
    elif diagnostics:
        from apigen.diagnostics.paint import Paint
        from apigen.diagnostics.printers.text import render, summary

        stream.write(render(diagnostics, Paint(on=has_color(stream))))
        tell(f"\n{summary(diagnostics)}; for details, run `apigen explain {diagnostics[0].code}`", stream)


def report_errors(diagnostics: Sequence[Diagnostic], form: str, *, to_stdout: bool = False) -> Exit:
    """Print the diagnostics of a command whose subject is not warnings; return the exit code.

    As text, these are the errors and the number of warnings, on stderr. Formats for machines have all
    of them, on stdout if the command has no other output.
    """
    if form != TEXT:
        print_diagnostics(diagnostics, form, sys.stdout if to_stdout else sys.stderr)
        return exit_of(diagnostics)
    errors = [d for d in diagnostics if d.severity is Severity.ERROR]
    print_diagnostics(errors, form, sys.stderr)
    count = len(diagnostics) - len(errors)
    if count:
        tell(f"{counted(count, 'warning')}; `apigen lint` prints them", sys.stderr)
    return exit_of(errors)


def usage_error(command: str, problem: str) -> Exit:
    """Print why the arguments of a command cannot be used; return the exit code."""
    print(f"apigen {command}: {problem}", file=sys.stderr)
    return Exit.USAGE


def exit_of(diagnostics: Iterable[Diagnostic], *, strict: bool = False) -> Exit:
    """Return the exit code of a run with these diagnostics; with `strict`, warnings count as errors."""
    codes = {d.code for d in diagnostics if strict or d.severity is Severity.ERROR}
    if not codes:
        return Exit.GOOD
    if codes & UNREADABLE_CODES:
        return Exit.UNREADABLE
    if codes & USAGE_CODES:
        return Exit.USAGE
    return Exit.FINDINGS
