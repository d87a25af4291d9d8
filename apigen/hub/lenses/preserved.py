"""`preserve:` of a kind: an annotation preserves fields that a version does not have, and restores them if the version did
not change their surroundings.
"""

from __future__ import annotations

from collections.abc import Iterable

from apigen.dataclass import dataclass
from apigen.hub.lenses.annotation import Carried, Marked, annotation_differs, annotations_of, empty_annotations
from apigen.hub.lenses.request import LensRequest
from apigen.hub.steps import Loss, Side, Step
from apigen.ir.expressions import Both, Compared, FromJson, HasKey, Member, ToJson, Variable, at
from apigen.ir.field_paths import FieldPath, json_names
from apigen.ir.model import Field
from apigen.ir.types import StructType, TypeId
from apigen.ir.value_conversions import Converted
from apigen.language.model import PreserveSpec


@dataclass(frozen=True, slots=True)
class Preserved(Step):
    """The hub's object as JSON of the version that the hub follows, `followed`, in an annotation of the version's object.

    `unpreserved` are the fields of the hub whose values JSON does not always preserve, each with the values in words.
    """

    version: TypeId
    hub: TypeId
    followed: TypeId
    annotations: FieldPath
    key: str
    unpreserved: tuple[tuple[Field, str], ...] = ()

    def restores_hub(self) -> bool:
        return True

    def changes(self, to_hub: bool) -> Iterable[tuple[str, ...]]:
        yield json_names(self.annotations)

    def losses(self) -> Iterable[Loss]:
        place = f"metadata.annotations[{self.key}]"
        reserved = HasKey(at("obj", self.annotations), self.key)
        yield Loss(Side.HUB, place, "", reserved, "reserved for data that a version cannot hold")
        yield empty_annotations(self.annotations)
        yield Loss(
            Side.VERSION,
            place,
            "it is not the object of the hub, or the version can hold all of that",
            annotation_differs(self.annotations, self.key),
            "preserve",
            becomes="the object of the hub or is removed",
        )
        wire, conversion = StructType(self.followed), Converted(self.followed, self.hub)
        obj = Variable("obj")
        back = FromJson(ToJson(obj, wire, conversion), wire, conversion, place)
        for field, when in self.unpreserved:
            by_json = Compared(Member(back, field), "!=", Member(obj, field))
            lost = Compared(at("back", (field,)), "!=", at("obj", (field,)))
            yield Loss(Side.HUB, field.json_name, when, Both((lost, by_json)), "preserve")

    def describe(self) -> str | None:
        return f"what the version cannot hold is preserved in the annotation {self.key}"


def bind_preserved(request: LensRequest, spec: PreserveSpec, followed: TypeId, steps: Iterable[Step]) -> Iterable[Step]:
    """The step for a kind in one version; `steps` are the others of its plan."""
    name, version = request.version.id.name, request.version.id.version
    annotations = annotations_of(
        request, f"add `metadata: {{type: meta/v1.ObjectMeta, required: false}}` to {version} `{name}`"
    )
    if annotations is None:
        return ()
    if annotations[0].can_be_none:
        request.error(
            "AG0612",
            f"`preserve` needs `metadata` of {name} to be always set",
            hint=f"remove `optional: true` from `metadata` of {version} `{name}`",
        )
    key = spec.annotation.value
    other = next((step for step in steps if isinstance(step, Carried | Marked) and step.key == key), None)
    if other is not None:
        request.error(
            "AG0607",
            f"the annotation {key} preserves data of the kind, and a lens of {version} writes it too",
            hint="name another annotation in `preserve`",
        )
    return (Preserved(request.version.id, request.hub.id, followed, annotations, key),)
