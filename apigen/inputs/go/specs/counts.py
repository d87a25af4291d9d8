"""Markers of controller-gen for the number of set fields of a struct; they become unions, or CEL rules."""

from __future__ import annotations

from collections.abc import Sequence

from apigen.dataclass import dataclass, field
from apigen.inputs.go.model import GoTypeDeclaration
from apigen.inputs.go.specs.fields import Reader, can_be_absent, fields_in_json
from apigen.inputs.go.specs.findings import OmittedKind
from apigen.inputs.go.specs.marker_values import listed_values
from apigen.inputs.go.specs.markers import Markers, Tag, unquoted
from apigen.inputs.merging import Entries, Value
from apigen.ir.names import is_identifier
from apigen.runtime.rule_names import escaped

_PREFIX = "kubebuilder:validation:"
_UNIONS = {"ExactlyOneOf": False, "AtMostOneOf": True}
"""For each marker, whether all fields may be unset."""


@dataclass(slots=True)
class Counts:
    """The entries of `unions` and of `rules` for such markers."""

    unions: list[Value] = field(default_factory=list)
    rules: list[Value] = field(default_factory=list)


def read_counts(declared: GoTypeDeclaration, element: str, markers: Markers, fields: Entries, reader: Reader) -> Counts:
    """Return the entries for markers on a struct about the number of fields that are set; report those that specs
    cannot express.
    """
    counts = Counts()
    known = list(dict(fields_in_json(declared, reader.package, reader)))
    for tag in markers.tags:
        word = tag.name.removeprefix(_PREFIX)
        if word == tag.name or word not in (*_UNIONS, "AtLeastOneOf", "MinProperties", "MaxProperties"):
            continue
        markers.mark(tag)
        reason = _take(word, tag, known, fields, counts)
        if reason:
            reader.findings.add_tag(OmittedKind.VALIDATION, element, tag, reason)
    return counts


def _take(word: str, tag: Tag, known: Sequence[str], fields: Entries, counts: Counts) -> str:
    """Add the effect of one marker; return why it cannot be imported, empty if it was added."""
    if word in ("MinProperties", "MaxProperties"):
        number = unquoted(tag.value)
        if not number.isdecimal():
            return f"`{number}` is not a number"
        return _rule(word == "MinProperties", int(number), known, counts)
    names = listed_values(tag.value)
    unknown = [name for name in names if name not in known]
    if unknown or len(names) < 2:
        return f"the struct has no field `{unknown[0]}`" if unknown else "it names fewer than two fields"
    if word == "AtLeastOneOf":
        return _rule(True, 1, names, counts)
    if not all(can_be_absent(fields.get(name)) for name in names):
        return "one of its fields is always present, but a union member must be unset if another one is set"
    members: list[Value] = [*names]
    counts.unions.append({"members": members, "optional": True} if _UNIONS[word] else {"members": members})
    return ""


def _rule(is_least: bool, number: int, names: Sequence[str], counts: Counts) -> str:
    """A rule that at least, or at most, so many of some fields are set."""
    odd = next((name for name in names if not is_identifier(escaped(name))), None)
    if odd is not None or not names:
        return f"CEL has no name for the field `{odd}`" if odd else "the struct has no fields"
    each = [f"has(self.{escaped(name)})" for name in names]
    rule = f"[{', '.join(each)}].filter(isSet, isSet).size() {'>=' if is_least else '<='} {number}"
    if is_least and number == 1:
        rule = " || ".join(each)
    bound = "at least" if is_least else "at most"
    fields = "field" if number == 1 else "fields"
    counts.rules.append({"rule": rule, "message": f"{bound} {number} {fields} must be set"})
    return ""
