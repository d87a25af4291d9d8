"""The pages on the rules of a review, generated from their registry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from apigen.review.results import Preset
from apigen.review.rules.registry import all_rules
from apigen.review.rules.rule import Rule

INTRODUCTION = """\
# Review rules

The rules of `apigen diff`, in the order of evaluation. The first rule that handles a change reports it. The page of a rule has its
explanation, its fix and its preset.

The severity is that in alpha, beta and stable versions: `E` error, `W` warning, `I` information, `-` counted only. A single finding may
have another severity, and [mitigations](../../explanation/review.md#severities-and-mitigations) may lower it.
"""


def index() -> str:
    """`docs/reference/rules/index.md`: one line per rule, with a link to its page."""
    return f"{INTRODUCTION}\n" + "\n".join(_table()) + "\n"


@cache
def rule_pages() -> Mapping[str, str]:
    """`docs/reference/rules/ID.md` by the id of the rule: findings link to these pages."""
    return {rule.id: _page(rule) for rule in all_rules()}


def _table() -> Iterator[str]:
    yield "| rule | finds | severity |\n|---|---|---|"
    for rule in all_rules():
        cells = (f"[`{rule.id}`]({rule.id}.md)", rule.prose.title, rule.severities.letters)
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _page(rule: Rule) -> str:
    prose = rule.prose
    without = f"\nNo counterexample: {prose.no_counterexample}.\n" if prose.no_counterexample else ""
    facts = f"[Severity](index.md) {rule.severities.letters}, preset {_preset(rule)}."
    fixes = "".join(f"\nFix for {name}: {fix}\n" for name, fix in prose.fixes)
    return f"# {rule.id}\n\n{prose.title}\n\n{prose.explanation}\n\nFix: {prose.fix}\n{fixes}{without}\n{facts}\n"


def _preset(rule: Rule) -> str:
    """Return the narrowest preset that includes the rule."""
    return next(preset.value for preset in Preset if preset in rule.presets)
