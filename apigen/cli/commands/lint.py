"""`apigen lint`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from apigen.cli.checking import check_reviewed
from apigen.cli.project_arguments import add_project, add_release, read_config
from apigen.cli.reporting import TEXT, add_format, exit_of, print_diagnostics
from apigen.diagnostics import Report
from apigen.diagnostics.quoting import counted
from apigen.history.rollback import Rollback

DESCRIPTION = """
Checks the specs and the hand-written functions, and reports everything that is wrong or questionable in them. Errors
stop `apigen generate`, too; warnings are of style and policy. Where a warning does not hold, it is acknowledged in the
spec, with a reason:

  ignore: {AG1101: these numbers are measured}

Where releases were recorded, the specs are held against them: what may not follow is an error. The last line tells whether
what the release in the making writes by default survives in the release before it.
"""

EXAMPLES = """
  apigen lint
  apigen lint --strict                       # warnings make the exit code 1, too: for CI
  apigen lint --format github                # at the lines of a pull request
  apigen lint --format sarif > lint.sarif    # for code scanners
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `lint`."""
    parser.add_argument("--strict", action="store_true", help="exit with 1 for warnings, too")
    add_format(parser)
    add_release(parser)
    add_project(parser)


def run(args: Namespace) -> int:
    """Run `apigen lint`."""
    report = Report()
    config = read_config(args, report)
    checked = None if config is None else check_reviewed(config, report, everything=True)
    print_diagnostics(report.diagnostics, args.format, sys.stdout)
    if args.format == TEXT and not report.diagnostics:
        print("nothing to report")
    if args.format == TEXT and checked is not None and checked.compilation is not None:
        _print_rollback(checked.compilation.rollback)
    return exit_of(report.diagnostics, strict=args.strict)


def _print_rollback(rollback: Rollback | None) -> None:
    """Whether objects of the release in the making survive in the one before."""
    if rollback is None:
        return
    what = f"rollback from {rollback.release} to {rollback.before}"
    kinds = counted(len(rollback.kinds), "kind")
    if not rollback.losses:
        print(f"{what}: all that {rollback.release} writes by default survives ({kinds})")
        return
    print(f"{what}: what {rollback.release} writes by default does not all survive ({kinds})")
    for loss in rollback.losses:
        print(f"  {loss.path}: {loss.detail}")
