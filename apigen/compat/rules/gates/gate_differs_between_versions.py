"""A field is behind a gate in some of the served versions only."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.rules.lifecycle.disagreement import Disagreement
from apigen.compat.served import Difference
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class GateDiffersBetweenVersions(Disagreement):
    """What one version keeps out comes in by the other."""

    id = "gate-differs-between-versions"
    title = "served versions have a field behind different gates"
    severities = Severities.of("E/E/E")
    explanation = (
        "Objects are the same in all versions: a field that one version drops and another lets in is there, or is not, by the"
        " version that happened to be spoken. With a hub, the marks of the named version decide for all, and those of the others are"
        " not what they seem."
    )
    fix = "mark the field alike in all served versions"
    no_witness = "the strategy drops the field, which encoding and decoding alone do not show"

    def judge(self, difference: Difference) -> Verdict | None:
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
        return Verdict(message, hits, self.fix)
