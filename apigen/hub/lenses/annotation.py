"""`{annotation: key}`: a hub field without a field in this version, preserved in an annotation of the object."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from apigen.dataclass import dataclass
from apigen.hub.lenses.move import narrowing
from apigen.hub.lenses.request import Lens, LensRequest, allow_words, hub_only_fix, names_of
from apigen.hub.steps import SOURCE, TARGET, Loss, Side, Step
from apigen.ir.expressions import (
    AtEach,
    Attempt,
    Both,
    Build,
    Call,
    Compared,
    Element,
    Entry,
    Expression,
    FromJson,
    HasKey,
    Here,
    Holds,
    IsNone,
    IsTrue,
    IsZero,
    Literal,
    Member,
    Not,
    Same,
    Set,
    Statement,
    Test,
    Text,
    ToJson,
    ValueConversion,
    When,
    Zero,
    are_set,
    at,
    guards,
    hub_type,
)
from apigen.ir.model import (
    INTEGER_RANGES,
    EnumType,
    FieldPath,
    ListType,
    MapType,
    NamedType,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeId,
    is_container,
    json_names,
    parts_of,
    spell,
    struct_behind,
    struct_in,
    underlying,
)
from apigen.ir.names import HUB_VERSION
from apigen.ir.places import BoundPath, FieldStep
from apigen.language.model import Located


@dataclass(frozen=True, slots=True)
class InAnnotation(Step):
    """A step that keeps something in the annotation `key` of the objects of one side."""

    annotations: FieldPath
    key: str

    @property
    def place(self) -> str:
        """The place of the annotation, for losses and errors."""
        return f"metadata.annotations[{self.key}]"

    def changes(self, to_hub: bool) -> Iterable[tuple[str, ...]]:
        yield json_names(self.annotations)

    def with_annotation(self, text: Expression) -> Statement:
        """Return the statement that sets the annotation of the target."""
        place = at(TARGET, self.annotations)
        return Set(place, Call("with_entry", (place, Literal(self.key), text)))

    def without_annotation(self) -> Statement:
        """Return the statement that removes the annotation of the target."""
        place = at(TARGET, self.annotations)
        return Set(place, Call("without_key", (place, Literal(self.key))))

    def losses_without(self, side: Side, reserved: str) -> Iterable[Loss]:
        """Yield the losses of the side whose objects have no such annotation: an annotation that users set, and an empty map
        of annotations, which the step removes. `reserved` declares the purpose of the annotation.
        """
        yield Loss(side, self.place, "", HasKey(at("obj", self.annotations), self.key), reserved)
        is_empty = Compared(at("obj", self.annotations), "==", Zero(self.annotations[-1].type))
        test = Both((is_empty, IsNone(at("back", self.annotations))))
        when = f"it is empty, and the {side} carried values in it"
        yield Loss(side, "metadata.annotations", when, test, "annotation", becomes="absent")

    def loss_with(self, side: Side, when: str, declared: str, *, rejects: bool = False, becomes: str = "") -> Loss:
        """Return the loss of the side whose objects have the annotation: one that the step did not write."""
        differs = Compared(
            Entry(at("obj", self.annotations), self.key), "!=", Entry(at("back", self.annotations), self.key)
        )
        return Loss(side, self.place, when, differs, declared, rejects, becomes)


@dataclass(frozen=True, slots=True)
class Carried(InAnnotation):
    """A hub field that is written to an annotation of the version's object and read back from it.

    `wire` is the version's type of the value if it is JSON; None for decimal text. `empty` is the treatment of empty
    text:
    `absent` removes it and `keep` preserves it, and both read it as no value; otherwise (None) it is read like other
    text.
    `unpreserved` names, in words, what JSON of the type `wire` does not preserve.
    """

    hub: FieldPath
    wire: Type | None
    value: ValueConversion
    empty: str | None
    ignore_unreadable: bool
    keep_stale: bool
    unpreserved: tuple[str, ...] = ()

    def statements(self, to_hub: bool) -> Iterable[Statement]:
        return (self._read() if to_hub else self._write(),)

    def _read(self) -> Statement:
        source_annotations, carried = at(SOURCE, self.annotations), Element(at(SOURCE, self.annotations), self.key)
        entry: Test = HasKey(source_annotations, self.key, is_present=True)
        if self.empty == "keep":
            entry = Compared(Entry(source_annotations, self.key, is_present=True, otherwise=""), "!=", Literal(""))
        read: tuple[Statement, ...] = (Build(TARGET, self.hub), Set(at(TARGET, self.hub), self._parsed(carried)))
        if self.ignore_unreadable or self.wire is not None:
            read = (Attempt(read, self.ignore_unreadable),)
        if self.empty == "absent":
            read = (When((Compared(carried, "!=", Literal("")),), read),)
        return When((Not(IsNone(source_annotations)), entry), (*read, self.without_annotation()))

    def _parsed(self, text: Expression) -> Expression:
        if self.wire is not None:
            return FromJson(text, self.wire, self.value, self.place)
        scalar = underlying(self.hub[-1].type)
        assert isinstance(scalar, ScalarType)
        return Call("annotated_number", (text, Literal(scalar.scalar.value), Literal(self.place)))

    def _write(self) -> Statement:
        value, field = at(SOURCE, self.hub), self.hub[-1]
        tests = guards(SOURCE, self.hub)
        if isinstance(underlying(field.type), ListType | MapType):
            tests = (*tests, IsTrue(value))
        elif field.can_be_none:
            tests = (*tests, Not(IsNone(value)))
        text = Text(value) if self.wire is None else ToJson(value, self.wire, self.value, spell(self.hub))
        write = self.with_annotation(text)
        stale = () if self.keep_stale else (self.without_annotation(),)
        return When(tests, (write,), stale) if tests else write

    def changes(self, to_hub: bool) -> Iterable[tuple[str, ...]]:
        yield json_names(self.annotations)
        if to_hub:
            yield json_names(self.hub)

    def losses(self) -> Iterable[Loss]:
        yield from self.losses_without(Side.HUB, "reserved for the value that it carries")
        when = f"it is not the encoded `{spell(self.hub)}` of the hub" + (", or is empty" if self.empty else "")
        rejects, becomes = not self.ignore_unreadable, "the encoded value"
        yield self.loss_with(Side.VERSION, when, "carries a value of the hub", rejects=rejects, becomes=becomes)
        if isinstance(underlying(self.hub[-1].type), ListType | MapType) and self.hub[-1].can_be_none:
            value = at("obj", self.hub)
            test = Both((*guards("obj", self.hub), *are_set("obj", self.hub), Not(IsTrue(value))))
            yield Loss(Side.HUB, spell(self.hub), "it is empty", test, "annotation", becomes="absent")
        yield from self._changed_by_json()

    def _changed_by_json(self) -> Iterable[Loss]:
        """Yield the losses of values that JSON does not preserve, or that have no JSON."""
        value, path = at("obj", self.hub), spell(self.hub)
        tests = (*guards("obj", self.hub), *(are_set("obj", self.hub) if self.hub[-1].can_be_none else ()))
        yield from narrowing(self.value, Side.HUB, self.hub, tests)
        if self.unpreserved and self.wire is not None:
            back = FromJson(ToJson(value, self.wire, self.value, path), self.wire, self.value, path)
            when = f"it holds {' or '.join(self.unpreserved)}"
            yield Loss(
                Side.HUB, path, when, Both((*tests, Compared(back, "!=", value))), "annotation", becomes="its JSON form"
            )

    def hub_places(self) -> Iterable[str]:
        yield spell(self.hub)

    def version_field(self) -> str | None:
        return self.place

    def describe(self) -> str | None:
        return f"{spell(self.hub)} of the hub is carried in the annotation {self.key}"


@dataclass(frozen=True, slots=True)
class Marked(InAnnotation):
    """`format: marker`: the version has the field, and an empty annotation marks an explicit zero."""

    hub: BoundPath
    keep_stale: bool

    def statements(self, to_hub: bool) -> Iterable[Statement]:
        if to_hub:
            yield self.without_annotation()
            return
        last = self.hub.steps[-1]
        assert isinstance(last, FieldStep)
        stale = () if self.keep_stale else (self.without_annotation(),)
        test: Test = IsZero(Here(), last.field)
        if last.field.can_be_none:
            test = Both((Not(IsNone(Here())), Compared(Here(), "==", Zero(last.field.type))))
        yield When((Holds(SOURCE, self.hub.steps, test),), (self.with_annotation(Literal("")),), stale)

    def losses(self) -> Iterable[Loss]:
        yield from self.losses_without(Side.HUB, "reserved as a marker")
        yield self.loss_with(Side.VERSION, f"it contradicts `{self.hub.text}`", "marker")

    def describe(self) -> str | None:
        return f"the annotation {self.key} marks an explicit zero of {self.hub.text}"


@dataclass(frozen=True, slots=True)
class ClampedFromAbove(Step):
    """`clamp` that a containing type declares, for this use of the type only."""

    version: BoundPath
    hub: BoundPath
    below: int | float
    to: int | float

    def statements(self, to_hub: bool) -> Iterable[Statement]:
        bound = self.hub if to_hub else self.version
        last = bound.steps[-1]
        assert isinstance(last, FieldStep)
        value = Member(Here(), last.field)
        tests = (Not(IsNone(value)),) if last.field.can_be_none else ()
        is_low = Compared(value, "<", Literal(self.below))
        clamp = When((*tests, is_low), (Set(value, Literal(self.to)),))
        yield AtEach(TARGET, bound.steps[:-1], (clamp,))

    def changes(self, to_hub: bool) -> Iterable[tuple[str, ...]]:
        yield names_of(self.hub if to_hub else self.version)

    def losses(self) -> Iterable[Loss]:
        low = Compared(Here(), "<", Literal(self.below))
        for side, bound in ((Side.VERSION, self.version), (Side.HUB, self.hub)):
            test = Both((Not(IsNone(Here())), low)) if bound.can_be_none else low
            yield Loss(
                side,
                bound.text,
                f"it is below {self.below}",
                Holds("obj", bound.steps, test),
                "clamp",
                becomes=str(self.to),
            )

    def describe(self) -> str | None:
        return f"{self.version.text} below {self.below} becomes {self.to}"


def json_type(type_: Type, version: TypeId, hub_of: Mapping[TypeId, TypeId]) -> Type | None:
    """Return the type of a version for the JSON of a value of the hub; None if the version has none."""
    back = {hub: id_ for id_, hub in hub_of.items() if (id_.group, id_.version) == (version.group, version.version)}
    found = hub_type(type_, back)
    inner = struct_in(found)
    return None if inner is not None and inner.version == HUB_VERSION else found


def type_to_declare(type_: Type, version: TypeId, hub_of: Mapping[TypeId, TypeId]) -> str | None:
    """Return the value of `as:` for a value of the hub for which a version has no type: the type of another version. None if
    it needs no `as:`, or no version has a type for it.
    """
    if json_type(type_, version, hub_of) is not None:
        return None
    back: dict[TypeId, TypeId] = {}
    for id_, hub in hub_of.items():
        if not id_.seen_as:
            back.setdefault(hub, id_)
    found = hub_type(type_, back)
    if any(isinstance(part, StructType | EnumType) and part.id.version == HUB_VERSION for part in parts_of(found)):
        return None
    name = _full_name(found)
    return f'"{name}"' if is_container(found) else name


def _full_name(type_: Type) -> str:
    """A type as an expression of any version."""
    match type_:
        case ListType(item):
            return f"[]{_full_name(item)}"
        case MapType(key, value):
            return f"map[{_full_name(key)}]{_full_name(value)}"
        case NamedType(id_, target) if id_.version == HUB_VERSION:
            return _full_name(target)
        case StructType(id_) | EnumType(id_) | NamedType(id_):
            return str(id_.unseen)
    return str(type_)


def bind_annotation(request: LensRequest, wire: Type | None) -> Iterable[Step]:
    """Return the step for a hub field that is preserved in an annotation. `wire` is the version's type of the value."""
    spec, bound = request.spec, request.bound
    assert spec.annotation is not None
    words = ("annotation", "format", "as_type", "empty", "unreadable", "stale")
    hub = bound.fields
    allow_words(request, "`annotation`", *words)
    annotations = annotations_of(request, place=bound.text)
    if hub is None:
        raise request.rejected(
            "AG0602", "an annotation can preserve one field of the object, not one in each element of a list"
        )
    format_ = spec.format.value if spec.format else "json"
    unreadable, stale = spec.unreadable is not None, spec.stale is not None
    empty = spec.empty.value if spec.empty is not None else None
    if format_ == "decimal":
        scalar = underlying(hub[-1].type)
        if not isinstance(scalar, ScalarType) or scalar.scalar not in INTEGER_RANGES:
            raise request.rejected(
                "AG0602", f"{bound.text} is {hub[-1].type}, but only integers have the format decimal"
            )
        return (Carried(annotations, spec.annotation.value, hub, None, Same(), empty, unreadable, stale),)
    if format_ != "json":
        message = f"an annotation cannot hold {bound.text} in the format {format_}"
        raise request.rejected("AG0602", message, hint="the formats are json, decimal and marker")
    if wire is None:
        version = request.version.id
        message = f"{version.version} has no type for the JSON of {bound.text} in the annotation"
        declared = type_to_declare(hub[-1].type, version, request.hub_of)
        hint = (
            "declare a type for it in this version, and name it in `as:`"
            if declared is None
            else f"add `as: {declared}`"
        )
        raise request.rejected("AG0602", message, hint=hint)
    value = request.conversion(wire, hub[-1].type)
    if value is None:
        raise request.rejected("AG0602", f"`as: {wire}` and {bound.text} ({hub[-1].type}) do not convert")
    return (Carried(annotations, spec.annotation.value, hub, wire, value, empty, unreadable, stale),)


