"""`apigen verify`."""

from __future__ import annotations

import sys
from argparse import SUPPRESS, ArgumentParser, Namespace

from apigen.build.publishing import ProjectDrift, compare_project
from apigen.cli.checking import build_reviewed
from apigen.cli.exits import Exit
from apigen.cli.project_arguments import add_project, add_release, read_config
from apigen.cli.reporting import TEXT, add_format, print_diagnostics, report_errors
from apigen.cli.terminal import shown_progress, tell
from apigen.diagnostics import Diagnostic, Report
from apigen.diagnostics.quoting import counted

DESCRIPTION = """
Checks that the generated package and the lock files match the specs, byte for byte, and prints the
differences that `apigen generate` would make. Writes nothing, and does not use the cache.
"""

EXAMPLES = """
  apigen verify                        # in CI: exits with 1 if the output is outdated
  apigen verify --format github        # at the files of a pull request
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `verify`."""
    parser.add_argument("--no-cache", action="store_true", help=SUPPRESS)  # as for `generate`: `verify` never reads one
    add_format(parser)
    add_release(parser)
    add_project(parser)


def run(args: Namespace) -> int:
    """Run `apigen verify`."""
    report = Report()
    config = read_config(args, report)
    built = difference = None
    if config is not None:
        with shown_progress() as progress:
            built = build_reviewed(config, report, progress)
            if built is not None:
                progress("comparing")
                difference = compare_project(config, built, report)
    if built is None or difference is None:
        return report_errors(report.diagnostics, args.format, to_stdout=True)
    return _print(difference, report.diagnostics, args.format, len(built.files) + len(built.locks))


def _print(difference: ProjectDrift, warnings: tuple[Diagnostic, ...], form: str, count: int) -> int:
    if form == TEXT:
        report_errors(warnings, form)
    if form != TEXT:
        print_diagnostics((*difference.diagnostics, *warnings), form, sys.stdout)
    elif difference.diagnostics:
        sys.stdout.write(difference.unified)
        sys.stdout.flush()
        differ = len(difference.diagnostics)
        outdated = "1 file is" if differ == 1 else f"{differ} files are"
        print(f"{outdated} outdated: run `apigen generate` and commit the changes", file=sys.stderr)
    elif form == TEXT:
        tell(f"{counted(count, 'file')} checked: all are up to date")
    return Exit.FINDINGS if difference.diagnostics else Exit.GOOD
