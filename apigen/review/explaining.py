"""The output of `apigen explain` for the rules of a review."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill, indent

from apigen.review.mitigations import COMMON
from apigen.review.results import Preset
from apigen.review.rules.registry import all_rules
from apigen.review.rules.rule import ChangeRule, ChangeSelector, Rule

_WIDTH = 100
_INDENT = len("counterexample: ")


def rule_named(id_: str) -> Rule | None:
    """Return the rule with an id, in upper or lower case, or `None`."""
    lower_id = id_.lower()
    return next((rule for rule in all_rules() if rule.id == lower_id), None)


def rule_ids() -> tuple[str, ...]:
    """Return the ids of all rules, in the order in which they are evaluated."""
    return tuple(rule.id for rule in all_rules())


def rule_list() -> str:
    """Return a line for each rule: its id, its severities in alpha, beta and stable versions, and its title."""
    rules = all_rules()
    widest = max(len(rule.id) for rule in rules)
    return "".join(f"{rule.id:<{widest}}  {rule.severities.letters}  {rule.prose.title}\n" for rule in rules)


def rule_explanation(rule: Rule) -> str:
    """Return the explanation of a rule with its severities, presets and mitigations."""
    return "\n".join(_paragraphs(rule)) + "\n"


def _paragraphs(rule: Rule) -> Iterator[str]:
    prose = rule.prose
    yield f"{rule.id}: {prose.title}\n"
    yield fill(prose.explanation, _WIDTH)
    yield ""
    yield from _item("fix", prose.fix)
    for name, fix in prose.fixes:
        yield from _item("", f"for {name}: {fix}")
    of = rule.severities
    yield from _item(
        "severity", f"{of.alpha.word} in alpha, {of.beta.word} in beta, {of.stable.word} in stable versions"
    )
    yield from _item("directions", "evaluated for each change; a report lists the affected directions")
    presets = [preset.value for preset in Preset if preset in rule.presets]
    yield from _item("presets", ", ".join(presets))
    if isinstance(rule, ChangeRule):
        yield from _item(
            "applies to", "; ".join(map(_selected, rule.applies_to)) or "changes that no other rule handles"
        )
        names = [mitigation.name for mitigation in (*rule.mitigated_by, *COMMON)]
        yield from _item("mitigated by", ", ".join(dict.fromkeys(names)))
    else:
        yield from _item("applies to", "problems of the revision that the base does not have")
    yield from _item(
        "counterexample",
        f"never: {prose.no_counterexample}" if prose.no_counterexample else "the review searches for one",
    )


def _item(name: str, text: str) -> Iterator[str]:
    body = fill(" ".join(text.split()), _WIDTH - _INDENT)
    yield f"{f'{name}:' if name else '':<{_INDENT}}{indent(body, ' ' * _INDENT).lstrip()}"


def _selected(selector: ChangeSelector) -> str:
    how = selector.how.__name__.lower()
    if selector.trait is not None:
        return f"another {selector.trait.value}"
    return f"{how} {', '.join(sorted(kind.value for kind in selector.kinds))}"
