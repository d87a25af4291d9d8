"""`apigen init`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from apigen.build.skeleton import Subject, write_skeleton
from apigen.cli.exits import Exit
from apigen.cli.reporting import add_format, report_errors, usage_error
from apigen.diagnostics import Report

DESCRIPTION = """
Creates a project: a configuration, a Makefile, the specs of an API with one kind in two versions,
an object of it, and a program that reads the object. The project works without changes.
"""

EXAMPLES = """
  apigen init my-api                                           # in a new folder
  apigen init --group shop.example.com --kind Order            # in this one, if it is empty
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `init`."""
    parser.add_argument(
        "folder", metavar="FOLDER", nargs="?", default=".", help="the folder of the project (default: this folder)"
    )
    parser.add_argument("--group", metavar="NAME", default="example.com", help="the API group (default: example.com)")
    parser.add_argument("--kind", metavar="NAME", default="Widget", help="the first kind (default: Widget)")
    add_format(parser)


def run(args: Namespace) -> int:
    """Run `apigen init`."""
    try:
        subject = Subject(args.group, args.kind)
    except ValueError as error:
        return usage_error("init", str(error))
    report = Report()
    written = write_skeleton(Path(args.folder), args.folder, subject, report)
    if written is None:
        return report_errors(report.diagnostics, args.format)
    for path in written:
        print(f"created  {Path(args.folder, path).as_posix()}")
    enter = "" if args.folder == "." else f"cd {args.folder} && "
    print(f"\nnext: {enter}apigen generate && python try.py")
    return Exit.GOOD
