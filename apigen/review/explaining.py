"""What `apigen explain` tells of the rules of a review."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill, indent

from apigen.review.mitigations.registry import COMMON
from apigen.review.rules.rule import ChangeRule, Rule
from apigen.review.rules.rule_text import all_rules
from apigen.review.rules.selecting import Claim
from apigen.review.verdict.preset import Preset
from apigen.review.verdict.severity import Severity

_WIDTH = 100


def rule_named(id_: str) -> Rule | None:
    """A rule by its id, in capitals or not; None if there is none."""
    wanted = id_.lower()
    return next((rule for rule in all_rules() if rule.id == wanted), None)


def rule_ids() -> tuple[str, ...]:
    """The ids of all rules, in the order in which they are asked."""
    return tuple(rule.id for rule in all_rules())


def rule_list() -> str:
    """A line for each rule: its id, its severities in alpha, beta and stable, and what it finds."""
    rules = all_rules()
    widest = max(len(rule.id) for rule in rules)
    return "".join(f"{rule.id:<{widest}}  {_letters(rule)}  {rule.prose.title}\n" for rule in rules)


def rule_explanation(rule: Rule) -> str:
    """The long story of a rule."""
    return "\n".join(_paragraphs(rule)) + "\n"


def _paragraphs(rule: Rule) -> Iterator[str]:
    prose = rule.prose
    yield f"{rule.id}: {prose.title}\n"
    yield fill(prose.explanation, _WIDTH)
    yield ""
    yield from _item("to do", prose.fix)
    of = rule.severities
    yield from _item(
        "severity", f"{of.alpha.word} in alpha, {of.beta.word} in beta, {of.stable.word} in stable versions"
    )
    yield from _item("directions", "judged for each change: a report names those in which it breaks, and for whom")
    presets = [preset.value for preset in Preset if preset in rule.presets]
    yield from _item("presets", ", ".join(presets))
    if isinstance(rule, ChangeRule):
        yield from _item("strikes at", "; ".join(map(_claim, rule.applies_to)) or "whatever no other rule knows")
        names = [mitigation.name for mitigation in (*rule.mitigated_by, *COMMON)]
        yield from _item("milder by", ", ".join(dict.fromkeys(names)))
    else:
        yield from _item("strikes at", "what is wrong on the new side, and was not on the old one")
    yield from _item(
        "witness", f"never: {prose.no_witness}" if prose.no_witness else "an object that shows it is looked for"
    )


def _item(name: str, text: str) -> Iterator[str]:
    body = fill(" ".join(text.split()), _WIDTH - 12)
    yield f"{name + ':':<12}{indent(body, ' ' * 12).lstrip()}"


def _claim(claim: Claim) -> str:
    how = claim.how.__name__.lower()
    if claim.trait is not None:
        return f"another {claim.trait.value}"
    return f"{how} {', '.join(sorted(kind.value for kind in claim.kinds))}"


def _letters(rule: Rule) -> str:
    letters = {Severity.SILENT: "-", Severity.INFO: "I", Severity.WARNING: "W", Severity.ERROR: "E"}
    of = rule.severities
    return "/".join(letters[severity] for severity in (of.alpha, of.beta, of.stable))
