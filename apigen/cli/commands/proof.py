"""`apigen proof`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from apigen.cli.checking import check_reviewed
from apigen.cli.exits import Exit
from apigen.cli.project_arguments import add_project, read_config
from apigen.cli.reporting import add_format, report_errors
from apigen.diagnostics import Report
from apigen.hub.proof import render_proof

DESCRIPTION = """
Shows, for every type, version and field, whether a value comes back from the hub and from each other version: always,
unless it meets a condition, or never. Nothing is lost that the specs do not declare lost: that would be an error. The
proof is read from the plan that the conversions are generated from.
"""

EXAMPLES = """
  apigen proof
  apigen proof --losses              # only what does not always come back
  apigen proof flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfiguration
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `proof`."""
    parser.add_argument(
        "names", metavar="NAME", nargs="*", help="show only the tables with these words in their first line"
    )
    parser.add_argument("--losses", action="store_true", help="leave out what always comes back")
    add_format(parser)
    add_project(parser)


def run(args: Namespace) -> int:
    """Run `apigen proof`."""
    report = Report()
    config = read_config(args, report)
    checked = None if config is None else check_reviewed(config, report)
    if checked is None or checked.compilation is None or report.has_errors:
        return report_errors(report.diagnostics, args.format)
    compilation = checked.compilation
    text = render_proof(compilation.hub, compilation.types, everything=not args.losses)
    tables = text.strip("\n").split("\n\n")
    found = [table for table in tables if set(args.names) <= set(table.partition("\n")[0].split())]
    if not found and args.names:
        print(f"apigen proof: there is no table of {' '.join(args.names)}", file=sys.stderr)
        return Exit.USAGE
    print("\n\n".join(found))
    return Exit.GOOD
