"""`apigen explain`."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace

from apigen.cli.exits import Exit
from apigen.cli.project_arguments import add_project, read_config
from apigen.cli.reporting import TEXT, report_errors, usage_error
from apigen.diagnostics import Report
from apigen.diagnostics.codes import code_infos, explanation
from apigen.diagnostics.quoting import quote, visible
from apigen.diagnostics.suggest import did_you_mean

DESCRIPTION = """
Explains the code of a diagnostic, a rule of `apigen diff`, or a field: its hub field and its state
in every version, its type, number, default, constraints and feature gate, conversion losses, and
its changes from release to release.
"""

EXAMPLES = """
  apigen explain AG0201
  apigen explain unclassified-change
  apigen explain example.com/v1beta1 Widget.spec.count
  apigen explain --list                # all codes
  apigen explain --rules               # all rules, with their severities in alpha, beta and stable
"""

_CODE = re.compile(r"AG[0-9]*", re.IGNORECASE)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `explain`."""
    parser.add_argument(
        "code", metavar="CODE", nargs="?", help="a code, such as AG0201, a rule of `apigen diff`, or a version"
    )
    parser.add_argument("field", metavar="FIELD", nargs="?", help="a field of the version, such as Widget.spec.count")
    parser.add_argument("--list", action="store_true", help="list all codes with their titles")
    parser.add_argument("--rules", action="store_true", help="list all rules of `apigen diff`")
    add_project(parser, output=False)


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
        return usage_error("explain", "pass a code; `apigen explain --list` lists them")
    if args.field is not None:
        return _explain_field(args)
    if not _CODE.fullmatch(args.code):
        return _explain_rule(args.code)
    text = explanation(args.code)
    if text is None:
        problem = f"unknown code {visible(quote(args.code))}; `apigen explain --list` lists them"
        return usage_error("explain", problem)
    print(text, end="")
    return Exit.GOOD


def _explain_field(args: Namespace) -> int:
    from apigen.build.build import check_project
    from apigen.proof.field_story import NoSuchFieldError, field_story, story_text

    report = Report()
    config = read_config(args, report)
    checked = None if config is None else check_project(config, report)
    if checked is None or checked.backend_input is None:
        return report_errors(report.diagnostics, TEXT)
    try:
        story = field_story(checked, args.code, args.field)
    except NoSuchFieldError as error:
        return usage_error("explain", visible(str(error)))
    print(story_text(story), end="")
    return Exit.GOOD


def _explain_rule(name: str) -> int:
    from apigen.review.explaining import rule_explanation, rule_ids, rule_named

    rule = rule_named(name)
    if rule is None:
        hint = did_you_mean(name, rule_ids()) or "`apigen explain --rules` lists them"
        return usage_error("explain", f"unknown rule {visible(quote(name))}; {hint}")
    print(rule_explanation(rule), end="")
    return Exit.GOOD
