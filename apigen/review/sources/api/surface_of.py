"""The surface of an API in the IR."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import chain

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place
from apigen.history.model import History
from apigen.hub.steps import loss_sentence
from apigen.ir import surface
from apigen.ir.formats import ANY_JSON, is_format
from apigen.ir.literals import plain
from apigen.ir.model import (
    NO_LIFECYCLE,
    Alias,
    Api,
    Enum,
    Field,
    ListType,
    MapType,
    Release,
    ScalarType,
    Struct,
    Type,
    TypeDef,
    TypeId,
    Union,
    WellKnownType,
    columns_of,
)
from apigen.ir.model import Group as IrGroup
from apigen.ir.model import Kind as IrKind
from apigen.ir.model import Version as IrVersion
from apigen.ir.places import PathProblem, bind_path
from apigen.ir.surface import (
    Branch,
    CelRule,
    Constraint,
    Default,
    GateMark,
    Group,
    Keyword,
    Kind,
    KindVersion,
    ListOf,
    MapOf,
    Merge,
    Named,
    Scalar,
    Scalars,
    Slot,
    Surface,
    Tombstone,
    TypeName,
    Version,
    constraint_value,
    may_grow,
)
from apigen.ir.surface import Constraints as SurfaceConstraints
from apigen.ir.surface import Type as SurfaceType
from apigen.language.grammars import path_text, type_text
from apigen.language.json_values import canonical_json
from apigen.language.model import (
    NO_CONSTRAINTS,
    NO_MERGE,
    All,
    Any,
    ByHandSpec,
    Condition,
    Constraints,
    DefaultCase,
    Equals,
    ExceptionSpec,
    GateEnabled,
    GateJoin,
    GateSpec,
    GenerationSpec,
    IsSet,
    Items,
    LensCase,
    LensSpec,
    ListExpr,
    LiteralNode,
    Located,
    MapExpr,
    MergeSpec,
    ModeConstraints,
    NamedConstraints,
    NamedExpr,
    Not,
    NumberRange,
    Object,
    OperationSpec,
    Path,
    PathLens,
    RuleSpec,
    ScaleSpec,
    SnapshotSpec,
    StrategySpec,
)
from apigen.language.model import Tombstone as IrTombstone
from apigen.language.readers.values import LENS_KEYS
from apigen.language.walking import gate_names
from apigen.review.served import HUB


def literal(node: LiteralNode) -> str:
    """Return a literal as JSON with sorted keys."""
    return canonical_json(plain(node))


def condition_words(condition: Condition) -> str:
    """Return a condition as text for messages."""
    match condition:
        case Equals(path, values):
            return f"{path.text} is {' or '.join(map(canonical_json, values))}"
        case IsSet(path):
            return f"{path.text} is set"
        case GateEnabled(gate):
            return f"feature gate {gate} is enabled"
        case Not(IsSet(path)):
            return f"{path.text} is not set"
        case Not(inner):
            return f"not ({condition_words(inner)})"
        case All(conditions):
            return " and ".join(map(_part, conditions)) or "always"
        case Any(conditions):
            return " or ".join(map(_part, conditions)) or "never"


def condition_data(condition: Condition) -> dict[str, object]:
    """Return a condition as data of the spec language."""
    match condition:
        case Equals(path, values):
            return {path.text: values[0] if len(values) == 1 else list(values)}
        case IsSet(path):
            return {"set": path.text}
        case GateEnabled(gate):
            return {"gate": gate}
        case Not(IsSet(path)):
            return {"unset": path.text}
        case Not(inner):
            return {"not": condition_data(inner)}
        case All(conditions):
            return {"all": [condition_data(each) for each in conditions]}
        case Any(conditions):
            return {"any": [condition_data(each) for each in conditions]}


def _part(condition: Condition) -> str:
    words = condition_words(condition)
    return f"({words})" if isinstance(condition, All | Any) else words


_NONE: SurfaceConstraints = {}

_VALUES: tuple[tuple[Keyword, str], ...] = (
    (Keyword.MINIMUM, "minimum"),
    (Keyword.MAXIMUM, "maximum"),
    (Keyword.EXCLUSIVE_MINIMUM, "exclusive_minimum"),
    (Keyword.EXCLUSIVE_MAXIMUM, "exclusive_maximum"),
    (Keyword.MULTIPLE_OF, "multiple_of"),
    (Keyword.MIN_LENGTH, "min_length"),
    (Keyword.MAX_LENGTH, "max_length"),
    (Keyword.MAX_BYTES, "max_bytes"),
    (Keyword.PATTERN, "pattern"),
    (Keyword.FORMAT, "format"),
    (Keyword.MIN_ITEMS, "min_items"),
    (Keyword.MAX_ITEMS, "max_items"),
    (Keyword.MIN_PROPERTIES, "min_properties"),
    (Keyword.MAX_PROPERTIES, "max_properties"),
    (Keyword.UNIQUE_ITEMS, "unique_items"),
    (Keyword.IMMUTABLE, "immutable"),
    (Keyword.MONOTONIC, "monotonic"),
    (Keyword.FORBIDDEN, "forbidden"),
)
_NAMES: tuple[tuple[Keyword, str], ...] = (
    (Keyword.UPDATE, "update"),
    (Keyword.UNIQUE_BY, "unique_by"),
    (Keyword.REQUIRES, "requires"),
    (Keyword.FORBIDS, "forbids"),
)
_NESTED: tuple[tuple[Keyword, str], ...] = (
    (Keyword.IF_ENABLED, "if_enabled"),
    (Keyword.IF_DISABLED, "if_disabled"),
    (Keyword.SUBFIELDS, "subfields"),
)


def constraints_of(written: Constraints) -> SurfaceConstraints:
    """Return the constraints that are set; nested ones are canonical JSON, with the keywords of the spec language."""
    if written is NO_CONSTRAINTS:
        return _NONE
    found = {
        keyword: Constraint(constraint_value(keyword, data), place)
        for keyword, data, place in _entries(written)
        if keyword is not Keyword.FORMAT or not is_format(written, ANY_JSON)  # which is the type
    }
    if written.enforced_by_hand is not None:
        place = next((each for *_, each in _entries(written.enforced_by_hand)), None)
        if place is not None:
            found[Keyword.ENFORCED_BY_HAND] = Constraint(canonical_json(_json(written.enforced_by_hand)), place)
    return found or _NONE


def rules_of(rules: tuple[RuleSpec, ...]) -> tuple[CelRule, ...]:
    """Return CEL rules as the surface has them."""
    return tuple(map(_rule, rules)) if rules else ()


def _rule(rule: RuleSpec) -> CelRule:
    optional = rule.optional_old_self is not None and rule.optional_old_self.value
    message = None if rule.message is None else rule.message.value
    return CelRule(rule.rule.value, rule.rule.place, message, optional)


def _entries(written: Constraints) -> Iterator[tuple[Keyword, object, Place]]:
    """Yield the constraints as data of the spec language, each with its location."""
    for keyword, attribute in _VALUES:
        constraint: Located[bool | int | float | str] | None = getattr(written, attribute)
        # a set can be declared without the check
        if constraint is not None and (constraint.value is not False or keyword is Keyword.UNIQUE_ITEMS):
            yield keyword, constraint.value, constraint.place
    for keyword, attribute in _NAMES:
        names: tuple[Located[str], ...] = getattr(written, attribute)
        if names:
            yield keyword, sorted(name.value for name in names), names[0].place
    if written.not_value is not None:
        yield Keyword.NOT_VALUE, plain(written.not_value), written.not_value.place
    for keyword, attribute in _NESTED:
        nested: tuple[NamedConstraints, ...] = getattr(written, attribute)
        if nested:
            yield keyword, _named(nested), nested[0].name.place
    if written.if_mode:
        yield Keyword.IF_MODE, _modes(written.if_mode), written.if_mode[0].discriminator.place


def _named(nested: tuple[NamedConstraints, ...]) -> dict[str, object]:
    return {each.name.value: _json(each.constraints) for each in nested}


def _modes(modes: tuple[ModeConstraints, ...]) -> dict[str, object]:
    return {each.discriminator.value: _named(each.modes) for each in modes}


def _json(written: Constraints) -> dict[str, object]:
    """Constraints as data, in the words of the spec language."""
    words = {keyword.value: data for keyword, data, _ in _entries(written) if data is not False}
    if written.required is not None and written.required.value:
        words["required"] = True
    if written.rules:
        words["rules"] = [rule.rule.value for rule in written.rules]
    return words


def default_of(cases: tuple[DefaultCase, ...], *, is_read_time: bool) -> Default | None:
    """Return the default for its cases. A default with only one possible value is that value."""
    if not cases:
        return None
    first = cases[0]
    gates = frozenset(gate_names(tuple(case.when for case in cases)))
    if len(cases) == 1 and first.value is not None and _case_words(first).keys() == {"value"}:
        return Default(literal(first.value), first.place, is_read_time=is_read_time)
    text = "; else ".join(map(_case, cases))
    return Default(
        text,
        first.place,
        is_computed=True,
        gates=tuple(sorted(gates)),
        is_read_time=is_read_time,
        cases=canonical_json([_case_words(case) for case in cases]),
        overwrites=any(case.overwrite or case.by_key for case in cases),
        empty_is_set=any(case.empty_is_set for case in cases),
    )


def path_defaults(
    struct: Struct, types: Mapping[TypeId, TypeDef], *, is_read_time: bool
) -> Iterator[tuple[str, Default, Type | None]]:
    """Yield the defaults that a struct declares for places inside it, by path, with the types of these places if they
    are known.

    Inlined structs have their own. If a path has several, they run one after the other.
    """
    targets = (types.get(inline.type.id) for inline in struct.inlines)
    inlined = {id(each) for target in targets if isinstance(target, Struct) for each in target.defaults}
    by_path: dict[str, list[tuple[Default, Type | None]]] = {}
    for each in struct.defaults:
        default = default_of(each.cases, is_read_time=is_read_time)
        if id(each) not in inlined and default is not None:
            bound = bind_path(each.path, struct, types)
            type_ = None if isinstance(bound, PathProblem) else bound.type
            by_path.setdefault(path_text(each.path.steps), []).append((default, type_))
    for path, defaults in by_path.items():
        default, type_ = defaults[0]
        yield path, _joined(tuple(each for each, _ in defaults)) if len(defaults) > 1 else default, type_


def _joined(defaults: tuple[Default, ...]) -> Default:
    gates = frozenset[str]().union(*(each.gates for each in defaults))
    text = "; then ".join(each.text for each in defaults)
    first = defaults[0]
    return Default(
        text,
        first.place,
        is_computed=True,
        gates=tuple(sorted(gates)),
        is_read_time=first.is_read_time,
        overwrites=any(each.overwrites for each in defaults),
        empty_is_set=any(each.empty_is_set for each in defaults),
    )


def _case_words(case: DefaultCase) -> dict[str, object]:
    """A case in the spec language."""
    found: dict[str, object] = {} if case.when is None else {"when": condition_data(case.when)}
    if case.from_path is not None:
        found["from"] = case.from_path.text
    elif case.value is not None:
        found["value"] = plain(case.value)
    if case.into is not None:
        found["into"] = case.into.value
    words = (("byKey", case.by_key), ("overwrite", case.overwrite), ("emptyIsSet", case.empty_is_set))
    return {**found, **{word: True for word, is_enabled in words if is_enabled}}


def _case(case: DefaultCase) -> str:
    words = "the value at " + case.from_path.text if case.from_path is not None else ""
    words = literal(case.value) if case.value is not None else words or "unset"
    if case.into is not None:
        words += f" as {case.into.value}"
    if case.by_key:
        words += ", entry by entry"
    if case.overwrite:
        words += ", whatever is there"
    if case.empty_is_set:
        words += ", unless empty"
    return words if case.when is None else f"{words} when {condition_words(case.when)}"


def _lenses(struct: Struct) -> Iterator[surface.Lens]:
    """Yield the lenses of a struct: of its fields, of `lenses:`, and of `hubOnly:`."""
    for field in struct.fields:
        if field.hub is not None:
            yield _lens(field.json_name, field.hub)
    for each in struct.lenses:
        yield _lens_of_path(each)
    for each in struct.hub_only:
        yield _lens_of_path(each, hub_only=True)
    for second in struct.second_hubs:
        for each in second.lenses:
            yield _lens_of_path(each, second_hub=second.hub.name)
        for each in second.hub_only:
            yield _lens_of_path(each, hub_only=True, second_hub=second.hub.name)


def _lens_of_path(lens: PathLens, *, hub_only: bool = False, second_hub: str = "") -> surface.Lens:
    return _lens(path_text(lens.path.steps, lens.path.from_type), lens.lens, hub_only=hub_only, second_hub=second_hub)


def _lens(path: str, lens: LensSpec, *, hub_only: bool = False, second_hub: str = "") -> surface.Lens:
    options = tuple(sorted((LENS_KEYS[word], _text(getattr(lens, word))) for word in lens.words()))
    key = lens.annotation or (None if lens.preserve is None else lens.preserve.annotation)
    annotation = "" if key is None else key.value
    found = surface.Lens(path, options, hub_only, second_hub, annotation)
    return found if lens.drop is None else replace(found, loss=loss_sentence(found.place, f"drop: {lens.drop.value}"))


def _text(value: object) -> str:
    match value:
        case Located() | Object() | Items():
            return literal(value)
        case Path():
            return path_text(value.steps, value.from_type)
        case LensCase(value=node, when=when, direction=direction):
            words = literal(node) if when is None else f"{literal(node)} when {condition_words(when)}"
            return words if direction is None else f"{words} {direction}"
        case SnapshotSpec(annotation, writes_null):
            return f"{_text(annotation)}{' (null if unset)' if writes_null else ''}"
        case ByHandSpec(reason, context):
            return f"{_text(reason)}{' (with a context)' if context else ''}"
        case NamedExpr() | ListExpr() | MapExpr():
            return type_text(value)
        case tuple():
            return "[" + " ".join(map(_text, value)) + "]"
    return str(value)


def mark_of(gate: GateSpec | None) -> GateMark | None:
    """Return the gates of a `featureGate:`."""
    if gate is None:
        return None
    names = tuple(sorted(each.value for each in gate.gates))
    is_everywhere = gate.during is None or {"create", "update"} <= set(gate.during)
    is_dropped = is_everywhere and gate.to is None
    return GateMark(
        names, gate.join is GateJoin.ANY, _mark_words(gate), gate.place, is_dropped, keeps_in_use=gate.in_use != "never"
    )


def _mark_words(gate: GateSpec) -> str:
    if gate.in_use == "gate" and gate.to is None and gate.during is None and not gate.prune:
        return ""
    in_use = gate.in_use if isinstance(gate.in_use, str) else condition_words(gate.in_use)
    words = [] if in_use == "gate" else [f"in use: {in_use}"]
    if gate.to is not None:
        words.append(f"to {literal(gate.to)}")
    if gate.during is not None:
        words.append(f"during {', '.join(gate.during) or 'nothing'}")
    if gate.prune:
        words.append("with an emptied parent")
    return "; ".join(words)


def tombstones_of(type_: Struct | Enum) -> tuple[Tombstone, ...]:
    """Return the tombstones of a type, then the numbers that are reserved without a name."""
    named = tuple(map(_tombstone, type_.tombstones))
    reserved = type_.reserved if isinstance(type_, Struct) else ()
    return (*named, *(Tombstone("", numbers, type_.place) for numbers in reserved))


def _tombstone(found: IrTombstone) -> Tombstone:
    numbers = None if found.number is None else NumberRange(found.number, found.number)
    return Tombstone(found.name, numbers, found.place, found.removed, found.reason, found.migrated)


_SCALARS = {scalar.value: Scalar(scalar) for scalar in Scalars}
_UNMERGED = Merge()


def merge_of(written: MergeSpec) -> Merge:
    """Return the merge strategy."""
    if written is NO_MERGE or written == NO_MERGE:
        return _UNMERGED
    return Merge(
        list_type=_text_of(written.list_type),
        list_map_keys=tuple(key.value for key in written.list_map_keys),
        map_type=_text_of(written.map_type),
        struct_type=_text_of(written.struct_type),
        patch_strategy=_text_of(written.patch_strategy),
        patch_merge_key=_text_of(written.patch_merge_key),
    )


def _branches(holder: Field | Alias, type_: Type) -> Iterator[Branch]:
    """Yield the constraints of the parts of a list or map that is used through an alias."""
    parts = (
        ("items", holder.item_constraints),
        ("keys", holder.key_constraints),
        ("values", holder.value_constraints),
    )
    for keyword, written in parts:
        if written is NO_CONSTRAINTS or isinstance(type_, ListType | MapType):
            continue
        constraints, rules = constraints_of(written), rules_of(written.rules)
        if constraints or rules:
            place = next((each.place for each in constraints.values()), holder.place)
            slot = Slot(_SCALARS["anything"], place, constraints=constraints, rules=rules)
            yield Branch(keyword, "", slot)


def _text_of(written: Located[str] | None) -> str | None:
    return None if written is None else written.value


Words = tuple[str, str]


def _strategy_words(strategy: StrategySpec) -> Iterator[Words]:
    """Yield the settings of a strategy other than those of every kind, each with its subject; order is only kept among
    hooks.
    """
    if strategy.generation is not None:
        yield "generation", _generation(strategy.generation)
    for path, counter in strategy.counters:
        yield f"counter {path.text}", _generation(counter)
    for name, operation in strategy.operations:
        for effect, text in _operation(operation):
            yield f"{name} {effect}", text
    if strategy.hooks:
        yield "hooks", ", ".join(each.value for each in strategy.hooks)


def _generation(found: GenerationSpec) -> str:
    if found.none:
        return "none"
    words = ["as submitted" if found.start is None else f"from {found.start}{' at least' if found.at_least else ''}"]
    if found.bump is not None:
        words.append(f"moves with {_paths(found.bump)}")
    flags = (
        (found.before_drop, "before dropping"),
        (found.exact, "unset and empty differ"),
        (found.from_new, "from the submitted object"),
    )
    return "; ".join((*words, *(word for holds, word in flags if holds)))


def _operation(operation: OperationSpec) -> Iterator[Words]:
    """Yield the settings of an operation; paths of a list are sorted, values that are set or added keep their order."""
    if operation.keep is not None:
        yield "keeps", _paths(operation.keep)
    if operation.except_:
        yield "changes nevertheless", ", ".join(sorted(map(_exception, operation.except_)))
    if operation.reset is not None:
        yield "resets", _paths(operation.reset)
    if operation.fill:
        yield "fills", _paths(operation.fill)
    if operation.sets:
        yield "sets", _assigned(operation.sets)
    if operation.adds:
        yield "adds", _assigned(operation.adds)
    if operation.when is not None:
        yield "when", condition_words(operation.when)


def _exception(found: ExceptionSpec) -> str:
    mark = mark_of(found.gate)
    if mark is None:
        return found.path.text
    gates = (" or " if mark.is_any else " and ").join(mark.gates)
    return f"{found.path.text} (gate {gates}{f'; {mark.words}' if mark.words else ''})"


def _assigned(found: Iterable[tuple[Path, LiteralNode]]) -> str:
    return ", ".join(f"{path.text}: {literal(value)}" for path, value in found)


def _paths(paths: Iterable[Path]) -> str:
    return ", ".join(sorted(path.text for path in paths)) or "none"


def _union(union: Union) -> surface.Union:
    return surface.Union(
        name="",
        members={member.json_name: member.value for member in union.members},
        place=union.place,
        discriminator=union.discriminator,
        empty=tuple(sorted(union.empty)),
        optional=union.optional,
    )


@dataclass(frozen=True, slots=True)
class Own:
    """The parts of an API that are reviewed: groups, by folder, and gates."""

    folders: frozenset[str]
    gates: frozenset[str]


def surface_of(
    api: Api,
    label: str,
    form: str,
    release: Release | None = None,
    own: Own | None = None,
    *,
    has_docs: bool = True,
    series_releases: Mapping[str, Release] | None = None,
) -> Surface:
    """Return the surface of an API. `own` are its reviewed parts, the others are borrowed; None: all are reviewed.

    Borrowed gates of another series are omitted: the types that depend on them are used as values here, to which gates
    do not apply.
    """
    conversion = _Conversion(api)
    groups = {group.name: conversion.group(group, own is None or group.folder in own.folders) for group in api.groups}
    gates = {each.name: each for each in api.features if own is None or each.name in own.gates or not each.series}
    return Surface(
        label,
        form,
        groups,
        gates,
        release,
        ratchets=True,
        has_docs=has_docs,
        declares_removals=True,
        series_releases=series_releases or {},
        borrowed_gates=frozenset() if own is None else frozenset(gates.keys() - own.gates),
    )


class _Conversion:
    """Makes the groups of one API. No two groups have one wire name, so two types never get the same name."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._wire = {group.folder: group.name for group in api.groups}
        self._types: dict[TypeId, Named] = {}

    def group(self, group: IrGroup, is_own: bool) -> Group:
        return Group(
            name=group.name,
            place=group.place,
            versions={version.name: self._version(group, version) for version in group.versions},
            kinds={kind.name: _kind(kind, "" if group.hub is None else HUB) for kind in group.kinds},
            tombstones=tuple(map(_tombstone, (*group.removed_versions, *group.removed_kinds))),
            borrowed=not is_own,
            series=group.series,
            hub=group.hub or "",
        )

    def _version(self, group: IrGroup, version: IrVersion) -> Version:
        roots = (self._api.types[id_] for id_ in version.types)
        served = {kind.name: kind for kind in group.kinds}
        marked = (each.name for each in group.versions if each.preferred)
        stored = (each.name for each in group.versions if each.storage)
        kinds = {
            root.kind.name: self._kind_version(served[root.kind.name], root, version)
            for root in roots
            if isinstance(root, Struct) and root.kind is not None and root.kind.name in served
        }
        return Version(
            group=group.name,
            name=version.name,
            place=version.place,
            types={id_.name: self._type_def(id_, is_defaulted=version.defaulted) for id_ in version.types},
            kinds=kinds,
            served=version.served,
            storage=version.storage,
            preferred=version.name == next(chain(marked, stored), None),
            declares_preferred=version.preferred,
            lifecycle=version.lifecycle,
        )

    def _kind_version(self, kind: IrKind, root: Struct, version: IrVersion) -> KindVersion:
        return KindVersion(
            kind=kind.name,
            root=self._named(root.id).name,
            place=root.place,
            served=version.served,
            storage=version.storage,
            subresources=tuple(sorted({*kind.subresources, *(["scale"] if kind.scale else [])})),
            scale="" if kind.scale is None else _scale(kind.scale),
            selectable_fields=tuple(sorted(f"{label}: {path}" for label, path in kind.selectable_fields)),
            printer_columns=tuple(
                f"{column.name} ({column.type.value}): {column.path.value}" for column in columns_of(kind, version.name)
            ),
            lifecycle=root.lifecycle,
        )

    def _type_def(self, id_: TypeId, *, is_defaulted: bool) -> surface.TypeDef:
        match self._api.types[id_]:
            case Struct() as struct:
                return self._struct(struct, is_defaulted=is_defaulted)
            case Enum() as enum:
                return self._enum(enum)
            case Alias() as alias:
                type_ = self._type(alias.target, alias.place, alias)
                slot = self._slot(alias, type_, None, tuple(_branches(alias, alias.target)), nullable=alias.nullable)
                return surface.Alias(self._named(id_).name, slot, alias.place)

    def _struct(self, struct: Struct, *, is_defaulted: bool) -> surface.Struct:
        return surface.Struct(
            name=self._named(struct.id).name,
            fields={field.json_name: self._field(field, is_defaulted=is_defaulted) for field in struct.fields},
            slot=self._slot(struct, self._named(struct.id)),
            place=struct.place,
            tombstones=tombstones_of(struct),
            unions=tuple(map(_union, struct.unions)),
            hub_name=struct.hub_name,
            lifecycle=struct.lifecycle if not struct.is_root else NO_LIFECYCLE,
            defaults=dict(self._defaults(struct, is_defaulted=is_defaulted)),
            inlines=tuple(
                (".".join((*each.via, each.name)), f"{each.type} = {each.number}") for each in struct.inlines
            ),
            lenses=tuple(
                sorted((*_lenses(struct), *self._preserving(struct)), key=lambda lens: (lens.place, lens.words))
            ),
        )

    def _preserving(self, struct: Struct) -> Iterator[surface.Lens]:
        """Yield the lens of `preserve:` of a kind, which applies to versions other than the one that the hub follows."""
        preserve = None if struct.kind is None or struct.list_of is not None else struct.kind.preserve
        if preserve is not None and self._api.group(struct.id.group).hub != struct.id.version:
            yield surface.Lens("", (), hub_only=True, annotation=preserve.annotation.value)

    def _field(self, field: Field, *, is_defaulted: bool) -> surface.Field:
        slot = self._slot(
            field,
            self._type(field.type, field.place, field),
            default_of(field.default, is_read_time=is_defaulted),
            tuple(_branches(field, field.type)),
        )
        return surface.Field(
            name=field.json_name,
            slot=slot,
            place=field.place,
            presence=field.presence,
            required=field.required,
            number=field.number,
            wire_name=field.protobuf_name,
            gate=mark_of(field.gate),
            lifecycle=field.lifecycle,
            via=field.via,
        )

    def _defaults(self, struct: Struct, *, is_defaulted: bool) -> Iterator[tuple[str, Slot]]:
        for path, default, type_ in path_defaults(struct, self._api.types, is_read_time=is_defaulted):
            filled = _SCALARS["anything"] if type_ is None else self._type(type_, default.place)
            yield path, Slot(filled, default.place, default=default)

    def _enum(self, enum: Enum) -> surface.Enum:
        values = (
            surface.EnumValue(
                value=value.value,
                place=value.place,
                gate=mark_of(value.gate),
                tolerated=value.tolerated,
                lifecycle=value.lifecycle,
                doc=value.doc,
            )
            for value in enum.values
        )
        return surface.Enum(
            name=self._named(enum.id).name,
            values={value.value: value for value in values},
            place=enum.place,
            open=enum.open,
            closed=enum.closed,
            unknown=enum.unknown,
            tombstones=tombstones_of(enum),
            doc=enum.doc,
        )

    def _slot(
        self,
        holder: Field | Alias | Struct,
        type_: SurfaceType,
        default: Default | None = None,
        branches: tuple[Branch, ...] = (),
        *,
        nullable: bool = False,
    ) -> Slot:
        """Return the slot of a declaration. Whether a field accepts `null` depends on its presence."""
        return Slot(
            type=type_,
            place=holder.place,
            nullable=nullable,
            default=default,
            constraints=constraints_of(holder.constraints),
            rules=rules_of(holder.constraints.rules),
            merge=merge_of(holder.merge),
            branches=branches,
            doc=holder.doc,
        )

    def _type(self, type_: Type, place: Place, declared: Field | Alias | Constraints = NO_CONSTRAINTS) -> SurfaceType:
        """Return a type of the surface. `declared` are its constraints, or the field or alias that declares them,
        including those of items, keys and values.
        """
        own, holder = (declared, None) if isinstance(declared, Constraints) else (declared.constraints, declared)
        match type_:
            case ScalarType(scalar):
                return _SCALARS[scalar.value]
            case WellKnownType(known):
                return _SCALARS["anything" if is_format(own, ANY_JSON) else known.value]
            case ListType(item):
                return ListOf(self._inner(item, place, holder.item_constraints if holder else NO_CONSTRAINTS))
            case MapType(key, value):
                keys, values = NO_CONSTRAINTS, NO_CONSTRAINTS
                if holder is not None:
                    keys, values = holder.key_constraints, holder.value_constraints
                return MapOf(self._inner(key, place, keys), self._inner(value, place, values))
            case _:
                return self._named(type_.id)

    def _inner(self, type_: Type, place: Place, constraints: Constraints) -> Slot:
        return Slot(
            type=self._type(type_, place, constraints),
            place=place,
            constraints=constraints_of(constraints),
            rules=rules_of(constraints.rules),
        )

    def _named(self, id_: TypeId) -> Named:
        """Return the type with this name: one shared value for all uses."""
        found = self._types.get(id_)
        if found is None:
            name = TypeName(self._wire.get(id_.group, id_.group), id_.version, id_.name)
            found = self._types[id_] = Named(name)
        return found


