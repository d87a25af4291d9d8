"""`apigen explain`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from apigen.cli.exits import Exit
from apigen.diagnostics.catalog import CATALOG, explanation

DESCRIPTION = """
Tells what a diagnostic's code means: why apigen asks for it, and an example of what is wrong beside what is right.
"""

EXAMPLES = """
  apigen explain AG0201
  apigen explain --list                # all codes
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `explain`."""
    parser.add_argument("code", metavar="CODE", nargs="?", help="a code, such as AG0201")
    parser.add_argument("--list", action="store_true", help="list all codes with their titles")


def run(args: Namespace) -> int:
    """Run `apigen explain`."""
    if args.list:
        for info in CATALOG:
            print(f"{info.code}  {info.title}")
        return Exit.GOOD
    if args.code is None:
        print("apigen explain: which code? `apigen explain --list` lists them", file=sys.stderr)
        return Exit.USAGE
    text = explanation(args.code)
    if text is None:
        print(f"apigen explain: there is no code `{args.code}`; `apigen explain --list` lists them", file=sys.stderr)
        return Exit.USAGE
    print(text, end="")
    return Exit.GOOD