def bind_marker(request: LensRequest) -> Iterable[Step]:
    """Return the step for a field that the hub has, too, and whose explicit zero an annotation marks."""
    spec, bound = request.spec, request.bound
    assert spec.annotation is not None
    if spec.format is None or spec.format.value != "marker":
        raise request.rejected(
            "AG0602",
            f"the hub has a field for {bound.text}, so its annotation can only be a marker",
            hint="set `format: marker`",
        )
    other = request.same_place(moved=True)
    allow_words(request, "a marker", "annotation", "format", "stale")
    annotations = annotations_of(request, place=bound.text)
    if other is None or other.field is None or other.fields is None:
        raise request.rejected("AG0602", f"a marker requires a hub field, and the hub has none for {bound.text}")
    if other.can_be_none and not bound.can_be_none:
        raise request.rejected(
            "AG0602",
            f"a marker does not restore a value: {bound.text} can be absent in the hub only, so its zero value is lost",
            hint=f"add `optional: true` to {bound.text}, or remove the marker and write `keepZero: true` next to `absent`",
        )
    return (Marked(annotations, spec.annotation.value, other, spec.stale is not None),)


def _bind_clamp(request: LensRequest, clamp: tuple[Located[int | float], Located[int | float]]) -> Iterable[Step]:
    (below, to), bound, other = clamp, request.bound, request.same_place()
    if other is None or underlying(other.type) != underlying(bound.type) or bound.field is None:
        raise request.rejected("AG0602", f"`clamp` needs {bound.text} to be the same number in the hub")
    if to.value < below.value:
        raise request.rejected("AG0602", f"{to.value} is itself below {below.value}", place=to.place)
    return (ClampedFromAbove(bound, other, below.value, to.value),)