def _kind(kind: IrKind, conversion: str) -> Kind:
    return Kind(
        name=kind.name,
        place=kind.place,
        plural=kind.plural,
        singular=kind.singular,
        list_kind=f"{kind.name}List" if kind.has_list else "",
        namespaced=kind.namespaced,
        short_names=kind.short_names,
        categories=kind.categories,
        conversion=conversion,
        strategy=tuple(sorted(_strategy_words(kind.strategy))),
        type_meta=kind.type_meta,
        set_by_updates=tuple(_set_by_updates(kind.strategy)),
    )


def _set_by_updates(strategy: StrategySpec) -> Iterator[str]:
    for name, operation in strategy.operations:
        if name != "create":
            yield from (path.text for path in operation.reset or ())
            yield from (path.text for path, _ in (*operation.sets, *operation.adds))


def _scale(scale: ScaleSpec) -> str:
    paths = {
        "specReplicasPath": scale.spec_replicas_path,
        "statusReplicasPath": scale.status_replicas_path,
        "labelSelectorPath": scale.label_selector_path,
    }
    return ", ".join(f"{name}: {path}" for name, path in paths.items() if path is not None)


def growth_declared_late(
    history: History, api: Api, folders: Container[str], now: Api | None = None
) -> dict[TypeName, Release]:
    """Return the enums of an API that declare that they may grow, but did not in their first recorded release.

    Clients are written for the first release, so the declaration is too late for some of them. The value is that release.
    If the API of the next release is given as `now`, only enums with new values are returned: earlier releases are read for these.
    """
    late: dict[TypeName, Release] = {}
    names = {group.folder: group.name for group in api.groups}
    for id_, enum in api.types.items():
        if id_.group not in folders or not isinstance(enum, Enum) or not may_grow(enum):
            continue
        following = None if now is None else now.types.get(id_)
        values = {each.value for each in following.values} if isinstance(following, Enum) else set[str]()
        if now is not None and values <= {each.value for each in enum.values}:
            continue
        recorded = ((release, each.types.get(id_)) for release, each in history.steps())
        release, first = next((step for step in recorded if isinstance(step[1], Enum)), (None, None))
        if release is not None and isinstance(first, Enum) and not may_grow(first):
            late[TypeName(names[id_.group], id_.version, id_.name)] = release
    return late
