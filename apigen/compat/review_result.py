"""What a review is once it is made."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.compat.finding import Finding
from apigen.compat.naming import Owners
from apigen.compat.rules.rule_text import RuleText
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.preset import Preset
from apigen.dataclass import dataclass, field


@dataclass(frozen=True, slots=True)
class Review:
    """What is to be said of a change. `findings` in order of the surface, silent ones included; `changes` were judged.

    `rules` are the words of those that found something; `owners` what folding asks of the types of both sides. Showing a
    review takes no more than that.
    """

    old: Surface
    new: Surface
    findings: tuple[Finding, ...]
    changes: int = 0
    preset: Preset = Preset.API
    rules: Mapping[str, RuleText] = field(default_factory=dict)
    owners: tuple[Owners, Owners] | None = None
