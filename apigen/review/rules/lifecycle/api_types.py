"""Types that are added or removed, and references to less stable ones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apigen.diagnostics import Place
from apigen.ir.model import Lifecycle
from apigen.ir.stability import stability, version_rank
from apigen.ir.surface import Alias, Element, ElementKind, Struct, Surface, TypeDef, TypeName, Version
from apigen.review.changes.change import Added, Removed
from apigen.review.context import Context
from apigen.review.gating import Use, is_never_enabled
from apigen.review.links import names_in, names_in_slot
from apigen.review.results import Direction, Preset, RuleResult, alike, breaks, depends
from apigen.review.rules.rule import Issue, added, at, change_rule, note, removed, state_rule, version_of
from apigen.review.windows import is_inherited


@change_rule(
    "type-removed",
    removed(ElementKind.STRUCT),
    removed(ElementKind.ENUM),
    removed(ElementKind.ALIAS),
    severities="W/E/E",
)
def type_removed(change: Removed, context: Context) -> RuleResult:
    """Usually a consequence: the fields that used the type, or its kind, were removed."""
    element = change.element
    message = f"{element.kind} `{element.type}` was removed from {version_of(element)}"
    versions = [side.version(element.group, element.version) for side in (context.old, context.new)]
    if context.preset is Preset.SOURCE:
        text = f"code that uses the class `{element.type}` fails to import it"
    elif all(version is None or not version.kinds for version in versions):
        text = f"APIs that use {element.version} `{element.type}` do not find it"
    else:
        return note(f"{message}{_why(element, context)}", "no action is needed")
    return RuleResult(message, {Direction.OLD_CLIENT: breaks(text)})


def _why(element: Element, context: Context) -> str:
    kinds = sorted(context.old_facts.reach.kinds(element.type_name))
    version = context.old.version(element.group, element.version)
    if version is not None and element.type.removesuffix("List") in version.kinds and element.type.endswith("List"):
        return "; it was the list type of a kind"
    if not kinds:
        return "; no kind used it"
    return f"; it was part of {kinds[0]}{' and other kinds' if len(kinds) > 1 else ''}, where its field or kind was removed"


@change_rule(
    "type-added", added(ElementKind.STRUCT), added(ElementKind.ENUM), added(ElementKind.ALIAS), severities="I/I/I"
)
def type_added(change: Added, context: Context) -> RuleResult:
    """Fields that use the type have findings of their own."""
    element = change.element
    return note(f"{element.kind} `{element.type}` was added to {version_of(element)}")


_WORD = re.compile(r"[^\s/]+")


@state_rule("replacement-is-less-stable", severities="W/E/E", is_about_plans=True)
def replacement_is_less_stable(surface: Surface, context: Context) -> Iterator[Issue]:
    """A less stable version may be removed before the deprecated version."""
    for version in surface.versions():
        element = Element(ElementKind.VERSION, version.group, version.name)
        yield from _less_stable(element, version.lifecycle, version.place)
        for kind in version.kinds.values():
            if not is_inherited(kind.lifecycle, version.lifecycle):
                below = Element(ElementKind.KIND, version.group, version.name, kind.kind)
                yield from _less_stable(below, kind.lifecycle, kind.place)


def _less_stable(element: Element, life: Lifecycle, place: Place) -> Iterator[Issue]:
    replacement = str(life.replacement or "")
    named = [word for word in _WORD.findall(replacement) if version_rank(word) is not None]
    if not named or stability(named[0]) >= stability(element.version):
        return
    message = f"{element.words} is deprecated in favor of {replacement}, which is {stability(named[0])}"
    effect = depends(f"clients that migrate go from {stability(element.version)} to {stability(named[0])}")
    yield Issue(element, place, RuleResult(message, {Direction.OLD_CLIENT: effect}), replacement)


@state_rule("stable-refers-to-unstable", severities="-/W/E")
def stable_refers_to_unstable(surface: Surface, context: Context) -> Iterator[Issue]:
    """A field is at most as stable as the version of its type."""
    links = context.facts(surface).links
    for version in surface.versions(own=True):
        for type_ in version.types.values():
            if any(stability(named.version) < stability(version.name) for named in links.of(type_.name)):
                yield from _unstable_references(type_, version, surface, context)


def _unstable_references(type_: TypeDef, version: Version, surface: Surface, context: Context) -> Iterator[Issue]:
    openness = context.facts(surface).openness
    for path, named, place in _references(type_, surface):
        if stability(named.version) >= stability(version.name) or surface.type(named) is None:
            continue
        element = Element(ElementKind.FIELD, *type_.name, path)
        if openness.use(element) is Use.NEVER:
            continue
        message = f"{element.words} has the type {named}, which is {stability(named.version)}"
        effect = depends(f"{named} may change at any time, and {version} with it")
        effects = alike(effect, Direction.OLD_CLIENT, Direction.STORED, Direction.ROLLBACK)
        severities = at(stable_refers_to_unstable.severities, stability(version.name))
        yield Issue(element, place, RuleResult(message, effects, severities=severities), str(named))


def _references(type_: TypeDef, surface: Surface) -> Iterator[tuple[str, TypeName, Place]]:
    """Return the types that a type refers to, by field."""
    if isinstance(type_, Struct):
        for field in type_.fields.values():
            if not is_never_enabled(field.gate, surface):
                yield from ((field.name, named, field.place) for named in names_in_slot(field.slot))
    elif isinstance(type_, Alias):
        yield from (("", named, type_.place) for named in names_in(type_))
