"""Views of version types: with a hub type that a field selects (`hubType:`), or as a type of a second hub."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Related, Report
from apigen.diagnostics.suggest import did_you_mean
from apigen.ir.groups import chosen_hub
from apigen.ir.model import (
    Api,
    Field,
    ListType,
    MapType,
    SecondHub,
    Struct,
    StructType,
    TypeDef,
    TypeId,
    element_type,
    struct_behind,
    struct_in,
    underlying,
    with_structs,
)
from apigen.language.model import Each, LensSpec, Located, Name, Path


def as_seen(api: Api) -> Api:
    """Return the API with a separate type for each field with `hubType:`.

    The separate type has the same fields. A lens in `lenses:` of a type replaces the lens of the field itself.
    """
    types = {id_: _with_lenses(type_) if isinstance(type_, Struct) else type_ for id_, type_ in api.types.items()}
    types |= _mapped_from_above(types)
    chosen: dict[TypeId, str] = {}
    for id_, type_ in types.items():
        if isinstance(type_, Struct) and any(field.hub_type is not None for field in type_.fields):
            types[id_] = replace(type_, fields=tuple(_chosen(field, id_.group, chosen) for field in type_.fields))
    if not chosen and all(type_ is api.types[id_] for id_, type_ in types.items()):
        return api
    for view, snake_name in chosen.items():
        struct = types.get(view.unseen)
        if isinstance(struct, Struct):
            types[view] = replace(struct, id=view, snake_name=snake_name, second_hubs=(), hub_name=view.seen_as)
    return replace(api, types=types)


def _chosen(field: Field, group: str, chosen: dict[TypeId, str]) -> Field:
    """The field with the type that its struct is at this place, which is noted as `chosen`."""
    found = chosen_hub(field, group)
    if found is None:
        return field
    view, snake_name = found
    chosen[view] = snake_name
    return replace(field, type=with_structs(field.type, lambda _: StructType(view)))


def _with_lenses(struct: Struct) -> Struct:
    """The struct, its fields with the lenses that its `lenses:` has for them."""
    names = {field.json_name for field in struct.fields}
    own: dict[str, LensSpec] = {}
    for entry in struct.lenses:
        name = only_name(entry.path)
        if name in names and _has_hub_field(entry.lens):
            own.setdefault(name, entry.lens)
    if not own:
        return struct
    return replace(
        struct,
        fields=tuple(replace(f, hub=own[f.json_name]) if f.json_name in own else f for f in struct.fields),
        lenses=tuple(e for e in struct.lenses if not (only_name(e.path) in own and _has_hub_field(e.lens))),
    )


def lenses_by_path(struct: Struct) -> Mapping[tuple[str, ...], LensSpec]:
    """Return the lenses in `lenses:` of a struct for nested fields, by the names on the path to them.

    They take precedence over the lenses of these fields. A constant or a value from the metadata has no hub field; its
    path may have `[]`, for each element.
    """
    lenses: dict[tuple[str, ...], LensSpec] = {}
    for entry in struct.lenses:
        steps = entry.path.steps
        names = tuple("[]" if isinstance(step, Each) else step.name for step in steps if isinstance(step, Name | Each))
        is_set_here = entry.lens.constant is not None or entry.lens.source is not None
        if len(names) == len(steps) and (is_set_here or (_has_hub_field(entry.lens) and "[]" not in names)):
            lenses.setdefault(names, entry.lens)
    return lenses


@dataclass(frozen=True, slots=True)
class LensAbove:
    """A lens in `lenses:` of a type for a field of a nested struct that is converted as a whole.

    `names` lead from the type to the field, through the structs `between`, of which the last one has it.
    """

    above: Struct
    names: tuple[str, ...]
    lens: LensSpec
    between: tuple[TypeId, ...]
    owner: Struct
    field: Field


def lenses_above(struct: Struct, types: Mapping[TypeId, TypeDef]) -> Iterator[LensAbove]:
    """Yield the lenses of a struct for fields of nested structs of its version that it does not flatten."""
    declared = lenses_by_path(struct)
    for names, lens in declared.items():
        between: list[TypeId] = []
        owner, field = struct, struct.field(names[0])
        is_whole = False
        for i, name in enumerate(names[1:], 1):
            nested = (
                None
                if field is None
                else _struct_in(field, types, in_elements=names[i] == "[]" or names[i - 1] == "[]")
            )
            if field is None or nested is None:
                break
            if name == "[]":
                continue
            around = declared.get(names[:i]) or field.hub
            is_whole = around is None or not around.is_flattening
            owner, field = nested, nested.field(name)
            between.append(owner.id)
        else:
            own_version = (owner.id.group, owner.id.version) == (struct.id.group, struct.id.version)
            if field is not None and owner is not struct and is_whole and own_version and not lens.is_flattening:
                yield LensAbove(struct, names, lens, tuple(between), owner, field)


def _struct_in(field: Field, types: Mapping[TypeId, TypeDef], *, in_elements: bool) -> Struct | None:
    """Return the struct in a field, or in the elements of its list or map; None for other types."""
    inner = underlying(field.type)
    if in_elements:
        inner = underlying(element_type(inner)) if isinstance(inner, ListType | MapType) else inner
    return struct_behind(inner, types)


def uses_without_lens(lens: LensAbove, types: Mapping[TypeId, TypeDef]) -> Iterator[str]:
    """Yield the places at which other types, or lists and maps, contain the owner of the field without a lens for it."""
    yield from _without_lens(lens.owner, (lens.field.json_name,), types, frozenset())


def _without_lens(
    struct: Struct, names: tuple[str, ...], types: Mapping[TypeId, TypeDef], seen: frozenset[TypeId]
) -> Iterator[str]:
    if struct.kind is not None or struct.id in seen:
        yield f"{struct.id.name}.{'.'.join(names)}".replace(".[]", "[]")
        return
    for holder in types.values():
        if not isinstance(holder, Struct):
            continue
        for field in holder.fields:
            if struct_in(field.type) != struct.id:
                continue
            path = (field.json_name, *names)
            if not isinstance(underlying(field.type), StructType):
                path = (field.json_name, "[]", *names)
            if path not in lenses_by_path(holder):
                yield from _without_lens(holder, path, types, seen | {struct.id})


def _mapped_from_above(types: Mapping[TypeId, TypeDef]) -> dict[TypeId, Struct]:
    """Return the structs with fields that containing types map; the structs themselves do not map these fields.

    A field that is converted by hand, dropped or constant needs no lens in each use; other fields do.
    """
    owners: dict[TypeId, Struct] = {}
    for above in types.values():
        for lens in lenses_above(above, types) if isinstance(above, Struct) and above.lenses else ():
            own = lens.field.hub
            has_no_hub_field = own is not None and (own.by_hand or own.drop or own.constant or own.source)
            if not has_no_hub_field or next(uses_without_lens(lens, types), None) is None:
                by = LensSpec(lens.lens.place, from_above=Located(above.id.name, lens.lens.place))
                owner = owners.get(lens.owner.id, lens.owner)
                fields = (replace(f, hub=by) if f.json_name == lens.field.json_name else f for f in owner.fields)
                owners[owner.id] = replace(owner, fields=tuple(fields))
    return owners


def _has_hub_field(spec: LensSpec) -> bool:
    """Return whether a lens determines the target of a value; other lenses only change the value."""
    if spec.words() == {"preserve"}:
        return False
    return spec.constant is None and spec.source is None and spec.clamp is None and spec.annotation is None


@dataclass(frozen=True, slots=True)
class SecondHubViews:
    """The views by identity, and the hub type of each."""

    structs: Mapping[TypeId, Struct]
    hub_of: Mapping[TypeId, TypeId]


def views_of(
    api: Api, hubs: Mapping[TypeId, TypeDef], report: Report, kept: Container[TypeId] | None = None
) -> SecondHubViews:
    """Return the views of all kept structs with a second hub that is compiled."""
    second_hubs = [
        (struct, second)
        for struct in api.types.values()
        if isinstance(struct, Struct) and (kept is None or struct.id in kept)
        for second in struct.second_hubs
        if second.hub in hubs
    ]
    below = {(struct.id, second.hub.group): second.view for struct, second in reversed(second_hubs)}
    structs = {}
    for struct, second in second_hubs:
        view = _view(struct, second, below)
        structs[view.id] = view
        hub = hubs[second.hub]
        if isinstance(hub, Struct):
            _check_hub_fields(view, second, hub, report)
    return SecondHubViews(structs, {second.view: second.hub for _, second in second_hubs})


def _view(struct: Struct, second: SecondHub, below: Mapping[tuple[TypeId, str], TypeId]) -> Struct:
    own = {name: entry.lens for entry in second.lenses if (name := only_name(entry.path)) is not None}

    def seen(inner: StructType) -> StructType:
        return replace(inner, id=below.get((inner.id, second.hub.group), inner.id))

    fields = tuple(
        replace(field, type=with_structs(field.type, seen), hub=own.get(field.json_name), hub_type=None)
        for field in struct.fields
    )
    names = {field.json_name for field in fields}
    return replace(
        struct,
        id=second.view,
        fields=fields,
        snake_name=second.snake_name,
        lenses=tuple(entry for entry in second.lenses if only_name(entry.path) not in names),
        hub_only=second.hub_only,
        second_hubs=(),
        hub_name=None,
    )


def only_name(path: Path) -> str | None:
    """Return the name that is the only step of a path; None for other paths."""
    match path.steps:
        case (Name(name),):
            return name
    return None


def _check_hub_fields(view: Struct, second: SecondHub, hub: Struct, report: Report) -> None:
    """Check that each field of a type as a second hub sees it has a hub field or a lens: a second hub gets no fields
    of its own from it.
    """
    first_steps = [entry.path.steps[0] for entry in second.lenses if entry.path.steps]
    declared = {step.name for step in first_steps if isinstance(step, Name)}
    for field in view.fields:
        if field.json_name not in declared and hub.field(field.json_name) is None:
            report.error(
                "AG0701",
                second.place,
                f"{view.id.version} `{view.id.name}.{field.json_name}` has no field in {second.hub}, so the conversion"
                " would lose it",
                hint=did_you_mean(field.json_name, [f.json_name for f in hub.fields])
                or f"map it: `lenses: {{{field.json_name}: path}}` or `{{{field.json_name}: {{drop: reason}}}}`",
                related=[Related(field.place, "the field")],
            )
