"""The output of `apigen explain` for the rules of a review."""

from __future__ import annotations

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
    prose, of = rule.prose, rule.severities
    applies_to, mitigated_by = "problems of the revision that the base does not have", ""
    if isinstance(rule, ChangeRule):
        applies_to = "; ".join(map(_selected, rule.applies_to)) or "changes that no other rule handles"
        mitigated_by = ", ".join(dict.fromkeys(each.name for each in (*rule.mitigated_by, *COMMON)))
    never = f"never: {prose.no_counterexample}" if prose.no_counterexample else "the review searches for one"
    items = (
        ("fix:", prose.fix),
        *(("", f"for {name}: {fix}") for name, fix in prose.fixes),
        ("severity:", f"{of.alpha.word} in alpha, {of.beta.word} in beta, {of.stable.word} in stable versions"),
        ("directions:", "evaluated for each change; a report lists the affected directions"),
        ("presets:", ", ".join(preset.value for preset in Preset if preset in rule.presets)),
        ("applies to:", applies_to),
        *((("mitigated by:", mitigated_by),) if mitigated_by else ()),
        ("counterexample:", never),
    )
    lines = (f"{rule.id}: {prose.title}\n", fill(prose.explanation, _WIDTH), "", *(_item(*each) for each in items))
    return "\n".join(lines) + "\n"


def _item(name: str, text: str) -> str:
    body = fill(" ".join(text.split()), _WIDTH - _INDENT)
    return f"{name:<{_INDENT}}{indent(body, ' ' * _INDENT).lstrip()}"


def _selected(selector: ChangeSelector) -> str:
    how = selector.how.__name__.lower()
    if selector.trait is not None:
        return f"another {selector.trait.value}"
    return f"{how} {', '.join(sorted(kind.value for kind in selector.kinds))}"
