"""`apigen explain`."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, Namespace

from apigen.cli.exits import Exit
from apigen.diagnostics.codes import code_infos, explanation
from apigen.diagnostics.quoting import quote, visible

DESCRIPTION = """
Tells what a diagnostic's code means: why apigen asks for it, and an example of what is wrong beside what is right. Of a rule
of `apigen diff` it tells what it finds, how bad that is in which version, and what to do.
"""

EXAMPLES = """
  apigen explain AG0201
  apigen explain unclassified-change
  apigen explain --list                # all codes
  apigen explain --rules               # all rules, with their severities in alpha, beta and stable
"""

_CODE = re.compile(r"AG[0-9]*", re.IGNORECASE)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `explain`."""
    parser.add_argument("code", metavar="CODE", nargs="?", help="a code, such as AG0201, or a rule of `apigen diff`")
    parser.add_argument("--list", action="store_true", help="list all codes with their titles")
    parser.add_argument("--rules", action="store_true", help="list all rules of `apigen diff`")


def run(args: Namespace) -> int:
    """Run `apigen explain`."""
    if args.list:
        for info in code_infos().values():
            print(f"{info.code}  {info.title}")
        return Exit.GOOD
    if args.rules:
        from apigen.review.explaining import rule_list

        print(rule_list(), end="")
        return Exit.GOOD
    if args.code is None:
        print("apigen explain: which code? `apigen explain --list` lists them", file=sys.stderr)
        return Exit.USAGE
    if not _CODE.fullmatch(args.code):
        return _explain_rule(args.code)
    text = explanation(args.code)
    if text is None:
        print(
            f"apigen explain: there is no code {visible(quote(args.code))}; `apigen explain --list` lists them",
            file=sys.stderr,
        )
        return Exit.USAGE
    print(text, end="")
    return Exit.GOOD


def _explain_rule(name: str) -> int:
    from apigen.diagnostics.suggest import did_you_mean
    from apigen.review.explaining import rule_explanation, rule_ids, rule_named

    rule = rule_named(name)
    if rule is None:
        hint = did_you_mean(name, rule_ids()) or "`apigen explain --rules` lists them"
        print(f"apigen explain: there is no rule {visible(quote(name))}; {hint}", file=sys.stderr)
        return Exit.USAGE
    print(rule_explanation(rule), end="")
    return Exit.GOOD
