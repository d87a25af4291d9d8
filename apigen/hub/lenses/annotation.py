"""`{annotation: key}`: no home in this version, so carried in an annotation of the object."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.dataclass import dataclass
from apigen.hub.lenses.request import LensRequest, allow_words, names_of
from apigen.hub.steps import Body, Loss, Side, Step
from apigen.hub.values import Converted, Same, ValueConversion
from apigen.ir.expressions import (
    Both,
    Compared,
    Entry,
    HasKey,
    Here,
    Holds,
    IsNone,
    IsTrue,
    Literal,
    Not,
    Test,
    Zero,
    are_there,
    at,
    guards,
)
from apigen.ir.field_paths import FieldPath, json_names, optional_parents, spell
from apigen.ir.model import INTEGER_RANGES, Struct
from apigen.ir.places import BoundPath, FieldStep
from apigen.ir.types import ListType, MapType, ScalarType, StructType, Type, is_text, underlying
from apigen.python.code import Code, literal
from apigen.python.conditions import holds
from apigen.python.field_paths import attribute, guards_of
from apigen.python.making import blank
from apigen.python.walking import walk
from apigen.python.zero import is_zero


@dataclass(frozen=True, slots=True)
class Carried(Step):
    """A hub place written to an annotation of the version's object and read back from it.

    `wire` is the version's type of the value where it is JSON; None for decimal text.
    """

    hub: FieldPath
    annotations: FieldPath
    key: str
    wire: Type | None
    value: ValueConversion
    empty_is_absent: bool
    ignore_unreadable: bool
    keep_stale: bool

    def statements(self, body: Body) -> None:
        if body.to_hub:
            self._read(body)
        else:
            self._write(body)

    def _read(self, body: Body) -> None:
        code, key = body.code, literal(self.key)
        annotations = attribute(body.source, self.annotations)
        condition = f"{annotations} is not None and {key} in {annotations}"
        if self.empty_is_absent:
            condition = f'{annotations} is not None and {annotations}.get({key}, "") != ""'
        with code.block(f"if {condition}:"):
            text = f"{annotations}[{key}]"
            if self.ignore_unreadable:
                with code.block("try:"):
                    self._assign(body, self._parsed(text, body))
                with code.block(f"except {body.runtime('ApiError')}:"):
                    code.line("pass")
            elif self.wire is not None:
                with code.block("try:"):
                    self._assign(body, self._parsed(text, body))
                with code.block(f"except {body.runtime('DecodeError')} as error:"):
                    code.line(f"raise {body.runtime('ConversionError')}(error.path, error.problem) from error")
            else:
                self._assign(body, self._parsed(text, body))
            metadata = attribute(body.target, self.annotations)
            code.line(f"{metadata} = {body.runtime('without_key')}({metadata}, {key})")

    def _assign(self, body: Body, value: str) -> None:
        for parent in optional_parents(self.hub):
            struct = underlying(parent[-1].type)
            assert isinstance(struct, StructType)
            place = attribute(body.target, parent)
            with body.code.block(f"if {place} is None:"):
                body.code.line(f"{place} = {blank(struct, body.type_name)}")
        body.code.line(f"{attribute(body.target, self.hub)} = {value}")

    def _parsed(self, text: str, body: Body) -> str:
        path = literal(f"metadata.annotations[{self.key}]")
        if self.wire is None:
            scalar = underlying(self.hub[-1].type)
            assert isinstance(scalar, ScalarType)
            return f"{body.runtime('annotated_number')}({text}, {literal(scalar.scalar.value)}, {path})"
        parsed = f"{body.runtime('parse_annotation')}({text}, {path})"
        return decode_expression(self.wire, self.value, parsed, path, body)

    def _write(self, body: Body) -> None:
        code, key = body.code, literal(self.key)
        value, annotations = attribute(body.source, self.hub), attribute(body.target, self.annotations)
        there = guards_of(body.source, self.hub)
        field = self.hub[-1]
        if isinstance(underlying(field.type), ListType | MapType):
            there.append(value)
        elif field.can_be_none:
            there.append(f"{value} is not None")
        text = (
            f"str({value})"
            if self.wire is None
            else f"{body.runtime('json_text')}({encode_expression(self.wire, self.value, value, body)}{_floats(self.wire)})"
        )
        write = f"{annotations} = {body.runtime('with_entry')}({annotations}, {key}, {text})"
        if not there:
            code.line(write)
            return
        with code.block(f"if {' and '.join(there)}:"):
            code.line(write)
        if not self.keep_stale:
            with code.block("else:"):
                code.line(f"{annotations} = {body.runtime('without_key')}({annotations}, {key})")

    def changes(self, to_hub: bool) -> Iterable[tuple[str, ...]]:
        yield json_names(self.annotations)
        if to_hub:
            yield json_names(self.hub)

    def losses(self) -> Iterable[Loss]:
        place = f"metadata.annotations[{self.key}]"
        yield Loss(Side.HUB, place, "", HasKey(at("obj", self.annotations), self.key), "reserved for what it carries")
        yield _empty_annotations(self.annotations)
        when = "it is not what would be written" + (", or empty" if self.empty_is_absent else "")
        declared = "carries a value of the hub"
        yield Loss(
            Side.VERSION,
            place,
            when,
            _differs(self.annotations, self.key),
            declared,
            refuses=not self.ignore_unreadable,
        )
        if isinstance(underlying(self.hub[-1].type), ListType | MapType) and self.hub[-1].can_be_none:
            value = at("obj", self.hub)
            test = Both((*guards("obj", self.hub), *are_there("obj", self.hub), Not(IsTrue(value))))
            yield Loss(Side.HUB, spell(self.hub), "it is empty (comes back absent)", test, "annotation")

    def hub_places(self) -> Iterable[str]:
        yield spell(self.hub)

    def describe(self) -> str | None:
        return f"{spell(self.hub)} of the hub is carried in the annotation {self.key}"


@dataclass(frozen=True, slots=True)
class Marked(Step):
    """`format: marker`: the field has a home; the annotation, empty, says that its zero is meant."""

    hub: BoundPath
    annotations: FieldPath
    key: str
    keep_stale: bool

    def statements(self, body: Body) -> None:
        code, key = body.code, literal(self.key)
        annotations = attribute(body.target, self.annotations)
        if body.to_hub:
            code.line(f"{annotations} = {body.runtime('without_key')}({annotations}, {key})")
            return
        write = f"{annotations} = {body.runtime('with_entry')}({annotations}, {key}, \"\")"
        last = self.hub.steps[-1]
        assert isinstance(last, FieldStep)

        def zero(value: str) -> str:
            return is_zero(value, last.field, body.runtime, body.type_name)

        with code.block(f"if {holds(self.hub.steps, body.source, body.scope(), zero)}:"):
            code.line(write)
        if not self.keep_stale:
            with code.block("else:"):
                code.line(f"{annotations} = {body.runtime('without_key')}({annotations}, {key})")

    def changes(self, to_hub: bool) -> Iterable[tuple[str, ...]]:
        yield json_names(self.annotations)

    def losses(self) -> Iterable[Loss]:
        place = f"metadata.annotations[{self.key}]"
        yield Loss(Side.HUB, place, "", HasKey(at("obj", self.annotations), self.key), "reserved as a marker")
        yield _empty_annotations(self.annotations)
        yield Loss(
            Side.VERSION,
            place,
            f"it does not agree with {self.hub.text}",
            _differs(self.annotations, self.key),
            "marker",
        )

    def describe(self) -> str | None:
        return f"the annotation {self.key} says that the zero of {self.hub.text} is meant"


@dataclass(frozen=True, slots=True)
class ClampedFromAbove(Step):
    """`clamp` said by a type above: at this place of use only."""

    version: BoundPath
    hub: BoundPath
    below: int | float
    to: int | float

    def statements(self, body: Body) -> None:
        bound = self.hub if body.to_hub else self.version
        last = bound.steps[-1]
        assert isinstance(last, FieldStep)

        def clamp(code: Code, holder: str) -> None:
            value = f"{holder}.{last.field.py_name}"
            there = f"{value} is not None and " if last.field.can_be_none else ""
            with code.block(f"if {there}{value} < {literal(self.below)}:"):
                code.line(f"{value} = {literal(self.to)}")

        walk(body.code, bound.steps[:-1], body.target, body.scope(), clamp)

    def changes(self, to_hub: bool) -> Iterable[tuple[str, ...]]:
        yield names_of(self.hub if to_hub else self.version)

    def losses(self) -> Iterable[Loss]:
        low = Compared(Here(), "<", Literal(self.below))
        for side, bound in ((Side.VERSION, self.version), (Side.HUB, self.hub)):
            test = Both((Not(IsNone(Here())), low)) if bound.can_be_none else low
            yield Loss(side, bound.text, f"it is below {self.below}", Holds("obj", bound.steps, test), "clamp")

    def describe(self) -> str | None:
        return f"{self.version.text} below {self.below} becomes {self.to}"


def _differs(annotations: FieldPath, key: str) -> Test:
    """The annotation is not the one that comes back."""
    return Compared(Entry(at("obj", annotations), key), "!=", Entry(at("back", annotations), key))


def _empty_annotations(annotations: FieldPath) -> Loss:
    is_empty = Compared(at("obj", annotations), "==", Zero(annotations[-1].type))
    test = Both((is_empty, IsNone(at("back", annotations))))
    when = "it is empty and something was carried in it (comes back absent)"
    return Loss(Side.HUB, "metadata.annotations", when, test, "annotation")


def bind_annotation(request: LensRequest, bound: BoundPath, wire: Type | None) -> Iterable[Step]:
    """The step for a hub place that is carried in an annotation. `wire` is the version's type, found or given."""
    spec = request.spec
    assert spec.annotation is not None
    words = ("annotation", "format", "as_type", "empty", "unreadable", "stale")
    hub = bound.fields
    if not allow_words(request, "`annotation`", *words) or (annotations := annotations_of(request)) is None:
        return ()
    if hub is None:
        request.error("AG0602", "an annotation carries one place of the object, not one in each element of a list")
        return ()
    format_ = spec.format.value if spec.format else "json"
    flags = (_flag(request, "empty", "absent"), _flag(request, "unreadable", "ignore"), _flag(request, "stale", "keep"))
    if None in flags:
        return ()
    empty, unreadable, stale = (bool(f) for f in flags)
    if format_ == "decimal":
        scalar = underlying(hub[-1].type)
        if not isinstance(scalar, ScalarType) or scalar.scalar not in INTEGER_RANGES:
            request.error("AG0602", f"{bound.text} is {hub[-1].type}, and only integers have decimal text")
            return ()
        return (Carried(hub, annotations, spec.annotation.value, None, Same(), empty, unreadable, stale),)
    if format_ != "json" or wire is None:
        hint = (
            "the formats are json, decimal and marker"
            if format_ != "json"
            else "say the type of this version with `as:`"
        )
        request.error("AG0602", f"{bound.text} cannot be carried as {format_}", hint=hint)
        return ()
    value = request.conversion(wire, hub[-1].type)
    if value is None:
        request.error("AG0602", f"`as: {wire}` and {bound.text} ({hub[-1].type}) do not convert")
        return ()
    return (Carried(hub, annotations, spec.annotation.value, wire, value, empty, unreadable, stale),)


