"""`apigen lint`."""

from __future__ import annotations

import sys
import textwrap
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from apigen.cli.checking import check_reviewed
from apigen.cli.project_arguments import add_project, add_release, read_config
from apigen.cli.reporting import TEXT, add_format, exit_of, print_diagnostics
from apigen.cli.terminal import is_quiet, shown_progress, tell
from apigen.diagnostics import Report
from apigen.diagnostics.quoting import counted
from apigen.history.rollback import Rollback
from apigen.ir.model import Struct

if TYPE_CHECKING:  # a run that changes nothing does not load the compiler
    from apigen.codegen.pipeline import Checked
    from apigen.hub.suggestions import Suggestion

DESCRIPTION = """
Checks the specs and the hand-written functions, and reports errors and warnings. Errors also stop
`apigen generate`; warnings are about style and policy. Suppress a warning in the spec, with a
reason:

  ignore: {AG1101: these numbers are measured}

If releases are recorded, the specs are compared with them, and incompatible changes are errors. The
last line reports whether a rollback of the next release to the previous one loses data.
"""

EXAMPLES = """
  apigen lint
  apigen lint --strict                       # warnings make the exit code 1, too: for CI
  apigen lint --format github                # at the lines of a pull request
  apigen lint --format sarif > lint.sarif    # for code scanners
  apigen lint --suggest                      # lenses for fields that differ from the hub
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `lint`."""
    parser.add_argument("--strict", action="store_true", help="exit with 1 for warnings, too")
    parser.add_argument(
        "--suggest", action="store_true", help="propose a lens for each field that differs from the hub's version"
    )
    add_format(parser)
    add_release(parser)
    add_project(parser)


def run(args: Namespace) -> int:
    """Run `apigen lint`."""
    report = Report()
    config = read_config(args, report)
    with shown_progress() as progress:
        checked = (
            None
            if config is None
            else check_reviewed(config, report, check_unselected=True, today=date.today(), progress=progress)
        )
    print_diagnostics(report.diagnostics, args.format, sys.stdout)
    if args.format == TEXT and not report.diagnostics and checked is not None and checked.api is not None:
        tell(f"no findings in {_extent(checked)}")
    if args.format == TEXT and checked is not None and checked.backend_input is not None:
        _print_rollback(checked.backend_input.rollback)
    if args.suggest and args.format == TEXT and checked is not None and checked.api is not None:
        from apigen.hub.suggestions import suggestions  # imports the planner, which `--help` does not need

        _print_suggestions(suggestions(checked.api, checked.own))
    return exit_of(report.diagnostics, strict=args.strict)


def _print_suggestions(found: Sequence[Suggestion]) -> None:
    """Each lens with its place and its proof, to be pasted."""
    for each in found:
        print(f"\n{each.place.file}:{each.place.line}: {each.field} of {each.type_.name} in {each.type_.version}")
        print(f"    hub: {each.text}")
        for sentence in each.losses or ("every value is preserved in both directions",):
            print(textwrap.fill(sentence, 100, initial_indent="  - ", subsequent_indent="    "))
    tell(f"{counted(len(found), 'lens', 'lenses')} suggested; nothing was written")


def _extent(checked: Checked) -> str:
    """Return the numbers of checked elements, in words."""
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
    """Print the losses of a rollback of the next release to the previous one."""
    if rollback is None or (is_quiet() and not rollback.losses):
        return
    subject = f"rollback from {rollback.release} to {rollback.before}"
    kinds = counted(len(rollback.kinds), "kind")
    if not rollback.losses:
        print(f"{subject}: no data loss in {kinds} (fields behind disabled feature gates are not checked)")
        return
    losses = counted(len(rollback.losses), "possible loss", "possible losses")
    print(f"{subject}: {losses}{f' in {kinds}' if rollback.kinds else ''}; servers of {rollback.before}:")
    for loss in rollback.losses:
        print(f"  {loss.path}: {loss.detail}")
