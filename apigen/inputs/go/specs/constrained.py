"""What validation tags are about, and what they have said of it so far."""

from __future__ import annotations

from apigen.dataclass import dataclass, field
from apigen.inputs.go.specs.expressions import Base
from apigen.inputs.go.specs.findings import Findings
from apigen.inputs.go.specs.markers import Markers, Tag
from apigen.inputs.merging import Entries

ENFORCED_SINCE = (1, 36)
"""The release from which on Kubernetes refuses what its declarative validation finds: tags without wrapper and beta ones."""

_LISTS = {"minItems", "maxItems", "uniqueItems"}
_MAPS = {"minProperties", "maxProperties"}
_TEXTS = {"minLength", "maxLength", "pattern", "format"}
_NUMBERS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
NOT_TEXT = {"bool", "int32", "int64", "uint32", "uint64", "float32", "float64", "Time", "MicroTime", "IntOrString"}


@dataclass(frozen=True, slots=True)
class Subject:
    """What constraints are about: the element that has them, its type as an expression and what it is to JSON."""

    element: str
    expression: str
    base: Base


def misplaced(word: str, subject: Subject) -> str:
    """Why a word cannot stand on a value of a type."""
    if (word in _LISTS) != (subject.base is Base.LIST and subject.expression != "bytes") and word in _LISTS:
        return "it is about a list, and this is none"
    if word in _MAPS and subject.base is not Base.MAP:
        return "it is about a map, and this is none"
    if word in _TEXTS | _NUMBERS and subject.base in (Base.LIST, Base.MAP):
        return "it is about a single value, and this is none"
    if word in _NUMBERS and subject.expression in ("string", "bool", "bytes"):
        return "it is about a number, and this is none"
    if word in _TEXTS and subject.expression in NOT_TEXT:
        return "it is about text, and this is none"
    return ""


@dataclass(slots=True)
class Constrained:
    """One element with its tags and what they have said of it."""

    subject: Subject
    markers: Markers
    findings: Findings
    release: tuple[int, int] | None
    constraints: Entries = field(default_factory=dict)
    required: bool | None = None
    """What tags in force say of being required."""
    unique_keys: tuple[str, ...] = ()
    """The keys of an atomic list whose elements differ in them."""

    def is_in_force(self, tag: Tag) -> bool:
        """Whether a tag is enforced by default in the release that is imported."""
        if tag.name.startswith("kubebuilder:"):
            return True
        if any(part.name == "k8s:alpha" for part in tag.chain()):
            return False
        return self.release is None or self.release >= ENFORCED_SINCE

    def is_unique_by_keys(self) -> bool:
        """Whether a tag in force says that elements differ in the keys of the list."""
        tags = [tag.unwrapped for tag in self.markers.tags if self.is_in_force(tag)]
        return any(tag.name == "k8s:unique" and tag.value == "map" for tag in tags)

    def pairs_elements(self) -> bool:
        """Whether elements of the list are paired by keys, or it is a map."""
        if self.subject.base is Base.MAP or self.unique_keys:
            return True
        types = [tag.unwrapped for tag in self.markers.tags if self.is_in_force(tag)]
        return any(tag.name in ("listType", "k8s:listType") and tag.value == "map" for tag in types)

    def is_of_elements(self, into: Entries) -> bool:
        """Whether constraints are of elements, not of the field or of it in one state of a gate."""
        return into is not self.constraints and self.subject.base in (Base.LIST, Base.MAP)
