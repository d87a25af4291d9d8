"""A field begins behind a gate that is off."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic
from apigen.history.rollback import Lost, RollbackLoss
from apigen.ir.stability import Stability, stability
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.rule import finding


class RollbackKeepsFields(EvolutionRule):
    """A new field that everybody may write at once is lost by a rollback. (api_changes.md, "Adding unstable features
    to stable versions"; feature-gates.md). Versions in alpha promise nothing. What is behind a gate that is on is said
    of the gate.
    """

    code = "AG1350"
    can_be_acknowledged = True

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for loss in evolution.losses:
            promises = stability(loss.version) is not Stability.ALPHA
            if promises and loss.lost is Lost.FIELD and loss.before is None and not loss.gates:
                yield _finding(loss, evolution)


def _finding(loss: RollbackLoss, evolution: Evolution) -> Diagnostic:
    newest = evolution.history.newest
    return finding(
        loss.place,
        f"`{loss.path}` is new, and anybody may set it in {evolution.release}: {newest} does not know it,"
        " so that a rollback loses it",
        "let it begin behind a gate that is alpha in this release: `featureGate: NAME`, and in features.yaml"
        f' `NAME: {{stages: [{{release: "{evolution.release}", stage: alpha}}]}}`',
    )
