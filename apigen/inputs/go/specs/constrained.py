"""The subject of validation tags, and the constraints read from them so far."""

from __future__ import annotations

from apigen.dataclass import dataclass, field
from apigen.inputs.go.specs.expressions import Form, ValueForm
from apigen.inputs.go.specs.findings import Findings
from apigen.inputs.go.specs.markers import Markers, Tag
from apigen.inputs.merging import Entries

ENFORCED_SINCE = (1, 36)
"""The first release in which Kubernetes enforces declarative validation by tags without a wrapper and by beta tags."""

_LISTS = {"minItems", "maxItems", "uniqueItems"}
_MAPS = {"minProperties", "maxProperties"}
_TEXTS = {"minLength", "maxLength", "pattern", "format"}
_NUMBERS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
_FITTING = (
    (_LISTS, (Form.LIST,), "it applies to lists only"),
    (_MAPS, (Form.MAP,), "it applies to maps only"),
    (_TEXTS, (Form.TEXT,), "it applies to strings only"),
    ({"maxBytes"}, (Form.TEXT, Form.BYTES), "it applies to strings and bytes only"),
    (_NUMBERS, (Form.WHOLE, Form.FLOAT), "it applies to numbers only"),
)
"""Keywords, the forms of values that they can constrain, and the message for other forms."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of constraints: the element that has them, and the form of its values."""

    element: str
    value_form: ValueForm

    @property
    def form(self) -> Form:
        """Return the form of its values."""
        return self.value_form.form


def misplaced(word: str, subject: Subject) -> str:
    """Return why a constraint does not apply to a value of a type; empty if it does."""
    for words, forms, wrong in _FITTING:
        if word in words and subject.form not in forms:
            return wrong
    return ""


@dataclass(slots=True)
class Constrained:
    """An element, its tags, and the constraints read from them so far."""

    subject: Subject
    markers: Markers
    findings: Findings
    release: tuple[int, int] | None
    constraints: Entries = field(default_factory=dict)
    about: Subject | None = None
    """The subject of the current tag: an element of the subject, or the subject itself."""
    required: bool | None = None
    """Whether tags in force declare it required; None if they do not declare it."""
    unique_keys: tuple[str, ...] = ()
    """The keys with unique values in an atomic list."""

    @property
    def form(self) -> Form:
        """Return the form of the value to which the current tag applies."""
        return (self.about or self.subject).form

    def misplaced(self, word: str) -> str:
        """Return why a constraint does not apply to the value that the current tag describes; empty if it does."""
        return misplaced(word, self.about or self.subject)

    def is_in_force(self, tag: Tag) -> bool:
        """Return whether the imported release enforces a tag by default."""
        if tag.name.startswith("kubebuilder:"):
            return True
        if any(part.name == "k8s:alpha" for part in tag.chain()):
            return False
        return self.release is None or self.release >= ENFORCED_SINCE

    def is_unique_by_keys(self) -> bool:
        """Return whether an enforced tag requires that elements differ in the list map keys."""
        tags = [tag.unwrapped for tag in self.markers.tags if self.is_in_force(tag)]
        return any(tag.name == "k8s:unique" and tag.value == "map" for tag in tags)

    def pairs_elements(self) -> bool:
        """Return whether elements of the list are paired by keys, or it is a map."""
        if self.subject.form is Form.MAP or self.unique_keys:
            return True
        types = [tag.unwrapped for tag in self.markers.tags if self.is_in_force(tag)]
        return any(tag.name in ("listType", "k8s:listType") and tag.value == "map" for tag in types)

    def is_of_elements(self, into: Entries) -> bool:
        """Return whether constraints apply to elements, instead of the field or the field in one state of a gate."""
        return into is not self.constraints and self.subject.form in (Form.LIST, Form.MAP)
