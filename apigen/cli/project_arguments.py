"""The arguments that say which project a command works on, and the project's configuration that they lead to."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from apigen.config import Config, Overrides, find_config, load_config
from apigen.diagnostics import Report

if TYPE_CHECKING:
    from apigen.project.memory import Memory


def add_project(parser: ArgumentParser) -> None:
    """Add `--config`, `--specs`, `--output` and `--package`."""
    group = parser.add_argument_group(
        "project",
        "What is left out comes from the nearest apigen.toml, or pyproject.toml with a table [tool.apigen],\n"
        "in this folder and those above it.",
    )
    group.add_argument("--config", metavar="FILE", help="the configuration, in place of the nearest one")
    group.add_argument("--specs", metavar="FOLDER", help="the folder with the specs")
    group.add_argument("--output", metavar="FOLDER", help="the folder that is generated")
    group.add_argument("--package", metavar="NAME", help="how Python imports the output")


def add_release(parser: ArgumentParser) -> None:
    """Add `--release`."""
    parser.add_argument(
        "--release",
        metavar="VERSION",
        help="the release in the making, such as 1.13 (default: the minor release after the last that was recorded)",
    )


def add_memory(parser: ArgumentParser) -> None:
    """Add `--no-cache`."""
    parser.add_argument(
        "--no-cache", action="store_true", help="compile anew, whatever an earlier run made of the same specs"
    )


def memory_of(args: Namespace, config: Config) -> Memory | None:
    """What earlier runs made of a project, unless the arguments say otherwise."""
    if args.no_cache:
        return None
    from apigen.project.memory import Memory, default_folder

    return Memory(default_folder(), config, _warn)


def read_config(args: Namespace, report: Report) -> Config | None:
    """The configuration that the arguments lead to; None, with diagnostics, if there is a mistake in it."""
    start = Path.cwd()
    file = find_config(start, report, args.config)
    if report.has_errors:
        return None
    overrides = Overrides(args.specs, args.output, args.package, getattr(args, "release", None))
    return load_config(file, start, overrides, report)


def _warn(text: str) -> None:
    sys.stderr.write(f"apigen: {text}\n")
