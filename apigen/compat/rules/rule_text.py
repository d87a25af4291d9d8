"""What reports tell of a rule."""

from __future__ import annotations

from apigen.compat.verdict.severity import Severities
from apigen.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class RuleText:
    """The words of a rule that has struck. They are part of a review, so that one that was kept needs no rules to be shown.

    `is_of_state`: it judges one side alone. `is_of_documentation`: what it finds changes nothing but texts.
    """

    id: str
    title: str
    severities: Severities
    explanation: str
    fix: str
    is_of_state: bool = False
    is_of_documentation: bool = False
