"""What is not paired with its old state takes no more than the previous release takes."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.history.rollback import Lost
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.rule import finding


class RollbackKeepsLimits(EvolutionRule):
    """Where nothing is paired with its old state, what the previous release did not allow it rejects on every update."""

    code = "AG1351"
    can_be_acknowledged = True

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for loss in evolution.losses:
            if loss.lost is Lost.LIMIT:
                message = f"`{loss.path}` takes more than in {evolution.history.newest}: there {loss.detail}"
                related = (Related(loss.before, "as it was released"),) if loss.before else ()
                hint = "widen it behind a gate that is off at first, or pair the elements: `listType: map` or `set`"
                yield finding(loss.place, message, hint, related)
