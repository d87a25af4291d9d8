"""Finds removals that look like renames and moves, and says how to write these. They are proposed, never taken for granted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from apigen.compat.changes.change import Added, AnyChange, Removed
from apigen.compat.changes.routes import Route, route_to
from apigen.compat.surface.elements import Element, ElementKind, TypeName
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Field, Struct
from apigen.dataclass import dataclass, replace
from apigen.ir.model import Presence

_NEAR = 0.6
_MOST_WORK = 20_000
_OF_ROUTES = 100  # a comparison of names is 1
_Key = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class _Place:
    """A field and the element that it is."""

    element: Element
    field: Field


def same_number(field: Field, other: Struct, own: Struct) -> Field | None:
    """The field of `other` that has the number and the type of a field, and a name that `own` does not have."""
    if field.number is None or field.name in other.fields:
        return None
    for candidate in other.fields.values():
        is_same = candidate.number == field.number and candidate.via == field.via and candidate.name not in own.fields
        if is_same and str(candidate.slot.type) == str(field.slot.type):
            return candidate
    return None


def beside_partners(changes: Iterable[AnyChange], old: Surface, new: Surface) -> Iterator[AnyChange]:
    """The changes, where a field that kept its number under another name stands beside that on the new side."""
    for change in changes:
        if isinstance(change, Removed) and isinstance(change.part, Field):
            before, after = old.type(change.element.type_name), new.type(change.element.type_name)
            if isinstance(before, Struct) and isinstance(after, Struct):
                partner = same_number(change.part, after, before)
                yield change if partner is None else replace(change, new_place=partner.place)
                continue
        yield change


def proposals(changes: Iterable[AnyChange], old: Surface, new: Surface) -> dict[Element, str]:
    """For each removed field that seems to have gone elsewhere: where to, and what to write so that nobody loses it."""
    known = tuple(changes)
    removals = (each for each in known if isinstance(each, Removed))
    gone = [_Place(each.element, each.part) for each in removals if isinstance(each.part, Field)]
    if not gone:
        return {}
    came = _Newcomers(_came(known))
    found = ((place.element, _proposal(place, came, old, new)) for place in gone)
    return {element: text for element, text in found if text}


class _Newcomers:
    """The fields that came, by what has to be equal. `left` is the work that is left: beyond, nothing is proposed."""

    def __init__(self, places: Iterable[_Place]) -> None:
        self.left = _MOST_WORK
        self._beside: dict[_Key, list[_Place]] = {}
        self._elsewhere: dict[_Key, list[_Place]] = {}
        for place in places:
            self._beside.setdefault(_key(place, place.element.type), []).append(place)
            self._elsewhere.setdefault(_key(place, place.field.name), []).append(place)

    def beside(self, gone: _Place) -> Iterator[_Place]:
        """Those of the same struct that have a type of the same name."""
        yield from self._counted(self._beside.get(_key(gone, gone.element.type), ()), 1)

    def elsewhere(self, gone: _Place) -> Iterator[_Place]:
        """Those of the same name in other structs that have a type of the same name."""
        for each in self._counted(self._elsewhere.get(_key(gone, gone.field.name), ()), _OF_ROUTES):
            if each.element.type_name != gone.element.type_name:
                yield each

    def _counted(self, places: Sequence[_Place], cost: int) -> Iterator[_Place]:
        for place in places:
            self.left -= cost
            if self.left < 0:
                return
            yield place


def _key(place: _Place, name: str) -> _Key:
    element = place.element
    return element.group, element.version, name, str(place.field.slot.type)


def _came(changes: tuple[AnyChange, ...]) -> Iterator[_Place]:
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


def _proposal(gone: _Place, came: _Newcomers, old: Surface, new: Surface) -> str:
    renamed = max(came.beside(gone), key=lambda each: _likeness(gone, each), default=None)
    if renamed is not None and came.left >= 0 and _is_renamed(gone, renamed):
        return _rename_words(gone.field, renamed.field)
    words = (_move_words(gone, each, old, new) for each in came.elsewhere(gone))
    return next(filter(None, words), "")


def _likeness(gone: _Place, came: _Place) -> float:
    from difflib import SequenceMatcher

    return SequenceMatcher(None, gone.field.name.lower(), came.field.name.lower()).ratio()


def _is_renamed(gone: _Place, came: _Place) -> bool:
    has_number = gone.field.number is not None and gone.field.number == came.field.number
    mine, theirs = gone.field.name.lower(), came.field.name.lower()
    return has_number or mine in theirs or theirs in mine or _likeness(gone, came) >= _NEAR


def _rename_words(gone: Field, came: Field) -> str:
    line = _spec_line(gone, f"{{alias: {came.name}}}")
    if gone.number is not None and gone.number == came.number:
        return (
            f"{gone.name} is called {came.name} now. Give it back its name; or give {came.name} a number of its own, and keep"
            f" the old name beside it, as\n{line}"
        )
    return (
        f"{gone.name} seems to be called {came.name} now. If so, keep the old name beside the new one, as\n{line}\n"
        f"so that both are one field of the hub, and leave {gone.name} out of the next version"
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


def _move_words(gone: _Place, came: _Place, old: Surface, new: Surface) -> str:
    source = route_to(old, gone.element.type_name)
    target = route_to(new, came.element.type_name)
    if source is None or target is None or source.kind != target.kind:
        return ""
    ancestor, mine, theirs = _below_common(source, target)
    before, after = (*mine, gone.field.name), (*theirs, came.field.name)
    place = ancestor.name
    sides = {(*source.steps, "")[0], (*target.steps, "")[0]}
    crossing = ". It also goes from one of spec and status to the other, which are written by others"
    return (
        f"{'.'.join((*source.steps, gone.field.name))} of {source.kind} seems to be"
        f" {'.'.join((*target.steps, came.field.name))} now{crossing if sides == {'spec', 'status'} else ''}. If so, keep it"
        f" where it was, and have both be one in the hub: at type {place} of this version write\n"
        f"lenses: {{{'.'.join(before)}: {{alias: {'.'.join(after)}}}}}"
    )


def _below_common(source: Route, target: Route) -> tuple[TypeName, tuple[str, ...], tuple[str, ...]]:
    """The last type that both routes go through, and what comes after it on each."""
    shared = 0
    steps = zip(source.steps, target.steps, strict=False)
    for mine, theirs in steps:
        if mine != theirs:
            break
        shared += 1
    return source.types[shared], source.steps[shared:], target.steps[shared:]
