"""Two served versions have a field in different forms."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.rules.lifecycle.disagreement import disagreement_rule, of_both
from apigen.compat.served import Difference
from apigen.compat.surface.types import Alias, Scalar, Scalars
from apigen.compat.verdict.impact import Direction
from apigen.compat.verdict.verdict import Verdict


@disagreement_rule("type-differs-between-versions", severities="W/E/E")
def type_differs_between_versions(difference: Difference) -> Verdict | None:
    """What one version writes, the other does not take."""
    change = difference.change
    if not isinstance(change, Altered) or change.trait not in (Trait.TYPE, Trait.FORM) or difference.is_converted:
        return None
    if change.trait is Trait.FORM and {change.before, change.after} == {"alias", "enum"} and _is_text(change):
        return None
    name = ".".join(part for part in (change.element.type, change.element.path) if part)
    before, after = value_words(change.before), value_words(change.after)
    message = f"{name} is {before} in {difference.lower.name}, and {after} in {difference.higher.name}"
    higher = difference.higher.name
    hits = {
        Direction.OLD_CLIENT: f"a client of {difference.lower.name} reads {after} where it expects {before}",
        Direction.STORED: f"an object that is stored with {before} is read as {after} in {higher}",
        Direction.ROLLBACK: f"an object that was written in {higher} has {after} where {before} was",
    }
    return of_both(difference, message, hits)


def _is_text(change: Altered) -> bool:
    """Whether the alias of an alias and an enum stands for text, as the enum does."""
    types = (each.slot.type for each in (change.old, change.new) if isinstance(each, Alias))
    return all(type_ == Scalar(Scalars.STRING) for type_ in types)
