"""`apigen generate`."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, Namespace
from contextlib import suppress

from apigen.build.build import build_recorded
from apigen.build.build_cache import BuildCache, unchanged
from apigen.build.built import Built, Changes
from apigen.cli.checking import build_reviewed
from apigen.cli.exits import Exit
from apigen.cli.profile import Profile
from apigen.cli.project_arguments import (
    add_cache,
    add_project,
    add_release,
    cache_of,
    read_config,
    without_cache_on_failure,
)
from apigen.cli.reporting import TEXT, add_format, report_errors, usage_error
from apigen.cli.terminal import is_quiet, shown_progress
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.language.configuration import COMMAND_LINE, Config, release_problem
from apigen.language.releases import RELEASE_PATTERN

DESCRIPTION = """
Compiles the specs of a project. Writes the generated package, and next to the specs the lock files
with assigned names and protobuf numbers. Commit both together with the specs.

All files are replaced together at the end: a run that fails or is killed leaves the old output.
Files that apigen did not generate are never changed.
"""

EXAMPLES = """
  apigen generate
  apigen generate --check              # the same as `apigen verify`
  apigen generate --specs api --output src/shop/api --package shop.api
  apigen generate --watch              # generates again after every change
  apigen generate --recorded 1.12 --output old/v1_12     # the code of a recorded release
"""

MANY = 3
"""The number of files of a folder from which on they are reported in one line."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `generate`."""
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if something would change")
    parser.add_argument(
        "--recorded",
        metavar="VERSION",
        help="regenerate the code of recorded release VERSION, including its hand-written functions, in the folder given by"
        " `--output`",
    )
    parser.add_argument("--watch", action="store_true", help="generate again after every change, until Ctrl-C")
    parser.add_argument("--profile", action="store_true", help="print the time of each step and file at the end")
    add_cache(parser)
    add_format(parser)
    add_release(parser)
    add_project(parser)


def run(args: Namespace) -> int:
    """Run `apigen generate`."""
    problem = _clash(args)
    if problem is not None:
        return usage_error("generate", problem)
    if args.check:
        from apigen.cli.commands import verify

        return verify.run(args)
    if args.watch:
        return _watch(args)
    return _run_once(args)


def _watch(args: Namespace) -> int:
    """Generate, and again after every change of an input, until the user stops it. Errors do not stop it."""
    from apigen.cli.watching import changes, noticing_interrupts

    report = Report()
    config = read_config(args, report)
    if config is None:
        return report_errors(report.diagnostics, args.format)
    paths = [config.specs, config.handwritten, *([config.file.path] if config.file is not None else [])]
    with noticing_interrupts() as is_interrupted, suppress(KeyboardInterrupt):
        for _ in changes(paths, is_over=is_interrupted):
            try:
                _run_once(args)
            except OSError as error:  # for example a folder that is being moved; the next change starts another run
                print(f"apigen: {error.filename or ''}: {error.strerror or error}", file=sys.stderr)
            sys.stdout.flush()
    return Exit.GOOD


def _run_once(args: Namespace) -> int:
    report = Report()
    config = read_config(args, report)
    written = progress = None
    if config is not None:
        with shown_progress() as show:
            progress = Profile(show)
            written = _generated(args, config, report, progress)
            progress("printing")
    exit_code = report_errors(report.diagnostics, args.format, to_stdout=True)
    if written is not None and args.format == TEXT:
        print_changes(written)
    if args.profile and progress is not None:
        sys.stderr.write(progress.table())
    return exit_code


def _generated(args: Namespace, config: Config, report: Report, progress: Profile) -> Changes | None:
    """Bring the output up to date; None, with diagnostics, if that cannot be."""
    if args.recorded is not None:
        is_apart = _is_apart(args, config, report)
        built = build_recorded(config, args.recorded, report, progress) if is_apart else None
        return None if built is None else _published(config, built, report, progress)
    return bring_up_to_date(config, cache_of(args, config), report, progress)


def bring_up_to_date(config: Config, cache: BuildCache | None, report: Report, progress: Profile) -> Changes | None:
    """Write the output of a project; None, with diagnostics, if it cannot be built or written."""
    progress("reading the cache")
    same = None if cache is None else without_cache_on_failure(lambda: unchanged(config, cache), lambda: None)
    if same is not None:
        for warning in same.warnings:
            report.add(warning)
        return Changes((), (), (), (), (*(lock.display_path for lock in same.locks), *same.digests))
    if cache is None:
        built = build_reviewed(config, report, progress, None, progress.file_generated)
    else:
        built = without_cache_on_failure(
            lambda: build_reviewed(config, report, progress, cache, progress.file_generated),
            lambda: build_reviewed(config, report, progress, None, progress.file_generated),
        )
    return None if built is None else _published(config, built, report, progress)


def _published(config: Config, built: Built, report: Report, progress: Profile) -> Changes | None:
    from apigen.build.publishing import publish_project  # runs without changes do not import it

    progress("writing")
    return publish_project(config, built, report)


def _clash(args: Namespace) -> str | None:
    """Return what is wrong with the arguments; None if they can be used."""
    if args.recorded is not None:
        if not re.fullmatch(RELEASE_PATTERN, args.recorded):
            return release_problem(args.recorded)
        if args.output is None:
            return "`--recorded` requires `--output`, a separate folder for the code of that release"
        if args.check:
            return "`--recorded` and `--check` are mutually exclusive"
        if args.release is not None:
            return "`--recorded` and `--release` are mutually exclusive"
    if args.watch and (args.check or args.recorded is not None):
        return "`--watch` cannot be combined with `--check` or `--recorded`"
    return None


def _is_apart(args: Namespace, config: Config, report: Report) -> bool:
    """Return whether the output folder of a recorded release differs from that of the specs; report AG0906 if not."""
    of_specs = read_config(Namespace(**{**vars(args), "output": None}), Report())
    if of_specs is None:
        return True
    one, other = config.output.resolve(), of_specs.output.resolve()
    if not one.is_relative_to(other) and not other.is_relative_to(one):
        return True
    report.error(
        "AG0906",
        Place(COMMAND_LINE),
        f"`--output` and the folder with the code of the specs, {quote(of_specs.output.name)}, overlap",
        hint=f"use a separate folder: --output old/v{args.recorded.replace('.', '_')}",
    )
    return False


def print_changes(changes: Changes) -> None:
    """Print which files of the output a run changed."""
    if is_quiet():
        return
    for path in changes.kept:
        print(f"kept     {path}: it was edited, so apigen does not change it")
    for word, paths in (("created", changes.created), ("changed", changes.changed), ("removed", changes.removed)):
        folders: dict[str, list[str]] = {}
        for path in paths:
            folders.setdefault(path.rpartition("/")[0], []).append(path)
        for folder, files in folders.items():
            if len(files) > MANY:
                print(f"{word}  {folder}/ ({len(files)} files)")
            else:
                print(*(f"{word}  {file}" for file in files), sep="\n")
    counts = [len(changes.created), len(changes.changed), len(changes.removed), len(changes.unchanged)]
    words = ("created", "changed", "removed", "unchanged")
    counted = [f"{count} {word}" for count, word in zip(counts, words, strict=True) if count]
    print(f"{', '.join(counted) or 'nothing to generate'}")
