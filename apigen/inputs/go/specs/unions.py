"""Unions of a struct: from `+union`, `+unionDiscriminator`, `+oneOf`, `+zeroOrOneOf`, the enforced declarative tags, and
markers of controller-gen for the number of set fields, some of which become CEL rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apigen.dataclass import dataclass, field
from apigen.inputs.go.model import GoField, GoTypeDeclaration
from apigen.inputs.go.specs.fields import Reader, can_be_absent, fields_in_json, json_name
from apigen.inputs.go.specs.markers import Markers, OmittedKind, Tag, listed_values, parse_tag, unquoted
from apigen.inputs.go.specs.validation import is_enforced
from apigen.inputs.merging import Entries, Value
from apigen.ir.names import is_identifier
from apigen.runtime.rules import escaped

_MEMBERS = ("k8s:unionMember", "k8s:zeroOrOneOfMember")


@dataclass(frozen=True, slots=True)
class _Tagged:
    """A field with one of its tags."""

    name: str
    field: GoField
    tag: Tag


def read_unions(declared: GoTypeDeclaration, element: str, fields: Entries, reader: Reader) -> list[Entries]:
    """Return the unions of a struct; `fields` are its fields in specs."""
    tagged = [
        _Tagged(json_name(field), field, parse_tag(marker))
        for field in declared.fields
        if json_name(field) in fields
        for marker in field.markers
        if not reader.settings.listed.leaves_out(OmittedKind.MARKER, f"{element}.{json_name(field)}", marker.text)
    ]
    tagged = [one for one in tagged if _may_be_member(one, element, fields, reader)]
    unions = list(_discriminated(declared, element, tagged, reader))
    known = [(union["discriminator"], union["members"]) for union in unions]  # fields may have the tags of both forms
    declarative = _declarative(element, tagged, reader)
    unions += [union for union in declarative if (union.get("discriminator"), union["members"]) not in known]
    in_others = {name for union in unions for name in _names(union)}
    return [*unions, *_loose(element, tagged, in_others, reader)]


_UNION_TAGS = ("oneOf", "zeroOrOneOf", *_MEMBERS)


def _may_be_member(one: _Tagged, element: str, fields: Entries, reader: Reader) -> bool:
    """Return whether a field, if it is tagged as a union member, can be unset; one that cannot is a finding."""
    if one.tag.unwrapped.name not in _UNION_TAGS or can_be_absent(fields[one.name]):
        return True
    reason = "the field is always present, but a union member must be unset if another one is set"
    reader.findings.add_tag(OmittedKind.MARKER, f"{element}.{one.name}", one.tag, reason)
    return False


def _names(union: Entries) -> Iterator[str]:
    members = union["members"]
    if isinstance(members, dict):
        yield from (str(name) for name in members.values())
    elif isinstance(members, list):
        yield from (str(name) for name in members)


def _discriminated(
    declared: GoTypeDeclaration, element: str, tagged: list[_Tagged], reader: Reader
) -> Iterator[Entries]:
    """`+union` with a field that is the discriminator: members by value."""
    marks = [marker for marker in declared.markers if marker.name == "+union"]
    discriminator = next((one for one in tagged if one.tag.name == "unionDiscriminator"), None)
    if discriminator is None:
        is_declarative = any(one.tag.unwrapped.name in _MEMBERS or one.tag.name == "oneOf" for one in tagged)
        if marks and not is_declarative:
            reason = "it has no field with `+unionDiscriminator`"
            reader.findings.add(OmittedKind.MARKER, element, marks[0].text, marks[0].place, reason, marks[0].text)
        return
    values = _values(discriminator.field, reader)
    members, optional = _by_value(values, declared, discriminator, tagged)
    if not members:
        reason = "no field is selected by a value of the discriminator" if values else "its values are unknown"
        text, place = discriminator.tag.text, discriminator.tag.place
        reader.findings.add(OmittedKind.MARKER, f"{element}.{discriminator.name}", text, place, reason, text)
        return
    union: Entries = {"discriminator": discriminator.name, "members": dict(members)}
    empty: list[Value] = [value for value in values if value not in members or value in optional]
    if empty:
        union["empty"] = empty
    yield union


def _values(field: GoField, reader: Reader) -> list[str]:
    found = reader.packages.resolve(field.type, reader.package)
    constants = found[0].constants if found is not None else ()
    return list(dict.fromkeys(constant.value for constant in constants if isinstance(constant.value, str)))


def _by_value(
    values: list[str], declared: GoTypeDeclaration, discriminator: _Tagged, tagged: list[_Tagged]
) -> tuple[dict[str, str], set[str]]:
    """Return the member of each value, and the values whose member may be unset."""
    member_tags = [
        (one.name, one.tag.unwrapped) for one in tagged if one.tag.unwrapped.name in ("k8s:member", "k8s:ifMode")
    ]
    members: dict[str, str] = {}
    optional: set[str] = set()
    for name, tag in member_tags:
        rule = tag.inner.name if tag.inner is not None else ""
        if rule in ("k8s:required", "k8s:optional") and tag.first in values:
            members[tag.first] = name
            if rule == "k8s:optional":
                optional.add(tag.first)
    if members:
        return {value: members[value] for value in values if value in members}, optional
    pointers = [json_name(field) for field in declared.fields if field.type.text.startswith("*")]
    for value in values:
        start = value.lower()
        exact = [name for name in pointers if name.lower() == start]
        longer = [name for name in pointers if name.lower().startswith(start)]
        candidates = exact or longer
        if len(candidates) == 1 and candidates[0] != discriminator.name and candidates[0] not in members.values():
            members[value] = candidates[0]
    return members, optional


def _declarative(element: str, tagged: list[_Tagged], reader: Reader) -> Iterator[Entries]:
    """Read `+k8s:unionMember` and `+k8s:zeroOrOneOfMember`, if they are enforced."""
    unions: dict[tuple[str, str], list[_Tagged]] = {}
    for one in tagged:
        if one.tag.unwrapped.name in _MEMBERS and is_enforced(one.tag, reader.settings.release):
            unions.setdefault((one.tag.unwrapped.name, one.tag.unwrapped.arg("union")), []).append(one)
    discriminators = {
        one.tag.unwrapped.arg("union"): one.name for one in tagged if one.tag.unwrapped.name == "k8s:unionDiscriminator"
    }
    for (kind, name), members in unions.items():
        union = _union_of(members, discriminators.get(name))
        if union is None or len(members) < 2:
            _leave_single(element, members, reader)
            continue
        if kind == "k8s:zeroOrOneOfMember":
            union["optional"] = True
        yield union


def _union_of(members: list[_Tagged], discriminator: str | None) -> Entries | None:
    if discriminator is None:
        return {"members": [one.name for one in members]}
    named = {one.tag.unwrapped.arg("memberName") or one.field.go: one.name for one in members}
    return {"discriminator": discriminator, "members": dict(named)}


def _loose(element: str, tagged: list[_Tagged], used_names: set[str], reader: Reader) -> Iterator[Entries]:
    """Read `+oneOf=name` and `+zeroOrOneOf=name`, which document that at most one field is set, but not whether all may be
    unset.
    """
    unions: dict[str, list[_Tagged]] = {}
    for one in tagged:
        if one.tag.name in ("oneOf", "zeroOrOneOf"):
            unions.setdefault(unquoted(one.tag.value), []).append(one)
    for members in unions.values():
        names: list[Value] = [one.name for one in members]
        if len(members) < 2:
            _leave_single(element, members, reader)
        elif not used_names.issuperset(str(name) for name in names):
            yield {"members": names, "optional": True}


def _leave_single(element: str, members: list[_Tagged], reader: Reader) -> None:
    for one in members:
        reason = "a union of one field has no effect"
        reader.findings.add_tag(OmittedKind.MARKER, f"{element}.{one.name}", one.tag, reason)


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
