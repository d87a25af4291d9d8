"""Two served versions fill in different values."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.rules.lifecycle.disagreement import disagreement_rule
from apigen.compat.served import Difference
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.verdict import Verdict


@disagreement_rule("default-differs-between-versions", severities="E/E/E")
def default_differs_between_versions(difference: Difference) -> Verdict | None:
    """What an object means depends on the version that somebody reads or writes it in."""
    change = difference.change
    if not isinstance(change, Altered) or change.trait is not Trait.DEFAULT:
        return None
    if difference.is_converted and _has_lens(difference):
        return None
    name = ".".join(part for part in (change.element.type, change.element.path) if part)
    before, after = value_words(change.before), value_words(change.after)
    lower, higher = difference.lower.name, difference.higher.name
    message = f"{name} is defaulted to {before} in {lower}, and to {after} in {higher}"
    hits = {
        Direction.OLD_CLIENT: depends(f"who leaves {name} out gets {before} by {lower}, and {after} by {higher}"),
        Direction.STORED: breaks(f"an object stored without {name} means {before} in {lower}, and {after} in {higher}"),
        Direction.ROLLBACK: breaks(f"what was filled in by {higher} is another value than {lower} fills in"),
    }
    return Verdict(
        message,
        hits,
    )


def _has_lens(difference: Difference) -> bool:
    """Whether the field goes by other words in one of the versions: its default is then in those words."""
    element = difference.change.element
    for version in (difference.lower, difference.higher):
        type_ = version.types.get(element.type)
        for path, _ in getattr(type_, "lenses", ()):
            if path.split(".")[0].split("[")[0] == element.path.split(".")[0].split("[")[0]:
                return True
    return False
