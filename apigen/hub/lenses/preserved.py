"""`preserve:` of a kind: an annotation preserves fields that a version does not have, and restores them if the version did
not change their surroundings. `preserve:` of a field: an annotation of the hub's object preserves its value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from apigen.dataclass import dataclass
from apigen.hub.lenses.annotation import InAnnotation, annotations_of
from apigen.hub.lenses.move import Move
from apigen.hub.lenses.request import LensRequest
from apigen.hub.steps import SOURCE, TARGET, Loss, Side, Step
from apigen.ir.expressions import (
    Attempt,
    Both,
    Choice,
    Compared,
    Converted,
    Element,
    Expression,
    FromJson,
    HasKey,
    IsNone,
    Literal,
    Member,
    Not,
    Same,
    Set,
    Statement,
    ToJson,
    ValueConversion,
    Variable,
    When,
    are_set,
    at,
    guards,
)
from apigen.ir.model import Field, FieldPath, StructType, Type, TypeId, json_names, optional_parents, spell
from apigen.language.model import PreserveSpec


@dataclass(frozen=True, slots=True)
class Preserved(InAnnotation):
    """The hub's object as JSON of the version that the hub follows, `followed`, in an annotation of the version's object.

    `unpreserved` are the fields of the hub whose values JSON does not always preserve, each with the values in words.
    """

    version: TypeId
    hub: TypeId
    followed: TypeId
    unpreserved: tuple[tuple[Field, str], ...] = ()

    def restores_hub(self) -> bool:
        return True

    def losses(self) -> Iterable[Loss]:
        yield from self.losses_without(Side.HUB, "reserved for data that a version cannot hold")
        when = "it is not the object of the hub, or the version can hold all of that"
        yield self.loss_with(Side.VERSION, when, "preserve", becomes="the object of the hub or is removed")
        wire, conversion = StructType(self.followed), Converted(self.followed, self.hub)
        obj = Variable("obj")
        back = FromJson(ToJson(obj, wire, conversion), wire, conversion, self.place)
        for field, when in self.unpreserved:
            by_json = Compared(Member(back, field), "!=", Member(obj, field))
            lost = Compared(at("back", (field,)), "!=", at("obj", (field,)))
            yield Loss(Side.HUB, field.json_name, when, Both((lost, by_json)), "preserve")

    def describe(self) -> str | None:
        return f"fields that the version does not have are preserved in the annotation {self.key}"


def bind_preserved(request: LensRequest, spec: PreserveSpec, followed: TypeId, steps: Iterable[Step]) -> Iterable[Step]:
    """The step for a kind in one version; `steps` are the others of its plan."""
    name, version = request.version.id.name, request.version.id.version
    annotations = annotations_of(
        request, f"add `metadata: {{type: meta/v1.ObjectMeta, required: false}}` to {version} `{name}`"
    )
    if annotations[0].can_be_none:
        request.error(
            "AG0612",
            f"`preserve` needs `metadata` of {name} to be always set",
            hint=f"remove `optional: true` from `metadata` of {version} `{name}`",
        )
    key = spec.annotation.value
    other = next((step for step in steps if isinstance(step, InAnnotation) and step.key == key), None)
    if other is not None:
        request.error(
            "AG0607",
            f"the annotation {key} preserves data of the kind, and a lens of {version} writes it too",
            hint="name another annotation in `preserve`",
        )
    return (Preserved(annotations, key, request.version.id, request.hub.id, followed),)


@dataclass(frozen=True, slots=True)
class Snapshot(InAnnotation):
    """`preserve:` of a field: its value as JSON in an annotation of the hub's object, which has a derived form of it.

    `move` converts the field, which is at `version` and, in the hub, at `hub`. The value is restored if the hub's field
    is the one that is made of it. `wire` is the type of the field, and `unpreserved` what its JSON does not preserve.
    """

    version: FieldPath
    hub: FieldPath
    move: Move
    wire: Type
    writes_null: bool
    value: ValueConversion = Same()
    unpreserved: tuple[str, ...] = ()

    def statements(self, to_hub: bool) -> Iterable[Statement]:
        yield self._write() if to_hub else self._restore()

    def _write(self) -> Statement:
        value = at(SOURCE, self.version)
        text: Expression = ToJson(value, self.wire, self.value, spell(self.version))
        tests = guards(SOURCE, self.version)
        if self.version[-1].can_be_none and self.writes_null:
            text = Choice(IsNone(value), Literal("null"), text)
        elif self.version[-1].can_be_none:
            tests = (*tests, Not(IsNone(value)))
        write = self.with_annotation(text)
        return When(tests, (write,), (self.without_annotation(),)) if tests else write

    def _restore(self) -> Statement:
        source_annotations = at(SOURCE, self.annotations)
        text, snapshot = Element(source_annotations, self.key), Variable(
            f"preserved_{'_'.join(f.py_name for f in self.version)}"
        )
        read: Expression = FromJson(text, self.wire, self.value, self.place)
        if self.version[-1].can_be_none and self.writes_null:
            read = Choice(Compared(text, "==", Literal("null")), Literal(None), read)
        is_unchanged = Compared(self.move.hub_value(snapshot), "==", at(SOURCE, self.hub))
        tests = (*guards(SOURCE, self.hub), *guards(TARGET, self.version), is_unchanged)
        restore = When(tests, (Set(at(TARGET, self.version), snapshot),))
        attempt = Attempt((Set(snapshot, read), restore), is_ignored=True)
        entry = (Not(IsNone(source_annotations)), HasKey(source_annotations, self.key, is_present=True))
        return When(entry, (attempt, self.without_annotation()))

    def changes(self, to_hub: bool) -> Iterable[tuple[str, ...]]:
        yield json_names(self.annotations)
        if not to_hub:
            yield json_names(self.version)

    def losses(self) -> Iterable[Loss]:
        field = spell(self.version)
        yield from self.losses_without(Side.VERSION, "reserved for the value that it preserves")
        when = f"it is not the encoded `{field}` of the version"
        yield self.loss_with(Side.HUB, when, "preserve", becomes="the encoded value or is removed")
        if self.unpreserved:
            value = at("obj", self.version)
            tests = (
                *guards("obj", self.version),
                *(are_set("obj", self.version) if self.version[-1].can_be_none else ()),
            )
            back = FromJson(ToJson(value, self.wire, self.value, field), self.wire, self.value, field)
            is_lost = Compared(at("back", self.version), "!=", value)
            test = Both((*tests, *guards("back", self.version), is_lost, Compared(back, "!=", value)))
            yield Loss(Side.VERSION, field, f"it holds {' or '.join(self.unpreserved)}", test, "preserve")

    def restored_field(self) -> str | None:
        return spell(self.version)

    def describe(self) -> str | None:
        return f"{spell(self.version)} is preserved in the annotation {self.key} of the hub, next to its derived form"


def bind_snapshot(
    request: LensRequest, path: FieldPath, hub: FieldPath | None, moves: Sequence[Move], steps: Iterable[Step]
) -> Iterable[Step]:
    """Return the step for `preserve` of the field at a path of a version; none, with errors, if it does not apply.

    `moves` convert the structs on the way, and the last one the field, which is at `hub` in the hub; `hub` is None if
    no lens converts the field to one of the hub.
    """
    spec = request.spec.preserve
    assert spec is not None
    name, version = request.version.id.name, request.version.id.version
    hint = (
        f"declare it on the type of the kind: `lenses: {{PATH: {{preserve: {{annotation: {spec.annotation.value}}}}}}}`"
    )
    annotations = annotations_of(request, hint)
    if hub is None:
        raise request.rejected(
            "AG0602",
            f"`preserve` needs a field of the hub that is converted from {version} `{name}.{spell(path)}`",
            hint="preserve a field of the hub that the version does not have by `hubOnly: {PATH: {annotation: KEY}}`",
        )
    *around, move = moves
    absent = move.absent
    is_built = optional_parents(move.version) or optional_parents(move.hub) or any(each.absent for each in around)
    if is_built or (absent is not None and (absent.cases or absent.keep_zero_cases)):
        message = f"`preserve` does not apply to {version} `{name}.{spell(path)}`: it moves to an optional struct, or a condition decides its value"
        raise request.rejected("AG0602", message, hint="use `preserve` of the kind, which preserves whole objects")
    if absent is not None and absent.fills(True) and not spec.writes_null:
        message = f"`preserve` loses an unset {version} `{name}.{spell(path)}`, which is {absent.text()} in the hub"
        raise request.rejected("AG0602", message, hint="add `writeNull: true`")
    key = spec.annotation.value
    if any(isinstance(step, InAnnotation) and step.key == key for step in steps):
        raise request.rejected(
            "AG0607", f"another lens of {version} writes the annotation {key}", hint="name another annotation"
        )
    return (Snapshot(annotations, key, path, hub, move, path[-1].type, spec.writes_null),)
