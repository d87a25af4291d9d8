"""One served version refuses what another accepts."""

from __future__ import annotations

from apigen.compat.changes.change import Added, Altered, AnyChange, Removed, Trait
from apigen.compat.changes.words import part_words, value_words
from apigen.compat.rules.lifecycle.disagreement import UNSEEN, disagreement_rule
from apigen.compat.served import Difference
from apigen.compat.surface.elements import ElementKind
from apigen.compat.values.hits import alike
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict

_PARTS = frozenset(
    {ElementKind.RULE, ElementKind.BRANCH, ElementKind.ENUM_VALUE, ElementKind.UNION, ElementKind.UNION_MEMBER}
)
_TRAITS = frozenset(
    {
        Trait.CONSTRAINT,
        Trait.REQUIRED,
        Trait.NULLABLE,
        Trait.OPEN,
        Trait.MEMBERS,
        Trait.OPTIONAL,
        Trait.DISCRIMINATOR,
        Trait.EMPTY,
        Trait.UNKNOWN_FIELDS,
    }
)

_TEXTS = {"alias", "enum"}
"""Forms of a type that look the same in JSON where the alias is of text; the enum accepts less."""


@disagreement_rule("validation-differs-between-versions", severities="W/E/E")
def validation_differs_between_versions(difference: Difference) -> Verdict | None:
    """An object that one version let in cannot be written by the other."""
    change = difference.change
    if not _is_about_values(change):
        return None
    lower, higher = difference.lower.name, difference.higher.name
    hit = depends(f"on whether objects are written in {lower} that {higher} does not accept, or the other way round")
    hits = alike(hit, Direction.OLD_CLIENT, Direction.NEW_CLIENT, Direction.STORED, Direction.ROLLBACK)
    tail = UNSEEN if difference.is_unproven else ""
    # generated servers validate on the hub, by the limits of one version
    is_mild = difference.is_converted or difference.is_unproven
    severities = Severities.of("I/W/W") if is_mild else None
    message = f"{_words(change, lower, higher)}{tail}"
    return Verdict(message, hits, severities=severities, is_unproven=difference.is_unproven)


def _is_about_values(change: AnyChange) -> bool:
    if isinstance(change, Altered):
        return change.trait in _TRAITS or (change.trait is Trait.FORM and {change.before, change.after} == _TEXTS)
    return change.element.kind in _PARTS


def _words(change: AnyChange, lower: str, higher: str) -> str:
    match change:
        case Added(part=part):
            return f"{change.element.type}: {part_words(part)} is in {higher}, and not in {lower}"
        case Removed(part=part):
            return f"{change.element.type}: {part_words(part)} is in {lower}, and not in {higher}"
    trait = change.keyword.value if change.keyword else change.trait.value
    name = ".".join(part for part in (change.element.type, change.element.path) if part)
    return f"{trait} of {name} is {value_words(change.before)} in {lower}, and {value_words(change.after)} in {higher}"
