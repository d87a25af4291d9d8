"""`apigen release`."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, Namespace

from apigen.cli.exits import Exit
from apigen.cli.project_arguments import add_project, read_config
from apigen.cli.reporting import TEXT, add_format, report_errors
from apigen.config.load import RELEASE
from apigen.diagnostics import Report

DESCRIPTION = """
Records what is being shipped: a file in the folder `history` of each group that has changed since its last record, with
all of it the first time and with the changes from then on. Commit the records together with the specs.

From then on `apigen lint` and `apigen generate` compare the specs with what was shipped: names and numbers never return,
and steps that would hurt are refused. A record is never edited; what was forgotten is part of the next release.
"""

EXAMPLES = """
  apigen release 1.13                                # everything that has changed
  apigen release 1.13 --group apps --group batch     # these groups, on a branch of their own
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `release`."""
    parser.add_argument("shipped", metavar="VERSION", help="the release that is being shipped, such as 1.13")
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
    if not re.fullmatch(RELEASE, args.shipped):
        print(f"apigen release: a release is written like 1.13, not {args.shipped}", file=sys.stderr)
        return Exit.USAGE
    from apigen.ir.lifecycle import parse_release
    from apigen.project.releasing import record_release

    report = Report()
    args.release = args.shipped
    config = read_config(args, report)
    recorded = None
    if config is not None:
        recorded = record_release(config, parse_release(args.shipped), args.group, report)
    exit_code = report_errors(report.diagnostics, args.format, to_stdout=True)
    if recorded is not None and args.format == TEXT:
        for record in recorded.records:
            print(f"recorded  {record.file.shown}")
        if not recorded.records:
            print("nothing has changed since the last record")
    return exit_code
