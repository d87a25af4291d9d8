"""Served versions of a kind that disagree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from apigen.compat.changes.change import Added, Altered, AnyChange, Removed, Trait
from apigen.compat.changes.words import part_words, sides, value_words
from apigen.compat.context import Context
from apigen.compat.gating import OF_TYPES, Openness, Use
from apigen.compat.rules.guards import has_several_versions
from apigen.compat.rules.rule import Issue, StateRule
from apigen.compat.served import Difference
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Alias, Scalar, Scalars
from apigen.compat.values.hits import alike
from apigen.compat.verdict.impact import Direction, Hit, Impact, breaks, depends
from apigen.compat.verdict.severity import Severities, Severity
from apigen.compat.verdict.verdict import Verdict
from apigen.dataclass import replace

UNSEEN = ": whether the code that converts makes that good is not proven"


def disagreement_rule(id_: str, *, severities: str) -> Callable[[Callable[[Difference], Verdict | None]], StateRule]:
    """Make a function the rule `id_` about differences of served versions; it returns None for those that it does not handle.

    Differences that the base has, too, are not reported.
    """
    of_stability = Severities.of(severities)

    def row(judge: Callable[[Difference], Verdict | None]) -> StateRule:
        def check(surface: Surface, context: Context) -> Iterator[Issue]:
            openness = context.new_openness if surface is context.new else context.old_openness
            for difference in context.served(surface):
                verdict = judge(difference)
                if verdict is None:
                    continue
                change = difference.change
                if _is_closed(difference, openness):
                    verdict = _milder(verdict, verdict.severities or of_stability)
                one, other = (side or "nothing" for side in sides(change))
                yield Issue(change.element, change.new_place, verdict, f"{difference.pair}: {one} -> {other}")

        return StateRule(id_, has_several_versions, of_stability, check, judge.__module__, compares_versions=True)

    return row


def of_both(difference: Difference, message: str, hits: Mapping[Direction, str]) -> Verdict:
    """A verdict on objects that are written in one version, and read or stored in the other."""
    make = depends if difference.is_unproven else breaks
    tail = UNSEEN if difference.is_unproven else ""
    made = {direction: make(text) for direction, text in hits.items()}
    severities = Severities.of("W/W/W") if difference.is_unproven else None
    return Verdict(f"{message}{tail}", made, severities=severities, is_unproven=difference.is_unproven)


def _is_closed(difference: Difference, openness: Openness) -> bool:
    """Whether no version has objects with it unless somebody switched a gate on."""
    element = difference.change.element
    versions = (difference.lower.name, difference.higher.name)
    uses = {openness.use(replace(element, version=version)) for version in versions}
    return element.kind in OF_TYPES and Use.NEVER in uses and Use.OPEN not in uses


def _milder(verdict: Verdict, severities: Severities) -> Verdict:
    hits = {direction: Hit(Impact.DEPENDS, hit.text) for direction, hit in verdict.hits.items()}
    capped = (min(each, Severity.WARNING) for each in (severities.alpha, severities.beta, severities.stable))
    return replace(verdict, message=f"{verdict.message}; its gate is off", hits=hits, severities=Severities(*capped))


@disagreement_rule("field-in-some-versions-only", severities="E/E/E")
def field_in_some_versions_only(difference: Difference) -> Verdict | None:
    """Who writes the object in the version without it deletes the field."""
    change = difference.change
    if not isinstance(change, Added | Removed) or change.element.kind is not ElementKind.FIELD:
        return None
    if difference.is_converted:
        return None
    has, lacks = difference.higher.name, difference.lower.name
    if isinstance(change, Removed):
        has, lacks = lacks, has
    field = ".".join(part for part in (change.element.type, change.element.path) if part)
    hits = {
        Direction.OLD_CLIENT: f"a client that writes the object in {lacks} deletes {field}",
        Direction.STORED: f"an object that is stored in {lacks} has no {field}",
        Direction.ROLLBACK: f"what was written in {lacks} meanwhile has lost {field}",
    }
    return of_both(difference, f"{field} is in {has}, and {lacks}, which is served too, loses it", hits)


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
    return Verdict(message, hits)


def _has_lens(difference: Difference) -> bool:
    """Whether the field goes by other words in one of the versions: its default is then in those words."""
    element = difference.change.element
    for version in (difference.lower, difference.higher):
        type_ = version.types.get(element.type)
        for path, _ in getattr(type_, "lenses", ()):
            if path.split(".")[0].split("[")[0] == element.path.split(".")[0].split("[")[0]:
                return True
    return False


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
