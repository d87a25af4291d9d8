"""Approvals: findings that somebody has looked at, and takes for a reason and for a time."""

from __future__ import annotations

from datetime import date

from apigen.compat.finding import Finding
from apigen.compat.verdict.impact import Direction
from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.diagnostics.quoting import visible
from apigen.ir.model import Release

_LONGEST = 300

Expiry = date | Release
"""When an approval ends: the last day on which it holds, or the first release for which it does not."""


@dataclass(frozen=True, slots=True)
class Approval:
    """An entry of the file. `rule`, `element`, `old` and `new` are what the fingerprint is of, for people who review it.

    Without `directions` it is for all of them. `place` is that of the entry, `expires_place` that of its end.
    """

    fingerprint: str
    rule: str
    element: str
    old: str
    new: str
    reason: str
    created: date
    expires: Expiry
    place: Place
    expires_place: Place
    owner: str = ""
    ticket: str = ""
    directions: frozenset[Direction] = frozenset()

    def is_of(self, finding: Finding) -> bool:
        """Whether the entry says what the finding says; its fingerprint aside."""
        said = (str(finding.element), finding.old, finding.new)
        return self.rule == finding.rule and (self.element, self.old, self.new) == tuple(map(as_written, said))


def as_written(text: str) -> str:
    """A text of a finding as the file has it: in one line, of characters that can be seen, and not endless."""
    shown = visible(text)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"
