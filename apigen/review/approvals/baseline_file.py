"""A file of known findings, for projects that begin to review late: known findings are counted, and never fail a review."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.files.whole_file import write_whole
from apigen.review.approvals.approval import Matched, as_written
from apigen.review.finding import Finding

_HEADER = """\
# Findings that `apigen diff` reported before this project reviewed its changes: they are counted but do not fail a review.
# `apigen diff --baseline FILE --write-baseline` writes this file.
"""
_ENTRY = re.compile(r"([0-9a-f]{16}) \S.*")


@dataclass(frozen=True, slots=True)
class Baselined:
    """The findings of a review that its baseline lists, and the entries that match no finding."""

    file: str = ""
    findings: tuple[Finding, ...] = ()
    stale: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BaselineFile:
    """A baseline: its path, the path as reports show it, and its lines by fingerprint.

    Each line has a fingerprint, a rule and an element, so that branches merge it line by line. Only the fingerprint is
    compared.
    """

    path: Path
    display_path: str
    entries: Mapping[str, str] = field(default_factory=dict)

    def apply(self, matched: Matched, findings: Iterable[Finding]) -> tuple[Matched, Baselined]:
        """Take known findings out of the open ones. `findings` are all of the review: entries without one are stale."""
        still = {finding.fingerprint for finding in findings}
        known = tuple(finding for finding in matched.open if finding.fingerprint in self.entries)
        open_findings = tuple(finding for finding in matched.open if finding.fingerprint not in self.entries)
        stale = tuple(line for fingerprint, line in self.entries.items() if fingerprint not in still)
        return replace(matched, open=open_findings), Baselined(self.display_path, known, stale)

    def write(self, findings: Iterable[Finding]) -> BaselineFile:
        """Replace the entries by these findings, and return the new file. Raises OSError."""
        lines = {
            each.fingerprint: f"{each.fingerprint} {each.rule} {as_written(str(each.element))}" for each in findings
        }
        ordered = dict(sorted(lines.items(), key=lambda item: item[1].split(" ", 1)[1]))
        write_whole(self.path, (_HEADER + "".join(f"{line}\n" for line in ordered.values())).encode())
        return replace(self, entries=ordered)


def read_baseline(path: Path, display_path: str, report: Report) -> BaselineFile:
    """Read a baseline. Reports AG1428 for a file that cannot be read, and for each line that is not an entry."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        hint = f"write it: apigen diff --baseline {quote(display_path)[1:-1]} --write-baseline"
        report.error("AG1428", Place(display_path), f"cannot read the baseline {quote(display_path)}", hint=hint)
        return BaselineFile(path, display_path)
    entries: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        match = _ENTRY.fullmatch(line.strip())
        if match is not None:
            entries[match[1]] = line.strip()
        elif line.strip() and not line.lstrip().startswith("#"):
            message = f"expected a fingerprint, a rule and an element, found {quote(line.strip())}"
            report.error(
                "AG1428", Place(display_path, number, 1), message, hint="remove the line, or write the file again"
            )
    return BaselineFile(path, display_path, entries)
