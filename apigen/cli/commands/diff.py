"""`apigen diff`."""

from __future__ import annotations

import gc
import os
import re
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from apigen.cli.exits import Exit
from apigen.cli.terminal import columns, has_color, is_quiet, shown_progress

if TYPE_CHECKING:
    from datetime import date

    from apigen.diagnostics import Report
    from apigen.inputs.source import Setting
    from apigen.language.configuration import Config
    from apigen.language.releases import Release
    from apigen.review.approvals.approval import Moment
    from apigen.review.approvals.baseline_file import BaselineFile
    from apigen.review.running import Request, Reviewed

DESCRIPTION = """
Reports breaking changes between two versions of an API, with the affected clients, the reason and
the fix. BASE and REVISION are each a folder of specs, a git revision (`main`, `HEAD~3:api-specs`),
a recorded release (`release:1.12`), CustomResourceDefinitions, a JSON Schema, an OpenAPI document,
`.proto` files, a descriptor set, or a Go package.

REVISION defaults to the specs of this project, or the CustomResourceDefinitions of this repository.
BASE defaults to the merge base of HEAD and the default branch (the first of `origin/HEAD`,
`origin/main`, `origin/master`, `main`, `master`).

Each change is evaluated in four directions: an older client with the newer server, a newer client
with an older server, stored data read by the newer release, and data of the newer release read by
the previous one. Approved changes are in apigen-approvals.yaml, with a reason and an expiry.

Exit codes: 0 passed, 1 findings at or above --fail-on, 2 usage error, 3 unreadable input, 4
invalid, expired or unused approvals. 4 takes precedence over 1.
"""

EXAMPLES = """
  apigen diff                                        # this branch against the default branch
  apigen diff release:1.12                           # the specs against the last release
  apigen diff old-crd.yaml new-crd.yaml --fail-on warning
  apigen diff main --format github --output html=review.html --output markdown=comment.md
  apigen diff release:1.0 --baseline known.txt --write-baseline    # known findings
  apigen diff main --write-approvals                 # entries to fill in, in apigen-approvals.yaml
"""

FORMATS = ("text", "line", "json", "yaml", "markdown", "html", "sarif", "junit", "github", "gitlab")
STDOUT = "-"
"""The file by which programs mean the standard output."""

FAIL_ON = ("error", "unverified", "warning", "info", "never")
PRESETS = ("bytes", "wire", "api", "source")
CHECKOUTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
"""The variables in which CI systems declare the folder of the checked-out repository."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `diff`."""
    parser.add_argument(
        "old",
        metavar="BASE",
        nargs="?",
        type=_side,
        help="the old side (default: the merge base of HEAD and the default branch)",
    )
    parser.add_argument(
        "new", metavar="REVISION", nargs="?", type=_side, help="the new side (default: the specs of this project)"
    )
    parser.add_argument("--format", choices=FORMATS, help="the report on stdout (default: text)")
    parser.add_argument(
        "--output",
        metavar="FORMAT=FILE",
        type=_output,
        action="append",
        default=[],
        help="also write a report to a file, or to stdout instead of the text (html=-); may be given several times",
    )
    parser.add_argument(
        "--fail-on", choices=FAIL_ON, default="error", help="the minimum severity for exit code 1 (default: error)"
    )
    parser.add_argument(
        "--preset",
        choices=PRESETS,
        default="api",
        help="what must stay compatible: the protobuf encoding (bytes), also JSON (wire), the API (api, the default),"
        " also generated code (source)",
    )
    parser.add_argument("--no-counterexamples", action="store_true", help="do not search for counterexamples")
    parser.add_argument("--no-cache", action="store_true", help="do not read or write the cache (default if CI is set)")
    parser.add_argument(
        "--verbose", action="store_true", help="print all findings in detail, including changes without effect"
    )
    _add_approvals(parser)
    group = parser.add_argument_group("project")
    group.add_argument("--config", metavar="FILE", help="the configuration file (default: the nearest one)")
    group.add_argument("--specs", metavar="FOLDER", help="the folder with the specs")


