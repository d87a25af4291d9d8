"""What commands share: the arguments that select a project, its configuration, and the report of diagnostics with the exit code."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from apigen.diagnostics import Report
from apigen.language.configuration import Config, Overrides, find_config, load_config

if TYPE_CHECKING:
    from apigen.build.build import BuildCache


from collections.abc import Iterable, Sequence
from typing import TextIO

from apigen.cli.terminal import UNREADABLE_CODES, USAGE_CODES, Exit, has_color, tell
from apigen.diagnostics import Diagnostic, Severity
from apigen.diagnostics.printers import PRINTERS
from apigen.diagnostics.quoting import counted

T = TypeVar("T")


def add_project(parser: ArgumentParser, *, output: bool = True) -> None:
    """Add `--config`, `--specs`, `--output` (of commands that use the output) and `--package`."""
    group = parser.add_argument_group(
        "project",
        "Options that are omitted are read from the nearest apigen.toml, or pyproject.toml with a table\n"
        "[tool.apigen], in this folder or a parent folder.",
    )
    group.add_argument("--config", metavar="FILE", help="the configuration file (default: the nearest one)")
    group.add_argument("--specs", metavar="FOLDER", help="the folder with the specs")
    if output:
        group.add_argument("--output", metavar="FOLDER", help="the output folder")
    group.add_argument("--package", metavar="NAME", help="the name of the generated Python package")


NEXT_RELEASE = "the next release, such as 1.13 (default: the minor release after the last recorded one)"


def add_release(parser: ArgumentParser, release: str = NEXT_RELEASE) -> None:
    """Add `--release`, which may be repeated; `release` describes that of the project's own series."""
    parser.add_argument(
        "--release",
        metavar="[SERIES=]VERSION",
        action="append",
        help=f"{release}; `kubernetes=1.34` sets that of another release series; both may be given",
    )


def releases_in(args: Namespace) -> tuple[str | None, tuple[tuple[str, str], ...]]:
    """The release of the project's own series that `--release` names, if any, and those of other series, by name."""
    option = getattr(args, "release", None)
    texts = [] if option is None else [option] if isinstance(option, str) else option
    own = [text for text in texts if "=" not in text]
    pairs = (text.partition("=") for text in texts if "=" in text)
    return own[-1] if own else None, tuple({name: release for name, _, release in pairs}.items())


def add_cache(parser: ArgumentParser) -> None:
    """Add `--no-cache`."""
    parser.add_argument("--no-cache", action="store_true", help="do not use the cache")


def cache_of(args: Namespace, config: Config) -> BuildCache | None:
    """Return the cache of a project, or None if the arguments disable it."""
    if args.no_cache:
        return None
    from apigen.build.build import BuildCache
    from apigen.files.cache import default_folder

    return BuildCache(default_folder(), config, _warn)


def without_cache_on_failure(run: Callable[[], T], without_cache: Callable[[], T]) -> T:
    """Return the result of `run`, which uses a cache, or of `without_cache`, which does not, if `run` fails unexpectedly.

    An entry of the cache may have a valid checksum and unusable content. Such an entry must not look
    like a bug of apigen; a bug fails in `without_cache`, too.
    """
    from apigen.cli.guard import is_interrupt

    try:
        return run()
    except OSError:
        raise
    except Exception as error:
        if is_interrupt(error):
            raise
    sys.stderr.write("apigen: the run with the cache failed; running again without it (`--no-cache`)\n")
    return without_cache()


def read_config(args: Namespace, report: Report) -> Config | None:
    """Return the configuration for the arguments; None, with diagnostics, if it is invalid."""
    start = Path.cwd()
    file = find_config(start, report, args.config)
    if report.has_errors:
        return None
    overrides = Overrides(args.specs, getattr(args, "output", None), args.package, *releases_in(args))
    return load_config(file, start, overrides, report)


def _warn(text: str) -> None:
    sys.stderr.write(f"apigen: {text}\n")


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