CLAMP_FROM_ABOVE = Lens("`clamp`", ("clamp",), _bind_clamp)
"""The option `clamp` in `lenses:` of a containing type."""


def annotations_of(request: LensRequest, hint: str | None = None, *, place: str = "") -> FieldPath:
    """Return the path `metadata.annotations` of the type. If it has none, the error has the `hint`; without a hint, it
    suggests to declare the hub field `place` on a kind that contains the type.
    """
    metadata = request.version.field("metadata")
    metadata_type = struct_behind(metadata.type if metadata else None, request.types)
    annotations = metadata_type.field("annotations") if metadata_type is not None else None
    is_map = annotations is not None and isinstance(underlying(annotations.type), MapType) and annotations.can_be_none
    if metadata is None or annotations is None or not is_map:
        raise request.rejected(
            "AG0612",
            f"{request.version.id.version} `{request.version.id.name}` has no `metadata.annotations`",
            hint=hint or _declare_above(request, place),
        )
    return metadata, annotations


def _declare_above(request: LensRequest, place: str) -> str:
    """Return the hint for an annotation on a type without metadata: the same entry on a kind that contains the type."""
    own, key = request.version.id, request.spec.annotation
    for kind in request.types.values():
        if not isinstance(kind, Struct) or kind.kind is None:
            continue
        if (kind.id.group, kind.id.version) != (own.group, own.version):
            continue
        path = _path_to(own, kind, request)
        if path is not None and key is not None:
            entry = f"{'.'.join([*path, place])}: {{annotation: {key.value}}}"
            return f"remove it, and {hub_only_fix(kind, entry)}"
    return "declare it on a kind, with the path of the field from the kind"


def _path_to(id_: TypeId, kind: Struct, request: LensRequest) -> tuple[str, ...] | None:
    """Return the names of the fields from a kind to a struct; None if it is in a list or map, or in a renamed field."""
    seen = {kind.id}
    pending: list[tuple[tuple[str, ...], Struct]] = [((), kind)]
    for path, struct in pending:
        for field in struct.fields:
            inner = underlying(field.type)
            found = request.types.get(inner.id) if isinstance(inner, StructType) and field.hub is None else None
            if not isinstance(found, Struct) or found.id in seen:
                continue
            if found.id == id_:
                return (*path, field.json_name)
            seen.add(found.id)
            pending.append(((*path, field.json_name), found))
    return None
