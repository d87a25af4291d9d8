"""Served versions of a kind that disagree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from apigen.dataclass import replace
from apigen.review.changes.change import Added, Altered, AnyChange, Removed, Trait
from apigen.review.changes.words import part_words, sides, value_words
from apigen.review.context import Context
from apigen.review.effects.effects import everywhere
from apigen.review.gating import OF_TYPES, Openness, Use
from apigen.review.rules.guards import has_several_versions
from apigen.review.rules.rule import Issue, StateRule
from apigen.review.served import Difference
from apigen.review.surface import Alias, ElementKind, Scalar, Scalars, Struct, Surface
from apigen.review.verdict.impact import Direction, breaks, depends
from apigen.review.verdict.severity import Severities, Severity
from apigen.review.verdict.verdict import Verdict

UNSEEN = "whether the code that converts makes up for it"


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
    made = {direction: make(text) for direction, text in hits.items()}
    severities = Severities.of("W/W/W") if difference.is_unproven else None
    return Verdict(message, made, severities=severities, not_verified=UNSEEN if difference.is_unproven else "")


def _is_closed(difference: Difference, openness: Openness) -> bool:
    """Whether no version has objects with it unless somebody switched a gate on."""
    element = difference.change.element
    versions = (difference.lower.name, difference.higher.name)
    uses = {openness.use(replace(element, version=version)) for version in versions}
    return element.kind in OF_TYPES and Use.NEVER in uses and Use.OPEN not in uses


def _milder(verdict: Verdict, severities: Severities) -> Verdict:
    hits = {direction: depends(hit.text) for direction, hit in verdict.hits.items()}
    message = f"{verdict.message}; its gate is off"
    return replace(verdict, message=message, hits=hits, severities=severities.capped(Severity.WARNING))


@disagreement_rule("field-in-some-versions-only", severities="E/E/E")
def field_in_some_versions_only(difference: Difference) -> Verdict | None:
    """A client that writes the object in the version without the field deletes the field."""
    change, lower, higher = difference.change, difference.lower.name, difference.higher.name
    if isinstance(change, Altered) or change.element.kind is not ElementKind.FIELD or difference.is_converted:
        return None
    has, lacks = (higher, lower) if isinstance(change, Added) else (lower, higher)
    field = change.element.name
    hits = {
        Direction.OLD_CLIENT: f"a client that writes the object in {lacks} deletes {field}",
        Direction.STORED: f"an object that is stored in {lacks} has no {field}",
        Direction.ROLLBACK: f"what was written in {lacks} meanwhile has lost {field}",
    }
    return of_both(difference, f"{field} is in {has}, and {lacks}, which is served too, loses it", hits)


@disagreement_rule("type-differs-between-versions", severities="W/E/E")
def type_differs_between_versions(difference: Difference) -> Verdict | None:
    """A value that one version writes is not valid in the other."""
    change, lower, higher = difference.change, difference.lower.name, difference.higher.name
    if not isinstance(change, Altered) or change.trait not in (Trait.TYPE, Trait.FORM) or difference.is_converted:
        return None
    if _is_alias_or_enum(change) and _is_text(change):
        return None
    before, after = value_words(change.before), value_words(change.after)
    message = f"{change.element.name} is {before} in {lower}, and {after} in {higher}"
    hits = {
        Direction.OLD_CLIENT: f"a client of {lower} reads {after} where it expects {before}",
        Direction.STORED: f"an object that is stored with {before} is read as {after} in {higher}",
        Direction.ROLLBACK: f"an object that was written in {higher} has {after} where {before} was",
    }
    return of_both(difference, message, hits)


def _is_alias_or_enum(change: Altered) -> bool:
    """Whether a type is an alias in one version and an enum in the other: both may be strings, and the enum accepts less."""
    return change.trait is Trait.FORM and {change.before, change.after} == {"alias", "enum"}


def _is_text(change: Altered) -> bool:
    """Whether the alias of an alias and an enum stands for text, as the enum does."""
    types = (each.slot.type for each in (change.old, change.new) if isinstance(each, Alias))
    return all(type_ == Scalar(Scalars.STRING) for type_ in types)


@disagreement_rule("default-differs-between-versions", severities="E/E/E")
def default_differs_between_versions(difference: Difference) -> Verdict | None:
    """What an object means depends on the version in which a client reads or writes it."""
    change, lower, higher = difference.change, difference.lower.name, difference.higher.name
    if not isinstance(change, Altered) or change.trait is not Trait.DEFAULT:
        return None
    if difference.is_converted and _has_lens(difference):
        return None
    name = change.element.name
    before, after = value_words(change.before), value_words(change.after)
    message = f"{name} is defaulted to {before} in {lower}, and to {after} in {higher}"
    hits = {
        Direction.OLD_CLIENT: depends(f"who leaves {name} out gets {before} by {lower}, and {after} by {higher}"),
        Direction.STORED: breaks(f"an object stored without {name} means {before} in {lower}, and {after} in {higher}"),
        Direction.ROLLBACK: breaks(f"what was filled in by {higher} is another value than {lower} fills in"),
    }
    return Verdict(message, hits)


def _has_lens(difference: Difference) -> bool:
    """Whether a version has a lens for the field: the default then has the form of that version."""
    element = difference.change.element
    types = (version.types.get(element.type) for version in (difference.lower, difference.higher))
    lenses = (path for type_ in types if isinstance(type_, Struct) for path, _ in type_.lenses)
    return any(_first_name(path) == _first_name(element.path) for path in lenses)


def _first_name(path: str) -> str:
    return path.split(".")[0].split("[")[0]


_PARTS_ABOUT_VALUES = frozenset(
    {ElementKind.RULE, ElementKind.BRANCH, ElementKind.ENUM_VALUE, ElementKind.UNION, ElementKind.UNION_MEMBER}
)
_TRAITS_ABOUT_VALUES = frozenset(
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


@disagreement_rule("validation-differs-between-versions", severities="W/E/E")
def validation_differs_between_versions(difference: Difference) -> Verdict | None:
    """An object that one version accepts cannot be written in the other."""
    change, lower, higher = difference.change, difference.lower.name, difference.higher.name
    if isinstance(change, Altered):
        is_about_values = change.trait in _TRAITS_ABOUT_VALUES or _is_alias_or_enum(change)
    else:
        is_about_values = change.element.kind in _PARTS_ABOUT_VALUES
    if not is_about_values:
        return None
    hit = depends(f"on whether objects are written in {lower} that {higher} does not accept, or the other way round")
    # generated servers validate on the hub, by the limits of one version
    is_mild = difference.is_converted or difference.is_unproven
    severities = Severities.of("I/W/W") if is_mild else None
    reason = UNSEEN if difference.is_unproven else ""
    return Verdict(_words(change, lower, higher), everywhere(hit), severities=severities, not_verified=reason)


def _words(change: AnyChange, lower: str, higher: str) -> str:
    match change:
        case Added(part=part):
            return f"{change.element.type}: {part_words(part)} is in {higher}, and not in {lower}"
        case Removed(part=part):
            return f"{change.element.type}: {part_words(part)} is in {lower}, and not in {higher}"
    trait = change.keyword.value if change.keyword else change.trait.value
    return f"{trait} of {change.element.name} is {value_words(change.before)} in {lower}, and {value_words(change.after)} in {higher}"
