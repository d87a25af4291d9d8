"""Compare two surfaces: elements are matched by identity, and each difference is reported once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from apigen.dataclass import replace
from apigen.diagnostics import Place
from apigen.ir.surface import (
    Alias,
    Branch,
    Element,
    ElementKind,
    Enum,
    EnumValue,
    Field,
    Group,
    ListOf,
    MapOf,
    Method,
    Service,
    Several,
    Slot,
    SourceFile,
    Struct,
    Surface,
    Tombstone,
    Type,
    TypeDef,
    Union,
    UnknownFields,
    Version,
)
from apigen.review.changes.change import Added, Altered, AnyChange, Holder, Part, Removed, Trait
from apigen.review.changes.traits import (
    ENUM,
    ENUM_VALUE,
    FIELD,
    FILE,
    GATE,
    KIND,
    KIND_VERSION,
    MERGE,
    METHOD,
    SERVICE,
    SLOT,
    STRUCT,
    TOMBSTONE,
    UNION,
    VERSION,
    Traits,
)

P = TypeVar("P", bound=Part)
Content = TypeVar("Content")

_WITH_PLACES = (Field, Struct, Enum, EnumValue, Union, Service, Method, SourceFile)


def matched(
    holders: tuple[Holder, Holder],
    parts: tuple[Mapping[str, P], Mapping[str, P]],
    element: Callable[[str], Element],
    inside: Callable[[Element, P, P], Iterator[Added | Removed | Altered]],
) -> Iterator[Added | Removed | Altered]:
    """Compare the parts that two holders have, by name: yield added ones, the changes `inside` parts of both sides (unless they
    are equal, including their order), and removed ones.
    """
    (old_holder, new_holder), (old, new) = holders, parts
    for name, part in new.items():
        before = old.get(name)
        if before is None:
            place = _nearest(part, old_holder, new_holder) or old_holder.place
            yield Added(element(name), place, part.place, part, new_holder)
        elif before is not part and (before != part or is_reordered(before, part)):
            yield from inside(element(name), before, part)
    for name, part in old.items():
        if name not in new:
            tombstones = new_holder.tombstones if isinstance(new_holder, Struct | Enum) else ()
            reserved = (each.place for each in tombstones if each.name == name)
            place = _nearest(part, new_holder, old_holder) or next(reserved, new_holder.place)
            yield Removed(element(name), part.place, place, part, new_holder)


def is_reordered(old: Part, new: Part) -> bool:
    """Return whether structs in two equal parts have their fields in another order; comparing mappings ignores the
    order.
    """
    if old is new:
        return False
    match old, new:
        case Struct(), Struct():
            return list(old.fields) != list(new.fields)
        case Version(), Version():
            return any(is_reordered(type_, new.types[name]) for name, type_ in old.types.items())
        case Group(), Group():
            return any(is_reordered(version, new.versions[name]) for name, version in old.versions.items())
        case _:
            return False


def altered(element: Element, old: P, new: P, table: Traits[P]) -> Iterator[Altered]:
    """Yield the traits of a part that differ; options one by one."""
    for trait, value in table:
        before, after = value(old), value(new)
        if before == after:
            continue
        if trait is Trait.OPTIONS:
            yield from _options(element, old, new)
        else:
            places = place_of(old, trait.value), place_of(new, trait.value)
            yield Altered(element, *places, trait, old, new, before, after)


def by_traits(table: Traits[P]) -> Callable[[Element, P, P], Iterator[Altered]]:
    """Return the function that yields the traits of a part that differ."""
    return lambda element, old, new: altered(element, old, new, table)


def place_of(part: Part, name: str) -> Place:
    """Return the place of a trait or an option of a part, by default the place of the part."""
    if isinstance(part, Slot):
        return part.default.place if part.default is not None and name == Trait.DEFAULT.value else part.place
    return part.places.get(name, part.place) if isinstance(part, _WITH_PLACES) else part.place


def _options(element: Element, old: Part, new: Part) -> Iterator[Altered]:
    """Yield a change for each option that differs; its values are `((name, value),)`, or empty for a side without it."""
    if not isinstance(old, _WITH_PLACES) or not isinstance(new, _WITH_PLACES):
        return
    old_options, new_options = dict(old.options), dict(new.options)
    for name in sorted(old_options.keys() | new_options.keys()):
        if old_options.get(name) != new_options.get(name):
            before, after = (((name, each[name]),) if name in each else () for each in (old_options, new_options))
            places = place_of(old, name), place_of(new, name)
            yield Altered(element, *places, Trait.OPTIONS, old, new, before, after)


def by_name(old: Iterable[P], new: Iterable[P], name: Callable[[P], str]) -> tuple[dict[str, P], dict[str, P]]:
    """Return the parts of both sides by name."""
    return {name(part): part for part in old}, {name(part): part for part in new}


_Whole = Struct | Enum | Alias | Service


def _nearest(part: Part, holder: Holder, other: Holder) -> Place | None:
    """Return the place of a part in a holder without it, unlike the `other` one: that of the type or file around a whole type,
    and that of the enum value that has its number; None for other parts.
    """
    match part, holder, other:
        case EnumValue(number=int() as number), Enum(), Enum():
            values = (value for name, value in holder.values.items() if name not in other.values)
            return next((value.place for value in values if value.number == number), None)
        case Struct() | Enum() | Alias() | Service(), Version(), Version():
            return _around(part, holder)
    return None


def _around(part: _Whole, version: Version) -> Place:
    name = part.name if isinstance(part, Service) else part.name.name
    while "." in name:
        name = name.rpartition(".")[0]
        outer = version.types.get(name)
        if outer is not None:
            return outer.place
    file = None if isinstance(part, Alias) else version.files.get(part.file)
    return version.place if file is None else Place(file.place.file)


def slot_changes(element: Element, old: Slot, new: Slot) -> Iterator[AnyChange]:
    """Yield the changes of a slot and of its nested slots. A list that remains a list is compared by its items."""
    if old == new:
        return
    nested = list(_nested(element, old.type, new.type))
    is_same_form = bool(nested) and _without_places(old.type) == _without_places(new.type)
    for change in altered(element, old, new, SLOT):
        if change.trait is not Trait.TYPE or not is_same_form:
            yield change
    yield from altered(element, old, new, MERGE)
    yield from constraint_changes(element, old, new)
    yield from _rules(element, old, new)
    yield from _branches(element, old, new)
    for inner, before, after in nested:
        yield from slot_changes(inner, before, after)


def _nested(element: Element, old: Type, new: Type) -> Iterator[tuple[Element, Slot, Slot]]:
    """The places of items, keys and values, where both sides have a list, or a map; of several types, the one of each form."""
    match old, new:
        case ListOf(before), ListOf(after):
            yield element.inside(ElementKind.ITEM, "[]"), before, after
        case MapOf(key, value), MapOf(new_key, new_value):
            yield element.inside(ElementKind.KEY, "{key}"), key, new_key
            yield element.inside(ElementKind.VALUE, "{}"), value, new_value
        case (Several(), _) | (_, Several()):
            for form in (ListOf, MapOf):
                old_types, new_types = (
                    [each for each in _types_of(type_) if isinstance(each, form)] for type_ in (old, new)
                )
                if len(old_types) == 1 and len(new_types) == 1:
                    yield from _nested(element, old_types[0], new_types[0])


def _types_of(of: Type) -> tuple[Type, ...]:
    return of.types if isinstance(of, Several) else (of,)


def _without_places(type_: Type) -> tuple[str, ...] | str:
    """Return a type without the constraints of its items, keys and values, which are compared separately."""
    match type_:
        case ListOf():
            return "list"
        case MapOf():
            return "map"
        case Several(types):
            return tuple(map(str, map(_without_places, types)))
        case _:
            return repr(type_)


def constraint_changes(element: Element, old: Slot, new: Slot) -> Iterator[Altered]:
    """Yield the constraints that were added, removed or changed."""
    for keyword in (*new.constraints, *(each for each in old.constraints if each not in new.constraints)):
        old_constraint, new_constraint = old.constraints.get(keyword), new.constraints.get(keyword)
        if old_constraint != new_constraint:
            places = (
                old_constraint.place if old_constraint else old.place,
                new_constraint.place if new_constraint else new.place,
            )
            before, after = (each.value if each else None for each in (old_constraint, new_constraint))
            yield Altered(element, *places, Trait.CONSTRAINT, old, new, before, after, keyword)


def _rules(element: Element, old: Slot, new: Slot) -> Iterator[AnyChange]:
    rules = by_name(old.rules, new.rules, lambda rule: rule.name)
    yield from matched(
        (old, new), rules, lambda text: element.inside(ElementKind.RULE, f"({text})"), lambda *_: iter(())
    )


def _branches(element: Element, old: Slot, new: Slot) -> Iterator[AnyChange]:
    branches = by_name(old.branches, new.branches, lambda branch: f"{branch.keyword}[{branch.label}]")
    old_parts, new_parts = (  # of a base that only one side has, the fields are compared
        {name: each for name, each in side.items() if name in other or not each.is_inlined}
        for side, other in (branches, reversed(branches))
    )
    yield from matched(
        (old, new),
        (old_parts, new_parts),
        lambda name: element.inside(ElementKind.BRANCH, f"({name})"),
        lambda inner, before, after: slot_changes(inner, before.slot, after.slot),
    )


FORMS: Mapping[type[TypeDef], ElementKind] = {
    Struct: ElementKind.STRUCT,
    Enum: ElementKind.ENUM,
    Alias: ElementKind.ALIAS,
}
"""The kind of element of each class of types."""


def type_changes(element: Element, old: TypeDef, new: TypeDef) -> Iterator[AnyChange]:
    """Yield the changes inside a type of both sides. A type of another form is a single change."""
    if isinstance(old, Struct) and isinstance(new, Struct):
        yield from _struct(element, old, new)
    elif isinstance(old, Enum) and isinstance(new, Enum):
        yield from _enum(element, old, new)
    elif isinstance(old, Alias) and isinstance(new, Alias):
        yield from slot_changes(element, old.slot, new.slot)
    else:
        forms = FORMS[type(old)].value, FORMS[type(new)].value
        yield Altered(element, old.place, new.place, Trait.FORM, old, new, *forms)
        # the constraints of an alias; the enum of the other side has none
        if isinstance(old, Alias) and isinstance(new, Enum):
            yield from slot_changes(element, old.slot, Slot(old.slot.type, new.place, doc=new.doc))
        elif isinstance(old, Enum) and isinstance(new, Alias):
            yield from slot_changes(element, Slot(new.slot.type, old.place, doc=old.doc), new.slot)


def _struct(element: Element, old: Struct, new: Struct) -> Iterator[AnyChange]:
    yield from altered(element, old, new, STRUCT)
    fields = _fields(old, new), _fields(new, old)
    is_same = fields[0].keys() == fields[1].keys() and old.patterns == new.patterns
    yield from slot_changes(element, _with_condition_of(new.slot, old.slot) if is_same else old.slot, new.slot)
    yield from _default_changes(element, old, new)
    yield from matched((old, new), fields, lambda name: element.member(ElementKind.FIELD, name), _field_changes)
    yield from _order(element, old, new)
    unions = by_name(old.unions, new.unions, union_name)
    yield from matched((old, new), unions, lambda name: element.member(ElementKind.UNION, name), by_traits(UNION))
    yield from _tombstones(element, old, new)


def _fields(of: Struct, other: Struct) -> dict[str, Field]:
    """The fields of a struct that are compared with those of the other one."""
    return {**_implied(of, other), **_inherited(of, other), **_in_ranges(of, other), **_kept_fields(of, other)}


def _kept_fields(of: Struct, other: Struct) -> dict[str, Field]:
    """The fields of a struct, without those that a server of CRDs prunes: required ones that only the other struct defines."""
    if of.unknown is not UnknownFields.DROPPED:
        return dict(of.fields)
    defined = {name for name, field in other.fields.items() if field.is_defined}
    return {name: field for name, field in of.fields.items() if field.is_defined or name not in defined}


def _implied(of: Struct, other: Struct) -> dict[str, Field]:
    """The fields that only the `other` struct has and that this one treats in the same way, except that it does not require them.

    A field that the other one only requires is one of them: neither side defines it. A defined one is, if `additionalProperties` of
    this struct has its schema.
    """
    is_open = of.unknown is UnknownFields.KEPT and not of.patterns
    if any(branch.keyword.startswith("unevaluated") for branch in of.slot.branches):
        return {}
    others = _additional(of.slot) if is_open else None
    return {
        name: replace(field, required=False, place=of.place)
        for name, field in other.fields.items()
        if name not in of.fields and (not field.is_defined or (others is not None and field.slot == others.slot))
    }


def _inherited(of: Struct, other: Struct) -> dict[str, Field]:
    """The fields of structs that `allOf` refers to, without those that the `other` struct inherits, too: their changes are
    changes of the struct that declares them. None if this struct restricts undeclared fields.
    """
    if of.unknown is not UnknownFields.KEPT or of.patterns or _additional(of.slot) is not None:
        return {}
    return {
        name: field
        for base, fields in of.inherited.items()
        for name, field in fields.items()
        if name not in of.fields and (name in other.fields or base not in other.inherited)
    }


def _in_ranges(of: Struct, other: Struct) -> dict[str, Field]:
    """The status codes and media types of the `other` struct that are in a range that this one declares."""
    found: dict[str, Field] = {}
    for name in other.fields if of.members else ():
        ranges = (f"{name[:1]}XX",) if of.members == "status" else (f"{name.partition('/')[0]}/*", "*/*")
        field = next((of.fields[each] for each in ranges if each in of.fields), None)
        if field is not None and name not in of.fields:
            found[name] = replace(field, name=name)
    return found


def _additional(slot: Slot) -> Branch | None:
    """The schema of `additionalProperties` of an object."""
    return next((branch for branch in slot.branches if branch.keyword == "additionalProperties"), None)


def _with_condition_of(other: Slot, slot: Slot) -> Slot:
    """The slot with the label that `additionalProperties` has on the other side, if its schema is equal there."""
    own_branch, other_branch = _additional(slot), _additional(other)
    if own_branch is None or other_branch is None or own_branch.slot != other_branch.slot:
        return slot
    return replace(slot, branches=tuple(other_branch if branch is own_branch else branch for branch in slot.branches))


def _default_changes(element: Element, old: Struct, new: Struct) -> Iterator[Altered]:
    """The defaults that a struct gives to places inside it. A place that has none on one side is there all the same."""
    for path in {**new.defaults, **old.defaults}:
        before, after = old.defaults.get(path), new.defaults.get(path)
        declared = before or after
        if before != after and declared is not None:
            old_slot = before or replace(declared, default=None, place=old.place)
            new_slot = after or replace(declared, default=None, place=new.place)
            yield from altered(element.member(ElementKind.FIELD, path), old_slot, new_slot, SLOT)


def union_name(union: Union) -> str:
    """Return the name of a union; without one, that of its discriminator or its first member."""
    return union.name or union.discriminator or next(iter(union.members), "")


def _field_changes(element: Element, old: Field, new: Field) -> Iterator[AnyChange]:
    yield from altered(element, old, new, FIELD)
    yield from slot_changes(element, old.slot, new.slot)


def _order(element: Element, old: Struct, new: Struct) -> Iterator[Altered]:
    before = tuple(name for name in old.fields if name in new.fields)
    after = tuple(name for name in new.fields if name in old.fields)
    if before != after:
        yield Altered(element, old.place, new.place, Trait.ORDER, old, new, before, after)


def _enum(element: Element, old: Enum, new: Enum) -> Iterator[AnyChange]:
    yield from altered(element, old, new, ENUM)
    values = old.values, new.values
    yield from matched(
        (old, new), values, lambda value: element.member(ElementKind.ENUM_VALUE, value), by_traits(ENUM_VALUE)
    )
    yield from _tombstones(element, old, new)


def _tombstones(element: Element, old: Struct | Enum | Group, new: Struct | Enum | Group) -> Iterator[AnyChange]:
    tombstones = by_name(old.tombstones, new.tombstones, tombstone_name)
    yield from matched(
        (old, new), tombstones, lambda name: element.member(ElementKind.TOMBSTONE, name), by_traits(TOMBSTONE)
    )


def tombstone_name(of: Tombstone) -> str:
    """Return the name of a tombstone; without one, its numbers."""
    return of.name or f"number {of.numbers}"


def compare(old: Surface, new: Surface) -> Iterator[AnyChange]:
    """Yield all changes from one surface to another: added, changed and removed parts."""
    own_gates = {name for side in (old, new) for name in side.gates.keys() - side.borrowed_gates}
    own_groups = {name for side in (old, new) for name, group in side.groups.items() if not group.borrowed}
    gates, groups = _reviewed((old.gates, new.gates), own_gates), _reviewed((old.groups, new.groups), own_groups)
    yield from matched((old, new), gates, lambda name: Element(ElementKind.GATE, path=name), by_traits(GATE))
    changes = matched((old, new), groups, lambda name: Element(ElementKind.GROUP, name), _group)
    if old.has_docs and new.has_docs:
        yield from changes
    else:
        yield from (each for each in changes if not isinstance(each, Altered) or each.trait is not Trait.DOC)


def _reviewed(
    sides: tuple[Mapping[str, Content], Mapping[str, Content]], own: set[str]
) -> tuple[dict[str, Content], dict[str, Content]]:
    """Return the groups, or gates, of both sides that some side has itself."""
    old, new = ({name: part for name, part in side.items() if name in own} for side in sides)
    return old, new


def compare_versions(old: Version, new: Version) -> Iterator[AnyChange]:
    """Yield the changes from the types of one version to those of another; elements have the name of the new version."""
    yield from _type_definitions(Element(ElementKind.VERSION, new.group, new.name), old, new)


def _group(element: Element, old: Group, new: Group) -> Iterator[AnyChange]:
    yield from matched(
        (old, new), (old.kinds, new.kinds), lambda name: _typed(element, ElementKind.KIND, name), by_traits(KIND)
    )
    versions = old.versions, new.versions
    yield from matched((old, new), versions, lambda name: Element(ElementKind.VERSION, element.group, name), _version)
    yield from _tombstones(element, old, new)


def _version(element: Element, old: Version, new: Version) -> Iterator[AnyChange]:
    yield from altered(element, old, new, VERSION)
    kinds = old.kinds, new.kinds
    yield from matched((old, new), kinds, lambda name: _typed(element, ElementKind.KIND, name), by_traits(KIND_VERSION))
    yield from _type_definitions(element, old, new)
    services, files = (old.services, new.services), (old.files, new.files)
    yield from matched((old, new), services, lambda name: _typed(element, ElementKind.SERVICE, name), _service)
    yield from matched((old, new), files, lambda name: element.member(ElementKind.FILE, name), by_traits(FILE))


def _type_definitions(element: Element, old: Version, new: Version) -> Iterator[AnyChange]:
    def named(name: str) -> Element:
        found: TypeDef = new.types[name] if name in new.types else old.types[name]
        return _typed(element, FORMS[type(found)], name)

    yield from matched((old, new), (old.types, new.types), named, type_changes)


def _service(element: Element, old: Service, new: Service) -> Iterator[AnyChange]:
    yield from altered(element, old, new, SERVICE)
    methods = old.methods, new.methods
    yield from matched((old, new), methods, lambda name: element.member(ElementKind.METHOD, name), by_traits(METHOD))


def _typed(element: Element, kind: ElementKind, name: str) -> Element:
    return Element(kind, element.group, element.version, name)
