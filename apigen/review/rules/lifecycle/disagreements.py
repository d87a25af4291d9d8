"""Differences between served versions of a kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import wraps

from apigen.dataclass import replace
from apigen.ir.surface import Alias, ElementKind, Scalar, Scalars, Struct, Surface
from apigen.review.changes.change import Added, Altered, AnyChange, Removed, Trait
from apigen.review.changes.words import part_words, sides, value_words
from apigen.review.context import Context
from apigen.review.gating import OF_TYPES, Openness, Use
from apigen.review.results import Direction, RuleResult, Severities, Severity, breaks, depends, everywhere
from apigen.review.rules.rule import Issue, StateRule, state_rule
from apigen.review.served import Difference

UNSEEN = "apigen does not know whether the conversion code handles the difference"


def disagreement_rule(
    id_: str, *, severities: str, most_if_disabled: Severity = Severity.WARNING
) -> Callable[[Callable[[Difference], RuleResult | None]], StateRule]:
    """Make a function the rule `id_` about differences of served versions; it returns None for those that it does not handle.

    Differences that the base has, too, are not reported: neither is one that a gate enables later. `most_if_disabled` is
    the highest severity of a difference behind a gate that is disabled by default.
    """
    of_stability = Severities.of(severities)

    def row(evaluate: Callable[[Difference], RuleResult | None]) -> StateRule:
        @wraps(evaluate)
        def check(surface: Surface, context: Context) -> Iterator[Issue]:
            openness = context.facts(surface).openness
            for difference in context.facts(surface).served:
                result = evaluate(difference)
                if result is None:
                    continue
                change = difference.change
                if _is_closed(difference, openness):
                    result = _disabled(result, (result.severities or of_stability).capped(most_if_disabled))
                one, other = (side or "unset" for side in sides(change))
                yield Issue(change.element, change.new_place, result, f"{difference.pair}: {one} -> {other}")

        return state_rule(id_, severities=severities)(check)

    return row


def of_both(difference: Difference, message: str, effects: Mapping[Direction, str]) -> RuleResult:
    """Return the result for objects that are written in one version, and read or stored in the other."""
    make = depends if difference.is_unproven else breaks
    effect_of = {direction: make(text) for direction, text in effects.items()}
    severities = Severities.of("W/W/W") if difference.is_unproven else None
    return RuleResult(message, effect_of, severities=severities, not_verified=UNSEEN if difference.is_unproven else "")


def _is_closed(difference: Difference, openness: Openness) -> bool:
    """Return whether no version has objects with the element unless a gate is enabled."""
    element = difference.change.element
    versions = (difference.lower.name, difference.higher.name)
    uses = {openness.use(replace(element, version=version)) for version in versions}
    return element.kind in OF_TYPES and Use.NEVER in uses and Use.OPEN not in uses


def _disabled(result: RuleResult, severities: Severities) -> RuleResult:
    effects = {direction: depends(effect.text) for direction, effect in result.effects.items()}
    message = f"{result.message}; its feature gate is disabled"
    return replace(result, message=message, effects=effects, severities=severities)


@disagreement_rule("field-in-some-versions-only", severities="E/E/E")
def field_in_some_versions_only(difference: Difference) -> RuleResult | None:
    """A client that writes the object in the version without the field deletes the field."""
    change, lower, higher = difference.change, difference.lower.name, difference.higher.name
    if isinstance(change, Altered) or change.element.kind is not ElementKind.FIELD or difference.is_converted:
        return None
    has, lacks = (higher, lower) if isinstance(change, Added) else (lower, higher)
    field = change.element.name
    effects = {
        Direction.OLD_CLIENT: f"clients that write the object in {lacks} delete `{field}`",
        Direction.STORED: f"objects that are stored in {lacks} lose `{field}`",
        Direction.ROLLBACK: f"objects that were written in {lacks} have lost `{field}`",
    }
    return of_both(difference, f"`{field}` is in {has} but not in {lacks}, which is served, too", effects)


@disagreement_rule("type-differs-between-versions", severities="W/E/E")
def type_differs_between_versions(difference: Difference) -> RuleResult | None:
    """A value that one version writes is not valid in the other."""
    change, lower, higher = difference.change, difference.lower.name, difference.higher.name
    if not isinstance(change, Altered) or change.trait not in (Trait.TYPE, Trait.FORM) or difference.is_converted:
        return None
    if _is_alias_or_enum(change) and _is_text(change):
        return None
    before, after = value_words(change.before), value_words(change.after)
    message = f"type of `{change.element.name}` differs: {before} in {lower}, {after} in {higher}"
    effects = {
        Direction.OLD_CLIENT: f"clients of {lower} expect {before}, and read {after}",
        Direction.STORED: f"objects stored with {before} are read as {after} in {higher}",
        Direction.ROLLBACK: f"objects written in {higher} contain {after} instead of {before}",
    }
    return of_both(difference, message, effects)


def _is_alias_or_enum(change: Altered) -> bool:
    """Return whether a type is an alias in one version and an enum in the other: both may be strings, and the enum is stricter."""
    return change.trait is Trait.FORM and {change.before, change.after} == {"alias", "enum"}


def _is_text(change: Altered) -> bool:
    """Return whether the alias of an alias and an enum is a string, like the enum."""
    types = (each.slot.type for each in (change.old, change.new) if isinstance(each, Alias))
    return all(type_ == Scalar(Scalars.STRING) for type_ in types)


@disagreement_rule("default-differs-between-versions", severities="E/E/E", most_if_disabled=Severity.ERROR)
def default_differs_between_versions(difference: Difference) -> RuleResult | None:
    """The meaning of an object depends on the version of the request."""
    change, lower, higher = difference.change, difference.lower.name, difference.higher.name
    if not isinstance(change, Altered) or change.trait is not Trait.DEFAULT:
        return None
    if difference.is_converted and _has_lens(difference):
        return None
    name = change.element.name
    before, after = value_words(change.before), value_words(change.after)
    message = f"default of `{name}` differs: {before} in {lower}, {after} in {higher}"
    effects = {
        Direction.OLD_CLIENT: depends(f"clients that omit `{name}` get {before} in {lower}, and {after} in {higher}"),
        Direction.STORED: breaks(f"an object stored without `{name}` has {before} in {lower}, and {after} in {higher}"),
        Direction.ROLLBACK: breaks(f"the default that {higher} set differs from the one of {lower}"),
    }
    return RuleResult(message, effects)


def _has_lens(difference: Difference) -> bool:
    """Return whether a version has a lens for the field: its default then has the form of that version."""
    element = difference.change.element
    types = (version.types.get(element.type) for version in (difference.lower, difference.higher))
    lenses = (lens for type_ in types if isinstance(type_, Struct) for lens in type_.lenses)
    return any(_first_name(lens.place) == _first_name(element.path) for lens in lenses)


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
def validation_differs_between_versions(difference: Difference) -> RuleResult | None:
    """An object that one version accepts cannot be written in the other."""
    change, lower, higher = difference.change, difference.lower.name, difference.higher.name
    if isinstance(change, Altered):
        is_about_values = change.trait in _TRAITS_ABOUT_VALUES or _is_alias_or_enum(change)
    else:
        is_about_values = change.element.kind in _PARTS_ABOUT_VALUES
    if not is_about_values:
        return None
    effect = depends(f"objects that are valid in one of {lower} and {higher} may be rejected in the other")
    # generated servers validate on the hub, with the constraints of one version
    is_mild = difference.is_converted or difference.is_unproven
    severities = Severities.of("I/W/W") if is_mild else None
    reason = UNSEEN if difference.is_unproven else ""
    return RuleResult(_words(change, lower, higher), everywhere(effect), severities=severities, not_verified=reason)


def _words(change: AnyChange, lower: str, higher: str) -> str:
    match change:
        case Added(part=part):
            return f"{part_words(part)} of `{change.element.type}` is in {higher} but not in {lower}"
        case Removed(part=part):
            return f"{part_words(part)} of `{change.element.type}` is in {lower} but not in {higher}"
    return f"{change.label} of `{change.element.name}` differs: {value_words(change.before)} in {lower}, {value_words(change.after)} in {higher}"
