"""Rules about fields and values that a rollback to the previous release loses."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.history.rollback import Lost, RollbackLoss
from apigen.ir.stability import Stability, stability
from apigen.lint.evolution.evolution import Evolution, evolution_rule
from apigen.lint.rule import finding


@evolution_rule("AG1350", can_be_acknowledged=True)
def rollback_keeps_fields(evolution: Evolution) -> Iterator[Diagnostic]:
    """A rollback loses a new field that every client may set at once. (api_changes.md, "Adding unstable features to stable
    versions"; feature-gates.md) Alpha versions are not checked. The rule gate-enabled-too-early of the review reports fields behind a gate that is enabled.
    """
    for loss in evolution.losses:
        promises = stability(loss.version) is not Stability.ALPHA
        if promises and loss.lost is Lost.FIELD and loss.before is None and not loss.gates:
            yield _finding(loss, evolution)


def _finding(loss: RollbackLoss, evolution: Evolution) -> Diagnostic:
    newest = evolution.history.newest
    return finding(
        loss.place,
        f"`{loss.path}` is new in {evolution.release} and not behind a feature gate; servers of {newest} drop the field, so a"
        " rollback loses it",
        "put it behind a feature gate that is alpha in this release: `featureGate: NAME`, and in features.yaml"
        f' `NAME: {{stages: [{{release: "{evolution.release}", stage: alpha}}]}}`',
    )


@evolution_rule("AG1351", can_be_acknowledged=True)
def rollback_keeps_limits(evolution: Evolution) -> Iterator[Diagnostic]:
    """A server of the previous release rejects updates with values that it does not allow, unless it ratchets them."""
    for loss in evolution.losses:
        if loss.lost is Lost.LIMIT:
            newest = evolution.history.newest
            message = (
                f"constraint of `{loss.path}` was loosened: release {newest} {loss.detail}; servers of {newest} reject updates of"
                " objects that use the new values"
            )
            related = (Related(loss.before, f"in release {newest}"),) if loss.before else ()
            hint = (
                f"restore the constraint, or if no server of {newest} will run next to this release, suppress the finding:"
                " `ignore: {AG1351: REASON}`"
            )
            yield finding(loss.place, message, hint, related)
