"""How many findings of the rules' cases have a witness: `python -m tests.compat.witnesses.share` prints a table."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from apigen.compat.finding import Finding
from apigen.compat.verdict.severity import Severity
from apigen.compat.witnesses.searching import with_witnesses
from tests.compat.cases import POSITIVE, Case, all_cases, judged, sides


@dataclass
class Share:
    """Of one rule: its findings, their directions, those that an object shows, and why the others have none."""

    findings: int = 0
    directions: int = 0
    shown: int = 0
    never: str = ""
    reasons: list[str] = field(default_factory=list)


def shares(cases: list[Case]) -> dict[str, Share]:
    """The share of every rule that has a hit in its own positive cases."""
    found: dict[str, Share] = {}
    for case in cases:
        for finding in findings_of(case):
            share = found.setdefault(finding.rule, Share())
            share.findings += 1
            share.directions += len(finding.hits)
            share.shown += len(finding.witnesses)
            if len(finding.witnesses) < len(finding.hits):
                share.reasons.append(f"{case.name}: {finding.element}: {finding.no_witness}")
    return found


def findings_of(case: Case) -> Iterator[Finding]:
    """The findings of a case's own rule, with their witnesses."""
    with tempfile.TemporaryDirectory() as folder:
        found = with_witnesses(judged(case, sides(case, Path(folder))))
    for finding in found.findings:
        if finding.rule == case.rule and finding.hits and finding.severity > Severity.SILENT:
            yield finding


def main(names: list[str]) -> None:
    """Print the table, or the witnesses of the rules that are named."""
    cases = [case for case in all_cases() if case.kind == POSITIVE and (not names or case.rule in names)]
    found = shares(cases)
    print("| rule | findings | directions | shown |")
    print("|---|---|---|---|")
    for rule, share in sorted(found.items()):
        print(f"| `{rule}` | {share.findings} | {share.directions} | {share.shown} |")
    total = sum(share.directions for share in found.values())
    print(f"| all | {sum(s.findings for s in found.values())} | {total} | {sum(s.shown for s in found.values())} |")
    for share in found.values():
        for reason in share.reasons:
            print(reason, file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