def _add_approvals(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("approvals")
    group.add_argument(
        "--approvals", metavar="FILE", help="the approvals (default: apigen-approvals.yaml next to the configuration)"
    )
    group.add_argument(
        "--write-approvals", action="store_true", help="add entries without a reason for the findings that fail"
    )
    group.add_argument(
        "--baseline", metavar="FILE", help="a file of known findings: they are counted, and do not fail the review"
    )
    group.add_argument("--write-baseline", action="store_true", help="write all open and known findings to --baseline")
    group.add_argument("--prune-approvals", action="store_true", help="remove unused entries")
    group.add_argument(
        "--at-release", metavar="VERSION", type=_release, help="evaluate expiries at this release, such as 1.13"
    )
    group.add_argument("--date", metavar="DAY", type=_day, help="evaluate expiries at this date, such as 2026-03-31")


def run(args: Namespace) -> int:
    """Run `apigen diff`."""
    from apigen.cli.project_arguments import read_config, without_cache_on_failure
    from apigen.cli.reporting import report_errors
    from apigen.dataclass import replace
    from apigen.diagnostics import Report

    clash = _clash(args)
    if clash is not None:
        _complain(clash)
        return Exit.USAGE
    report = Report()
    config = read_config(Namespace(config=args.config, specs=args.specs, output=None, package=None), report)
    if config is None:
        return report_errors(report.diagnostics, "text")
    request = _request(args, config, report)
    if request is None:
        return Exit.USAGE
    if report.error_count:
        report_errors(report.diagnostics, "text")
        return Exit.UNREADABLE
    if request.setting.cache is None:
        return _run(args, request, report)
    without = replace(request, setting=replace(request.setting, cache=None))
    return without_cache_on_failure(lambda: _run(args, request, report), lambda: _run(args, without, Report()))


def _run(args: Namespace, request: Request, report: Report) -> int:
    from apigen.cli.reporting import print_diagnostics, report_errors
    from apigen.review.running import run_review
    from apigen.runtime.gc import gc_paused

    with gc_paused(), shown_progress() as progress:
        reviewed = run_review(request, report, progress)
        gc.freeze()  # its objects live until the process ends, so the garbage collector need not scan them
    if reviewed is None:
        report_errors(report.diagnostics, "text")
        return Exit.UNREADABLE
    warnings = [each for each in report.diagnostics if each.code.startswith("AG14")]  # not those of lint
    if warnings:
        print_diagnostics(warnings, "text", sys.stderr)
    if args.write_approvals or args.prune_approvals:
        reviewed = _changed(args, request, reviewed)
    if args.write_baseline:
        from apigen.review.running import write_baseline

        reviewed = write_baseline(request, reviewed)
    return _tell(args, reviewed)


def _changed(args: Namespace, request: Request, reviewed: Reviewed) -> Reviewed:
    """Return the review with the approvals in the changed file."""
    from apigen.review.approving import change_approvals

    write, prune = args.write_approvals, args.prune_approvals
    changed, messages = change_approvals(request, reviewed, write=write, prune=prune)
    for line in messages:
        print(f"apigen diff: {line}", file=sys.stderr)
    return changed


def _request(args: Namespace, config: Config, report: Report) -> Request | None:
    """Return the request for the arguments; None, with a message on stderr, if a side is missing."""
    from apigen.review.reports.summary import FailOn
    from apigen.review.results import Preset
    from apigen.review.running import Request

    setting = _setting(args, config)
    old, new = _sides(args, setting, report)
    if old is None or new is None:
        return None
    approvals = _approvals_file(args, config, setting.folder)
    return Request(
        old=old,
        new=new,
        setting=setting,
        approvals=approvals,
        moment=None if approvals is None else _moment(args),
        preset=Preset(args.preset),
        fail_on=FailOn(args.fail_on),
        with_counterexamples=not args.no_counterexamples,
        is_new_file=args.write_approvals,
        baseline=None if args.baseline is None else _baseline_file(args, report),
    )


def _baseline_file(args: Namespace, report: Report) -> BaselineFile:
    """Return the baseline; errors are added to `report` if it cannot be read. A new one is empty."""
    from apigen.review.approvals.baseline_file import BaselineFile, read_baseline

    path = Path(args.baseline)
    if args.write_baseline and not path.exists():
        return BaselineFile(path, args.baseline)
    return read_baseline(path, args.baseline, report)


def _moment(args: Namespace) -> Moment:
    """Return the date for approvals, or `None` without approvals, which alone expire."""
    from datetime import date

    from apigen.review.approvals.approval import Moment

    return Moment(args.date or date.today(), _parsed(args.at_release))


def _setting(args: Namespace, config: Config) -> Setting:
    from apigen.files.cache import default_folder
    from apigen.inputs.source import Setting

    return Setting(
        folder=Path.cwd(),
        specs=config.specs if config.specs.is_dir() else None,
        hand_written=config.handwritten if config.handwritten.is_dir() else None,
        release=_parsed(config.release),
        cache=None if args.no_cache or os.environ.get("CI") else default_folder(),
    )


def _parsed(release: str | None) -> Release | None:
    if release is None:
        return None
    from apigen.language.releases import parse_release

    return parse_release(release)


def _base(folder: Path, report: Report) -> str | None:
    """Return the base if the arguments do not name one; None, with a message on stderr, if git has none.

    A shallow clone without a base is compared with HEAD, with a warning (AG1409): committed changes are not compared there.
    """
    from apigen.review.baseline import FETCH, baseline, lacks_base
    from apigen.review.sources.git import GitError

    why = "no default branch found in this git repository"
    try:
        old = baseline(folder)
        if lacks_base(folder, old):
            from apigen.diagnostics import Place

            old = "git:HEAD"
            message = "this clone is shallow, so the base is HEAD itself: committed changes are not compared"
            report.warning("AG1409", Place("command line"), message, hint=FETCH)
    except GitError as error:
        old, why = None, f"git failed: {error}"
    if old is None:
        _complain(f"cannot determine the base: {why}; pass it: `apigen diff BASE`")
    return old


def _sides(args: Namespace, setting: Setting, report: Report) -> tuple[str | None, str | None]:
    old = args.old or _base(setting.folder, report)
    if old is None:
        return None, None
    if args.new is not None:
        return old, args.new
    if setting.specs is None and _is_repository_of_definitions(setting.folder):
        return old, "crd:."
    if setting.specs is None:
        _complain("no specs found here; pass both sides: `apigen diff BASE REVISION`")
        return old, None
    return old, os.path.relpath(setting.specs, setting.folder)


def _is_repository_of_definitions(folder: Path) -> bool:
    """Return whether the folder is the root of a repository with CRDs, which are then compared."""
    from apigen.inputs.crd.source import has_own_definitions

    return (folder / ".git").exists() and has_own_definitions(folder)


def _approvals_file(args: Namespace, config: Config, here: Path) -> tuple[Path, str] | None:
    """Return the file of approvals and its displayed path, or `None` if it does not exist and is not required."""
    from apigen.diagnostics.model import shown_path

    if args.approvals is not None:
        path = Path(os.path.abspath(args.approvals))
    else:
        path = config.approvals
    if args.approvals is None and not args.write_approvals and not path.exists():
        return None
    return path, shown_path(path, here)


def _tell(args: Namespace, reviewed: Reviewed) -> int:
    """Print and write the reports; returns the exit code."""
    from apigen.review.reports.report import Style, format_named

    files = Style(verbose=args.verbose, folder=_folder())
    for name, path in args.output:
        if path == STDOUT:
            continue
        from apigen.files.whole_file import write_whole

        text = format_named(name).render(reviewed.summary, files)
        write_whole(Path(path), text.encode("utf-8", "backslashreplace"))
    width = columns() if sys.stdout.isatty() or "COLUMNS" in os.environ else None
    style = Style(colour=has_color(sys.stdout), width=width, verbose=args.verbose, folder=files.folder)
    printed = next((name for name, path in args.output if path == STDOUT), args.format or "text")
    code = Exit.APPROVALS if reviewed.summary.problems else Exit.FINDINGS if reviewed.summary.fails else Exit.GOOD
    if code or printed != "text" or not is_quiet():
        sys.stdout.write(format_named(printed).render(reviewed.summary, style))
    return code


def _folder() -> str:
    """Return the working directory relative to the checkout of a CI system; empty for its root, and outside of CI."""
    here = Path.cwd()
    for name in CHECKOUTS:
        root = Path(os.environ.get(name) or "/nowhere")
        if root.is_dir() and here.is_relative_to(root.resolve()):
            return "" if here == root.resolve() else here.relative_to(root.resolve()).as_posix()
    return ""


def _side(text: str) -> str:
    if not text.strip():
        raise ArgumentTypeError("it is empty, perhaps because a variable is not set; omit it to use the default")
    return text


def _clash(args: Namespace) -> str | None:
    """Return an error if two reports would be written to one file, or one to a file that is read; None without one."""
    if args.write_baseline and args.baseline is None:
        return "--write-baseline needs the file to write: `apigen diff --baseline apigen-baseline.txt --write-baseline`"
    uses: dict[str, str] = {}
    for side in (args.old, args.new, args.approvals, args.baseline):
        for path in (side, side.partition(":")[2]) if side else ():
            if os.access(path, os.F_OK):
                uses[os.path.realpath(path)] = side
    inputs = frozenset(uses)
    if args.format is not None:
        uses[STDOUT] = f"--format {args.format}"
    for name, path in args.output:
        real, option = STDOUT if path == STDOUT else os.path.realpath(path), f"--output {name}={path}"
        if real in inputs:
            return f"a report would overwrite an input: {option} is {uses[real]}; use another file"
        if real in uses:
            return f"two reports for one file: {uses[real]} and {option}; use two files"
        uses[real] = option
    return None


def _output(text: str) -> tuple[str, str]:
    name, equals, path = text.partition("=")
    if not equals or not path:
        raise ArgumentTypeError(f"expected FORMAT=FILE, such as html=review.html, not {text!r}")
    if name not in FORMATS:
        raise ArgumentTypeError(f"unknown format {name!r}; known formats: {', '.join(FORMATS)}")
    return name, path


def _release(text: str) -> str:
    from apigen.language.configuration import release_problem
    from apigen.language.releases import RELEASE_PATTERN

    if not re.fullmatch(RELEASE_PATTERN, text):
        raise ArgumentTypeError(release_problem(text))
    return text


def _day(text: str) -> date:
    from datetime import date

    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"a day is written like 2026-03-31, not {text!r}") from None


def _complain(text: str) -> None:
    print(f"apigen diff: {text}", file=sys.stderr)
