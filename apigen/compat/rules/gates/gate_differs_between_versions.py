"""A field is behind a gate in some of the served versions only."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.rules.lifecycle.disagreement import disagreement_rule
from apigen.compat.served import Difference
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.verdict import Verdict


@disagreement_rule("gate-differs-between-versions", severities="E/E/E")
def gate_differs_between_versions(difference: Difference) -> Verdict | None:
    """What one version keeps out comes in by the other."""
    change = difference.change
    if (
        not isinstance(change, Altered)
        or change.trait is not Trait.GATE
        or change.element.kind is not ElementKind.FIELD
    ):
        return None
    before, after = value_words(change.before), value_words(change.after)
    lower, higher = difference.lower.name, difference.higher.name
    name = f"{change.element.type}.{change.element.path}"
    hits = {
        Direction.OLD_CLIENT: depends(f"a client that sets {name} loses it by the version that it speaks"),
        Direction.NEW_CLIENT: depends(f"a client that sets {name} loses it by the version that it speaks"),
        Direction.STORED: breaks(f"{name} is in stored objects or is not by the version that wrote them"),
        Direction.ROLLBACK: breaks(f"{name} is in stored objects or is not by the version that wrote them"),
    }
    message = f"{name} is behind {before} in {lower}, and behind {after} in {higher}"
    return Verdict(
        message,
        hits,
    )
