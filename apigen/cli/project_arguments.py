"""The arguments that select the project of a command, and the configuration of that project."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from apigen.diagnostics import Report
from apigen.language.configuration import Config, Overrides, find_config, load_config

if TYPE_CHECKING:
    from apigen.build.build_cache import BuildCache


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
    from apigen.build.build_cache import BuildCache
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
