"""A difference between two types that replace each other, evaluated."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.verdict.impact import Hits
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict
from apigen.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Inner:
    """A nested change, and what is left of the verdict of its rule after that rule's own mitigations."""

    change: AnyChange
    verdict: Verdict
    hits: Hits
    severities: Severities
