"""The elements that an import omits, with the reasons: nothing is dropped silently."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place
from apigen.inputs.go.specs.markers import Tag


class OmittedKind(StrEnum):
    """The kind of an omitted element."""

    MARKER = "marker"
    VALIDATION = "validation"
    TYPE = "type"
    FIELD = "field"
    TAG = "tag"
    CONSTANT = "constant"
    UNTYPED = "untyped"
    GATE = "gate"
    REPLACEMENT = "replacement"
    TOMBSTONE = "tombstone"
    KIND = "kind"


CODES: dict[OmittedKind, str] = {
    OmittedKind.MARKER: "AG1220",
    OmittedKind.VALIDATION: "AG1221",
    OmittedKind.TYPE: "AG1222",
    OmittedKind.FIELD: "AG1223",
    OmittedKind.TAG: "AG1224",
    OmittedKind.CONSTANT: "AG1225",
    OmittedKind.UNTYPED: "AG1225",
    OmittedKind.GATE: "AG1226",
    OmittedKind.REPLACEMENT: "AG1227",
    OmittedKind.TOMBSTONE: "AG1228",
    OmittedKind.KIND: "AG1229",
}
"""The code of the diagnostic for each."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An element of the Go code that the specs do not have.

    `element` is `folder/version`, `folder/version.Type` or `folder/version.Type.field`. `name` is the omitted part: a
    marker as written, a gate, a constant, or empty for the element itself. Findings of the same kind, reason and
    `group_by` are reported in one line.
    """

    kind: OmittedKind
    element: str
    name: str
    place: Place
    reason: str
    group_by: str = ""
    is_loss: bool = False
    """Whether objects lose data: a field that is not imported is dropped by every conversion."""

    @property
    def code(self) -> str:
        """The code of its diagnostic."""
        return CODES[self.kind]


@dataclass(slots=True)
class Findings:
    """Collects findings; each once."""

    _found: dict[Finding, None] = field(default_factory=dict)

    def add(self, kind: OmittedKind, element: str, name: str, place: Place, reason: str, group_by: str = "") -> None:
        """Add one."""
        self._found.setdefault(Finding(kind, element, name, place, reason, group_by))

    def add_tag(self, kind: OmittedKind, element: str, tag: Tag, reason: str) -> None:
        """Add a marker of an element."""
        self.add(kind, element, tag.text, tag.place, reason, f"+{tag.name}")

    def add_loss(self, element: str, place: Place, reason: str) -> None:
        """Add a field whose values would be lost."""
        self._found.setdefault(Finding(OmittedKind.FIELD, element, "", place, reason, reason, is_loss=True))

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)
