"""How many findings of the rules' cases have a counterexample: `python -m tests.review.counterexamples.share` prints a
table.

What is printed next to it, on the other stream, hints at rules that are too strict: nothing that was tried showed what they say.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from apigen.review.counterexamples.searching import with_counterexamples
from apigen.review.finding import Finding
from apigen.review.results import Severity
from apigen.review.rules.registry import all_rules
from tests.review.cases import POSITIVE, Case, all_cases, evaluated, sides
from tests.review.counterexamples.published import publish, published


@dataclass
class Share:
    """Of one rule: its findings, their directions, those that an object shows, and why the others have none."""

    findings: int = 0
    directions: int = 0
    counterexamples: int = 0
    never: str = ""
    reasons: list[str] = field(default_factory=list)


def shares(cases: list[Case]) -> dict[str, Share]:
    """The share of every rule that has an effect in its own positive cases."""
    found: dict[str, Share] = {}
    for case in cases:
        for finding in findings_of(case):
            share = found.setdefault(finding.rule, Share())
            share.findings += 1
            share.directions += len(finding.effects)
            share.counterexamples += len(finding.counterexamples)
            if len(finding.counterexamples) < len(finding.effects):
                share.reasons.append(f"{case.name}: {finding.element}: {finding.no_counterexample}")
    return found


def findings_of(case: Case) -> Iterator[Finding]:
    """The findings of a case's own rule, with their counterexamples."""
    with tempfile.TemporaryDirectory() as folder:
        found = with_counterexamples(evaluated(case, sides(case, Path(folder))))
    for finding in found.findings:
        if finding.rule == case.rule and finding.effects and finding.severity > Severity.SILENT:
            yield finding


def table(found: dict[str, Share]) -> str:
    """By rule: findings, directions that they affect, and those of them with a counterexample."""
    lines = ["| rule | findings | directions | shown |", "|---|---|---|---|"]
    lines += [
        f"| `{rule}` | {each.findings} | {each.directions} | {each.counterexamples} |"
        for rule, each in sorted(found.items())
    ]
    totals = (
        sum(getattr(each, name) for each in found.values()) for name in ("findings", "directions", "counterexamples")
    )
    lines.append(f"| **all** | {' | '.join(map(str, totals))} |")
    never = [rule for rule in all_rules() if rule.prose.no_counterexample]
    if never:
        lines += ["", "Rules whose findings no object can show:", "", "| rule | why |", "|---|---|"]
        lines += [
            f"| `{rule.id}` | {rule.prose.no_counterexample} |" for rule in sorted(never, key=lambda rule: rule.id)
        ]
    return "\n".join(lines)


def fallen(found: dict[str, Share], before: dict[str, Share]) -> list[str]:
    """The rules of which fewer directions are shown than before, or more are not, a sentence each."""
    lost = ((rule, each, before[rule]) for rule, each in found.items() if rule in before)
    said = [
        f"{rule}: {now.counterexamples} of {now.directions} directions are shown, and {was.counterexamples} of {was.directions} were"
        for rule, now, was in lost
        if now.counterexamples < was.counterexamples
        or now.directions - now.counterexamples > was.directions - was.counterexamples
    ]
    return said + [f"{rule}: its share is not published" for rule in found if rule not in before]


def in_docs() -> dict[str, Share]:
    """The shares that are published."""
    rows = re.findall(r"^\| `([\w-]+)` \| (\d+) \| (\d+) \| (\d+) \|$", published("share"), re.MULTILINE)
    return {rule: Share(int(findings), int(directions), int(shown)) for rule, findings, directions, shown in rows}


def main(asked: list[str]) -> int:
    """Print the table, of all rules or of the named ones, and findings without a counterexample; `--write`: into the
    docs.

    `--check`: report rules with fewer counterexamples than published; return 1 if there are any.
    """
    names = [each for each in asked if not each.startswith("--")]
    cases = [case for case in all_cases() if case.kind == POSITIVE and (not names or case.rule in names)]
    found = shares(cases)
    print(table(found))
    for share in found.values():
        for reason in share.reasons:
            print(reason, file=sys.stderr)
    if "--write" in asked:
        publish("share", table(found))
    problems = fallen(found, in_docs()) if "--check" in asked else []
    print(*problems, sep="\n", end="\n" if problems else "", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