def annotations_of(request: LensRequest) -> FieldPath | None:
    """The path `metadata.annotations` of the type; an error and None where it has none."""
    metadata = request.version.field("metadata")
    struct = underlying(metadata.type) if metadata else None
    found = request.types.get(struct.id) if isinstance(struct, StructType) else None
    annotations = found.field("annotations") if isinstance(found, Struct) else None
    is_map = annotations is not None and isinstance(underlying(annotations.type), MapType) and annotations.can_be_none
    if metadata is None or annotations is None or not is_map:
        request.error(
            "AG0612",
            f"{request.version.id.name} has no metadata.annotations to carry anything in",
            hint="say it in a type above that has metadata",
        )
        return None
    return metadata, annotations


def _flag(request: LensRequest, word: str, value: str) -> bool | None:
    said = getattr(request.spec, word)
    if said is None:
        return False
    if said.value != value:
        request.error("AG0603", f"`{word}: {said.value}`?", place=said.place, hint=f"say {value}, or leave it out")
        return None
    return True


def decode_expression(wire: Type, value: ValueConversion, parsed: str, path: str, body: Body) -> str:
    """From parsed JSON to the hub's value."""
    behind = underlying(wire)
    match behind:
        case ListType(item):
            inner = decode_expression(item, _inner(value), "item", path, body)
            return f"[{inner} for item in {body.runtime('decode_list')}({parsed}, {path})]"
        case MapType(_, item):
            inner = decode_expression(item, _inner(value), "item", path, body)
            return f"{{key: {inner} for key, item in {body.runtime('decode_object')}({parsed}, {path}).items()}}"
        case StructType(id_):
            struct = body.types[id_]
            decode = body.function(id_, "json_codec", f"decode_{struct.snake_name}")
            return body.convert(value, f"{decode}({parsed}, {path})")
    name = "string" if is_text(behind) else _snake(str(behind))
    return body.convert(value, f"{body.runtime(f'decode_{name}')}({parsed}, {path})")


