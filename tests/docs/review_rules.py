"""The page on the rules of a review, made of their registry."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.review.rules.rule import Rule
from apigen.review.rules.rule_text import all_rules
from apigen.review.verdict.preset import Preset
from apigen.review.verdict.severity import Severity

INTRODUCTION = """\
# Rules of a review

What `apigen diff` judges changes by, in the order in which the rules are asked; the first that knows a change judges it.
`apigen explain RULE` tells more of each. Severities are those in alpha, beta and stable versions: **E**rror, **W**arning, **I**nformation,
or `-` for what is only counted; a verdict may have others, and [mitigations](../explanation/review.md) may lower them. *Source* rules count
with `--preset source` only, *wire* rules in all but `bytes`, *bytes* rules in every preset. Where there can be no object that shows a finding, the last column says why.
"""

_LETTERS = {Severity.SILENT: "-", Severity.INFO: "I", Severity.WARNING: "W", Severity.ERROR: "E"}


def page() -> str:
    """`docs/reference/review-rules.md`."""
    return f"{INTRODUCTION}\n" + "\n".join(_table()) + "\n"


def _table() -> Iterator[str]:
    yield "| rule | finds | α/β/stable | counts in | without a witness |\n|---|---|---|---|---|"
    for rule in all_rules():
        cells = (f"`{rule.id}`", rule.prose.title, _severities(rule), _preset(rule), rule.prose.no_witness)
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _severities(rule: Rule) -> str:
    of = rule.severities
    return "/".join(_LETTERS[severity] for severity in (of.alpha, of.beta, of.stable))


def _preset(rule: Rule) -> str:
    """The widest of the presets that it counts in."""
    return next(preset.value for preset in Preset if preset in rule.presets)
