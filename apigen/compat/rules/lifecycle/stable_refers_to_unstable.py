"""A type is made of one that promises less."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.gating import Use, is_never_on
from apigen.compat.links import names_in, names_in_slot
from apigen.compat.rules.guards import has_several_versions
from apigen.compat.rules.rule import Issue, state_rule
from apigen.compat.rules.verdicts import at
from apigen.compat.surface.elements import Element, ElementKind, TypeName
from apigen.compat.surface.surface import Surface, Version
from apigen.compat.surface.types import Alias, Struct, TypeDef
from apigen.compat.values.hits import alike
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict
from apigen.diagnostics import Place
from apigen.ir.stability import stability


@state_rule("stable-refers-to-unstable", has_several_versions, severities="-/W/E")
def stable_refers_to_unstable(surface: Surface, context: Context) -> Iterator[Issue]:
    """What a type of another version promises is all that a field of it can promise."""
    for group in surface.groups.values():
        for version in group.versions.values() if not group.borrowed else ():
            for type_ in version.types.values():
                yield from _of(type_, version, surface, context)


def _of(type_: TypeDef, version: Version, surface: Surface, context: Context) -> Iterator[Issue]:
    if all(_is_of(version, named) for named in context.links(surface).of(type_.name)):
        return
    openness = context.new_openness if surface is context.new else context.old_openness
    for path, named, place in _references(type_, surface):
        if stability(named.version) >= stability(version.name) or surface.type(named) is None:
            continue
        element = Element(ElementKind.FIELD, version.group, version.name, type_.name.name, path)
        if openness.use(element) is Use.NEVER:
            continue
        message = f"{element} is of {named}, which is {stability(named.version)}"
        hit = depends(f"{named} may change at any time, and changes {version} with it")
        hits = alike(hit, Direction.OLD_CLIENT, Direction.STORED, Direction.ROLLBACK)
        severities = at(stable_refers_to_unstable.severities, stability(version.name))
        yield Issue(element, place, Verdict(message, hits, severities=severities), str(named))


def _references(type_: TypeDef, surface: Surface) -> Iterator[tuple[str, TypeName, Place]]:
    """What a type names in other versions, by field."""
    if isinstance(type_, Struct):
        for field in type_.fields.values():
            if not is_never_on(field.gate, surface):
                for named in names_in_slot(field.slot):
                    if (named.group, named.version) != (type_.name.group, type_.name.version):
                        yield field.name, named, field.place
    elif isinstance(type_, Alias):
        for named in names_in(type_):
            if (named.group, named.version) != (type_.name.group, type_.name.version):
                yield "", named, type_.place


def _is_of(version: Version, name: TypeName) -> bool:
    return name.version == version.name and name.group == version.group
