"""`apigen release`."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, Namespace

from apigen.build.built import Changes
from apigen.cli.checking import record_reviewed
from apigen.cli.commands.generate import bring_up_to_date, print_changes
from apigen.cli.profile import Profile
from apigen.cli.project_arguments import add_project, cache_of, read_config
from apigen.cli.reporting import TEXT, add_format, report_errors, usage_error
from apigen.cli.terminal import shown_progress
from apigen.diagnostics import Report
from apigen.language.configuration import release_problem
from apigen.language.releases import RELEASE_PATTERN, parse_release

DESCRIPTION = """
Records a release: writes a file to the folder `history` of each group that changed since its last
record, with the whole group first, later with its changes. Commit the records with the specs.

From then on, `apigen lint` and `apigen generate` compare the specs with the records: names and
numbers are never reused, and incompatible changes are rejected. A record is never edited; forgotten
changes belong to the next release.

Afterwards the output is generated for the next release, as by `apigen generate`. If that fails, the
records are kept: fix the errors, then run `apigen generate`.
"""

EXAMPLES = """
  apigen release 1.13                                # everything that has changed
  apigen release 1.13 --group apps --group batch     # only these groups
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `release`."""
    parser.add_argument("shipped", metavar="VERSION", help="the release to record, such as 1.13")
    parser.add_argument(
        "--group",
        metavar="FOLDER",
        action="append",
        help="record this group only, by the name of its folder; may be given several times",
    )
    add_format(parser)
    add_project(parser)


def run(args: Namespace) -> int:
    """Run `apigen release`."""
    if not re.fullmatch(RELEASE_PATTERN, args.shipped):
        return usage_error("release", release_problem(args.shipped))
    report = Report()
    args.release = args.shipped
    config = read_config(args, report)
    recorded = None
    if config is not None:
        recorded = record_reviewed(config, parse_release(args.shipped), args.group, report)
    if recorded is None:
        return report_errors(report.diagnostics, args.format, to_stdout=True)
    lines = [f"recorded  {record.file.display_path}" for record in recorded]
    lines = lines or ["no changes since the last record"]
    exit_code, written = _generated(args, report, lines)
    if written is not None and args.format == TEXT and written.differs:
        print_changes(written)
    return exit_code


def _generated(args: Namespace, report: Report, lines: list[str]) -> tuple[int, Changes | None]:
    """Generate the output for the new records, and print the records and the diagnostics.

    The recorded release is no longer the next one, so the configuration is read without it. If this fails, the
    records are kept: run `generate` again.
    """
    args.release, args.no_cache = None, False
    own_report = Report()
    config = read_config(args, own_report)
    written = None
    if config is not None:
        with shown_progress() as show:
            written = bring_up_to_date(config, cache_of(args, config), own_report, Profile(show))
    known = set(report.diagnostics)
    diagnostics = (*report.diagnostics, *(each for each in own_report.diagnostics if each not in known))
    exit_code = report_errors(diagnostics, args.format, to_stdout=True)
    if args.format == TEXT:
        print(*lines, sep="\n")
    if written is None:
        message = f"release {args.shipped} is recorded, but the output is not up to date: fix the errors, then run"
        print(f"apigen release: {message} `apigen generate`", file=sys.stderr)
    return exit_code, written