def encode_expression(wire: Type, value: ValueConversion, expression: str, body: Body) -> str:
    """From the hub's value to a JSON tree."""
    behind = underlying(wire)
    match behind:
        case ListType(item):
            return f"[{encode_expression(item, _inner(value), 'item', body)} for item in {expression}]"
        case MapType(_, item):
            return f"{{key: {encode_expression(item, _inner(value), 'item', body)} for key, item in sorted({expression}.items())}}"
        case StructType(id_):
            struct = body.types[id_]
            encode = body.function(id_, "json_codec", f"encode_{struct.snake_name}")
            return f"{encode}({body.convert(value, expression)})"
    converted = body.convert(value, expression)
    if str(behind) in ("Quantity", "Time", "MicroTime", "Duration"):
        return f"str({converted})"
    return f"{body.runtime('encode_bytes')}({converted})" if str(behind) == "bytes" else converted


def _floats(wire: Type) -> str:
    """Says that all floats in a tree are encoded, as the functions of structs leave them."""
    behind = underlying(wire)
    while isinstance(behind, ListType | MapType):
        behind = underlying(behind.item if isinstance(behind, ListType) else behind.value)
    return ", floats_encoded=True" if isinstance(behind, StructType) else ""


def _inner(value: ValueConversion) -> ValueConversion:
    inner = getattr(value, "item", None) or getattr(value, "value", None)
    return inner if inner is not None and not isinstance(value, Converted) else value


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))
