"""Fields and enum values of both sides that are the same one: by their numbers, or renamed or moved in all probability."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cache
from itertools import takewhile

from apigen.dataclass import dataclass, replace
from apigen.ir.model import Presence
from apigen.ir.surface import (
    Element,
    ElementKind,
    Enum,
    Field,
    Named,
    Struct,
    Surface,
    TypeDef,
    TypeName,
    Version,
)
from apigen.review.changes.change import Added, AnyChange, Removed
from apigen.review.links import ITEM, KEY, VALUE, Route, routes_from

_Numbered = tuple[str, Hashable | None]
"""A name, and its identity in encoded bytes; None if only the name identifies it."""


_NamesOf = Callable[[TypeName], Mapping[str, str]]
"""Returns the names that the revision has for the values of an enum of the base; empty for other types."""


def named_by_number(old: Surface, new: Surface) -> Surface:
    """Return the base with fields and enum values renamed to the names that the revision has for their numbers.

    An element whose number was removed keeps its name; if the revision gave that name to another number, the element's
    number is appended to it.
    """

    @cache
    def names(enum: TypeName) -> Mapping[str, str]:
        before, after = old.type(enum), new.type(enum)
        return _names(_values(before), _values(after)) if isinstance(before, Enum) and isinstance(after, Enum) else {}

    groups = {
        group.name: replace(group, versions={name: _version(each, new, names) for name, each in group.versions.items()})
        for group in old.groups.values()
    }
    return replace(old, groups=groups)


def _version(version: Version, new: Surface, names: _NamesOf) -> Version:
    types = {
        name: (
            _struct(type_, new.type(type_.name), names)
            if isinstance(type_, Struct)
            else _enum(type_, names(type_.name)) if isinstance(type_, Enum) else type_
        )
        for name, type_ in version.types.items()
    }
    return replace(version, types=types)


def _struct(old: Struct, new: TypeDef | None, names_of_values: _NamesOf) -> Struct:
    names = _names(_fields(old), _fields(new))
    fields = [_field(field, names[field.name], names_of_values) for field in old.fields.values()]
    unions = (
        replace(union, members={names.get(name, name): value for name, value in union.members.items()})
        for union in old.unions
    )
    return replace(old, fields={field.name: field for field in fields}, unions=tuple(unions))


def _field(field: Field, name: str, names_of_values: _NamesOf) -> Field:
    slot = field.slot
    if slot.default is not None and isinstance(slot.type, Named):
        names = {json.dumps(value): json.dumps(now) for value, now in names_of_values(slot.type.name).items()}
        slot = replace(slot, default=replace(slot.default, text=names.get(slot.default.text, slot.default.text)))
    return replace(field, name=name, slot=slot)


def _enum(enum: Enum, names: Mapping[str, str]) -> Enum:
    values = (replace(value, value=names.get(name, name)) for name, value in enum.values.items())
    return replace(enum, values={value.value: value for value in values})


def _fields(type_: TypeDef | None) -> list[_Numbered]:
    fields = type_.fields.values() if isinstance(type_, Struct) else ()
    return [(each.name, None if each.number is None else (each.number, each.via)) for each in fields]


def _values(type_: TypeDef | None) -> list[_Numbered]:
    return [(each.value, each.number) for each in type_.values.values()] if isinstance(type_, Enum) else []


def _names(old: Iterable[_Numbered], new: Iterable[_Numbered]) -> dict[str, str]:
    """Return for each old name the name of the same value in the revision."""
    new_numbers = dict(new)
    by_number = {number: name for name, number in reversed(new_numbers.items()) if number is not None}
    new_names: dict[str, str] = {}
    for name, number in sorted(old, key=lambda each: each[1] is None):
        if number is None:
            new_names[name] = f"{name} (without a number)" if name in new_names.values() else name
        elif name in new_numbers and new_numbers[name] in (number, None):
            new_names[name] = name
        else:
            shown_number = number[0] if isinstance(number, tuple) else number
            new_names[name] = by_number.get(number, f"{name} (number {shown_number})" if name in new_numbers else name)
    return new_names


_NEAR = 0.6
_MOST_WORK = 20_000
_OF_ROUTES = 100  # a comparison of names is 1
_Key = tuple[str, str, str, str, str]


@dataclass(frozen=True, slots=True)
class _Place:
    """A field and the element that it is."""

    element: Element
    field: Field

    @property
    def keys(self) -> tuple[_Key, _Key]:
        """What it has in common with fields of the same struct, and with those of the same name, that have its type."""
        element, type_ = self.element, str(self.field.slot.type)
        return (
            (element.group, element.version, type_, element.type, ""),
            (element.group, element.version, type_, "", self.field.name),
        )


def same_number(field: Field, other: Struct, own: Struct) -> Field | None:
    """Return the field of `other` with the number and type of a field, if `own` does not have its name; None without
    one.
    """
    if field.number is None or field.name in other.fields:
        return None
    for candidate in other.fields.values():
        is_same = candidate.number == field.number and candidate.via == field.via and candidate.name not in own.fields
        if is_same and str(candidate.slot.type) == str(field.slot.type):
            return candidate
    return None


def located_at_partners(changes: Iterable[AnyChange], old: Surface, new: Surface) -> Iterator[AnyChange]:
    """Yield the changes; a removed field gets the location of the field that has its number in the revision."""
    for change in changes:
        if isinstance(change, Removed) and isinstance(change.part, Field):
            before, after = old.type(change.element.type_name), new.type(change.element.type_name)
            if isinstance(before, Struct) and isinstance(after, Struct):
                partner = same_number(change.part, after, before)
                yield change if partner is None else replace(change, new_place=partner.place)
                continue
        yield change


def proposals(changes: Iterable[AnyChange], old: Surface, new: Surface) -> dict[Element, str]:
    """Return for each removed field that seems moved: its new path, and the declaration that preserves its value."""
    all_changes = tuple(changes)
    removals = (each for each in all_changes if isinstance(each, Removed))
    removed_fields = [_Place(each.element, each.part) for each in removals if isinstance(each.part, Field)]
    if not removed_fields:
        return {}
    added_fields = _Newcomers(_added_fields(all_changes))
    texts = ((place.element, _proposal(place, added_fields, old, new)) for place in removed_fields)
    return {element: text for element, text in texts if text}


class _Newcomers:
    """The added fields, by the properties that must match. `remaining` is the remaining work budget; at 0, the search
    stops.
    """

    def __init__(self, places: Iterable[_Place]) -> None:
        self.remaining = _MOST_WORK
        self._places: dict[_Key, list[_Place]] = {}
        for place in places:
            for key in place.keys:
                self._places.setdefault(key, []).append(place)

    def like(self, key: _Key, cost: int) -> Iterator[_Place]:
        """Yield the fields with a key; each takes `cost` from the budget."""
        for place in self._places.get(key, ()):
            self.remaining -= cost
            if self.remaining < 0:
                return
            yield place


def _added_fields(changes: tuple[AnyChange, ...]) -> Iterator[_Place]:
    """New fields, and the fields of new structs."""
    for change in changes:
        if not isinstance(change, Added):
            continue
        if isinstance(change.part, Field):
            yield _Place(change.element, change.part)
        elif isinstance(change.part, Struct):
            element = change.element
            for field in change.part.fields.values():
                inside = Element(ElementKind.FIELD, element.group, element.version, element.type, field.name)
                yield _Place(inside, field)


def _proposal(removed: _Place, added_fields: _Newcomers, old: Surface, new: Surface) -> str:
    in_same_struct, of_same_name = removed.keys
    renamed = max(added_fields.like(in_same_struct, 1), key=lambda each: _likeness(removed, each), default=None)
    if renamed is not None and added_fields.remaining >= 0:
        has_number = removed.field.number is not None and removed.field.number == renamed.field.number
        old_name, new_name = removed.field.name.lower(), renamed.field.name.lower()
        is_near = old_name in new_name or new_name in old_name or _likeness(removed, renamed) >= _NEAR
        if has_number or is_near:
            return _rename_words(removed.field, renamed.field, new)
    moved = added_fields.like(of_same_name, _OF_ROUTES)
    holder = removed.element.type_name
    words = (_move_words(removed, each, old, new) for each in moved if each.element.type_name != holder)
    return next(filter(None, words), "")


def _likeness(removed: _Place, added: _Place) -> float:
    from difflib import SequenceMatcher

    return SequenceMatcher(None, removed.field.name.lower(), added.field.name.lower()).ratio()


def _rename_words(removed: Field, added: Field, surface: Surface) -> str:
    is_certain = removed.number is not None and removed.number == added.number
    if not surface.is_of_specs:
        if is_certain:
            return f"{removed.name} was renamed to {added.name}. Restore the name, or give {added.name} its own number"
        return f"{removed.name} was probably renamed to {added.name}. If so, keep the old one next to the new one"
    line = _spec_line(removed, f"{{alias: {added.name}}}")
    if is_certain:
        return (
            f"{removed.name} was renamed to {added.name}. Restore the name; or give {added.name} its own number and keep the old"
            f" field next to it:\n{line}"
        )
    return (
        f"{removed.name} was probably renamed to {added.name}. If so, keep the old field next to the new one:\n{line}\n"
        f"Both are then one field of the hub; omit {removed.name} from the next version"
    )


def _spec_line(field: Field, hub: str) -> str:
    presences = {
        Presence.OPTIONAL: "optional: true, ",
        Presence.OMIT_EMPTY: "omitEmpty: true, ",
        Presence.NULLABLE: "nullable: true, ",
        Presence.PLAIN: "",
    }
    number = "" if field.number is None else f"protobuf: {field.number}, "
    type_ = str(field.slot.type)
    quoted = f'"{type_}"' if type_.startswith("[") or "[" in type_ else type_
    return f"{field.name}: {{type: {quoted}, {presences[field.presence]}{number}hub: {hub}}}"


def _move_words(removed: _Place, added: _Place, old: Surface, new: Surface) -> str:
    source = route_to(old, removed.element.type_name)
    target = route_to(new, added.element.type_name)
    if source is None or target is None or source.kind.kind != target.kind.kind:
        return ""
    old_steps, new_steps = _by_field(source), _by_field(target)
    shared = len([*takewhile(lambda pair: pair[0] == pair[1], zip(old_steps, new_steps, strict=False))])
    old_path, new_path = (
        (*steps[shared:], each.field.name) for steps, each in ((old_steps, removed), (new_steps, added))
    )
    sides = {(*old_steps, "")[0], (*new_steps, "")[0]}
    crossing = ". It also moved between spec and status, which different clients write"
    text = (
        f"{'.'.join((*old_steps, removed.field.name))} of {source.kind.kind} was probably moved to"
        f" {'.'.join((*new_steps, added.field.name))}{crossing if sides == {'spec', 'status'} else ''}. If so, keep it"
        " in its place"
    )
    if not new.is_of_specs:
        return text
    lens = f"lenses: {{{'.'.join(old_path)}: {{alias: {'.'.join(new_path)}}}}}"
    ancestor = source.types[shared].name
    return f"{text} and map both to one hub field: add to type {ancestor} of this version\n{lens}"


def route_to(surface: Surface, name: TypeName) -> Route | None:
    """Return the shortest route to a type from the kinds of its own version; None if none of them contains it."""
    version = surface.version(name.group, name.version)
    kinds = () if version is None else ((version, kind) for kind in version.kinds.values())
    return next((each for each in routes_from(surface, *kinds) if each.types[-1] == name), None)


def _by_field(route: Route) -> tuple[str, ...]:
    """Return the steps of a route as paths of the spec language write them: `[]` after the field, for maps, too."""
    steps: list[str] = []
    for step in route.steps:
        if step in (ITEM, VALUE, KEY):
            steps[-1] += ITEM
        else:
            steps.append(step)
    return tuple(steps)
