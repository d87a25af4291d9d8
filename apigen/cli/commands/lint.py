"""`apigen lint`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from apigen.cli.checking import check_reviewed
from apigen.cli.progress import shown_progress
from apigen.cli.project_arguments import add_project, add_release, read_config
from apigen.cli.reporting import TEXT, add_format, exit_of, print_diagnostics
from apigen.cli.terminal import is_quiet, tell
from apigen.diagnostics import Report
from apigen.diagnostics.quoting import counted
from apigen.history.rollback import Rollback
from apigen.ir.model import Struct

if TYPE_CHECKING:  # a run that changes nothing does not load the compiler
    from apigen.codegen.pipeline import Checked

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
    with shown_progress() as progress:
        checked = None if config is None else check_reviewed(config, report, everything=True, progress=progress)
    print_diagnostics(report.diagnostics, args.format, sys.stdout)
    if args.format == TEXT and not report.diagnostics and checked is not None and checked.api is not None:
        tell(f"no findings in {_extent(checked)}")
    if args.format == TEXT and checked is not None and checked.compilation is not None:
        _print_rollback(checked.compilation.rollback)
    return exit_of(report.diagnostics, strict=args.strict)


def _extent(checked: Checked) -> str:
    """How much was checked, in numbers."""
    assert checked.api is not None
    groups = [group for group in checked.api.groups if group.folder in checked.own]
    ids = {id_ for group in groups for version in group.versions for id_ in version.types}
    types = [checked.api.types[id_] for id_ in ids if id_ in checked.api.types]
    fields = sum(len(type_.own_fields) for type_ in types if isinstance(type_, Struct))
    counts = (
        (len(groups), "group"),
        (sum(len(group.versions) for group in groups), "version"),
        (len(types), "type"),
        (fields, "field"),
    )
    return ", ".join(counted(count, noun) for count, noun in counts)


def _print_rollback(rollback: Rollback | None) -> None:
    """Whether objects of the release in the making survive in the one before."""
    if rollback is None or (is_quiet() and not rollback.losses):
        return
    what = f"rollback from {rollback.release} to {rollback.before}"
    kinds = counted(len(rollback.kinds), "kind")
    if not rollback.losses:
        print(f"{what}: all that {rollback.release} writes by default survives ({kinds})")
        return
    print(f"{what}: what {rollback.release} writes by default does not all survive ({kinds})")
    for loss in rollback.losses:
        print(f"  {loss.path}: {loss.detail}")
