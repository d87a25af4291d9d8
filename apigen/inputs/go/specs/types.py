"""Converts type declarations to types of specs: structs, enums and aliases.

Gaps in the field numbers of a struct are reserved, because old data may use them for unknown fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from apigen.inputs.go.model import GoConstant, GoField, GoKind, GoTypeDeclaration, TombstoneWords
from apigen.inputs.go.specs.expressions import (
    META,
    OF_ANY_JSON,
    WELL_KNOWN,
    WELL_KNOWN_RAW,
    Base,
    Form,
    Translated,
    UntranslatableError,
    ValueForm,
)
from apigen.inputs.go.specs.fields import (
    LISTED,
    TYPE_OF_JSON,
    UNPRUNED,
    Reader,
    fields_in_json,
    gate_names,
    is_beside_values,
    json_name,
    read_field,
    report_rest,
    take_gates,
)
from apigen.inputs.go.specs.kinds import Life, is_kind_or_list, kinds_of, life_entries
from apigen.inputs.go.specs.markers import Markers, OmittedKind, Tag, listed_values, unquoted
from apigen.inputs.go.specs.unions import read_counts, read_unions
from apigen.inputs.go.specs.validation import Constraining
from apigen.inputs.merging import REMOVE, Block, Entries, Value
from apigen.ir.names import field_name, free_name, member_name
from apigen.ir.numbers import merged_ranges, without_numbers
from apigen.language.model import GroupSpec, NumberRange, TypeSpec

_OF_KINDS = (
    *(
        "k8s:prerelease-lifecycle-gen:",
        "genclient:",
        "kubebuilder:resource",
        "kubebuilder:subresource:",
        "kubebuilder:printcolumn",
        "kubebuilder:selectablefield",
    ),
    *("kubebuilder:storageversion", "kubebuilder:unservedversion"),
)
"""Markers that are read with the kinds."""
_ENUM = ("enum", "k8s:enum")


def is_left_out(declared: GoTypeDeclaration, reader: Reader) -> bool:
    """Return whether specs cannot express a type, which is reported as a finding."""
    element = f"{reader.version}.{declared.go}"
    full = f"{reader.package.path}.{declared.go}"
    if reader.settings.listed.leaves_out(OmittedKind.TYPE, element, ""):
        return True
    reasons = (
        (full in WELL_KNOWN, "it is a built-in type"),
        (full == f"{META}.TypeMeta", "every kind has it"),
        (declared.kind is GoKind.FUNC, "code, not data"),
        (declared.kind is GoKind.INTERFACE, "an interface: not data"),
        (not declared.go[:1].isupper(), "not exported"),
        (declared.is_no_message, "it is declared not to be a protobuf message"),
        (_is_only_a_form(declared, reader), "the protobuf form of another type"),
    )
    reason = next((reason for is_so, reason in reasons if is_so), "")
    if reason:
        reader.findings.add(OmittedKind.TYPE, element, "", declared.place, reason, is_harmless=True)
    return bool(reason)


def _is_only_a_form(declared: GoTypeDeclaration, reader: Reader) -> bool:
    text = f"+protobuf.as={declared.go}"
    return any(marker.text == text for type_ in reader.package.types for marker in type_.markers)


def read_type(declared: GoTypeDeclaration, life: Life, replacement_folder: str, reader: Reader) -> Entries | None:
    """Return the entries of a type; None if the spec language cannot express it."""
    element = f"{reader.version}.{declared.go}"
    markers = reader.markers(element, declared)
    markers.take("genclient", "union", "k8s:isSubresource", "k8s:supportsSubresource")
    for tag in markers.tags:
        if tag.name.startswith(_OF_KINDS) and any(kind is declared for kind in kinds_of(reader.package)):
            markers.mark(tag)
    for tag in markers.take("kubebuilder:default", "optional", "nullable"):
        reason = "generators read it on fields, and ignore it on a type"
        reader.findings.add_tag(OmittedKind.MARKER, element, tag, reason)
    lifecycle = life_entries(life, replacement_folder)
    form = reader.packages.own_form(declared, reader.package)
    _report_form(declared, element, form, reader)
    if form is not None:
        coded = _coded(declared, element, form, markers, reader)
        report_rest(markers, element, reader)
        return coded
    if declared.kind is GoKind.STRUCT:
        return _struct(declared, element, markers, lifecycle, reader)
    body = _enum(declared, element, markers, reader)
    if body is None:
        body = _alias(declared, element, markers, reader)
    else:
        _report_constraints(declared, markers, element, reader)
    report_rest(markers, element, reader)
    return body


def _report_form(declared: GoTypeDeclaration, element: str, form: str | None, reader: Reader) -> None:
    """Report a type with its own JSON methods, and the JSON that the import assumes, because it does not read the
    methods.
    """
    if form is None and not declared.json_methods:
        return
    name = " ".join(dict.fromkeys(declared.json_methods)) or "its embedded type"
    reason = "its JSON is defined by code"
    reason += (
        f"; it is imported as `is: {form}`"
        if form is not None
        else "; it is imported with the JSON of its fields or of its underlying type"
    )
    reader.findings.add(OmittedKind.TAG, element, name, declared.place, reason)


def _coded(declared: GoTypeDeclaration, element: str, form: str, markers: Markers, reader: Reader) -> Entries:
    """Return the alias for a type with its own JSON encoding."""
    is_object = any(unquoted(tag.value) == "object" for tag in markers.take(TYPE_OF_JSON))
    if form == WELL_KNOWN_RAW:
        markers.take(*UNPRUNED)
    if form == "string":
        body = _enum(declared, element, markers, reader) if declared.kind is not GoKind.STRUCT else None
        if body is not None:
            return body
    value_form = ValueForm(Form.TEXT if form == "string" else Form.OTHER)
    constraining = Constraining(element, value_form, markers, reader.findings, reader.settings.release)
    constraining.constraints = dict(OF_ANY_JSON) if form == WELL_KNOWN_RAW and not is_object else {}
    return {**_doc(declared, reader), "is": form, **constraining.run()}


def _doc(declared: GoTypeDeclaration | GoConstant, reader: Reader) -> Entries:
    return {"doc": " ".join(declared.doc.split())} if reader.settings.docs and declared.doc else {}


# --- structs


def _struct(
    declared: GoTypeDeclaration, element: str, markers: Markers, lifecycle: Entries, reader: Reader
) -> Entries | None:
    fields: Entries = Block(_type_meta(declared, reader))
    for field in _without_shadowed(declared, element, reader):
        if not field.go[:1].isupper() and not field.embedded:
            at = f"{element}.{field.go}"
            reader.findings.add(OmittedKind.FIELD, at, "", field.place, "not exported", is_harmless=True)
            continue
        rival = _rival(field, declared)
        if rival is not None:
            reason = f"Go omits it from JSON, because `{rival.go}` has the same JSON name"
            reader.findings.add(OmittedKind.FIELD, f"{element}.{field.go}", "", field.place, reason)
            continue
        read = read_field(field, element, reader)
        if read is not None:
            _drop_used_number(field, *read, f"{element}.{read[0]}", fields, reader)
            fields[read[0]] = read[1]
    _name_for_python(declared, fields, reader)
    body: Entries = Block(_doc(declared, reader))
    struct_type = markers.take_one("structType")
    if struct_type is not None:
        body["structType"] = struct_type.value
    body.update(lifecycle)
    constraining = Constraining(element, ValueForm(Form.STRUCT), markers, reader.findings, reader.settings.release)
    counted = read_counts(declared, element, markers, fields, reader)
    constraints = constraining.run()
    if more_rules := [*_rules_of_inline(fields), *counted.rules]:
        constraints["rules"] = [*_listed(constraints.get("rules")), *more_rules]
    tombstones = _tombstones(declared, element, fields, reader)
    unions = [*read_unions(declared, element, fields, reader), *counted.unions]
    for name in tombstones:
        fields[name] = REMOVE
    body["fields"] = fields
    body.update(constraints)
    if unions:
        body["unions"] = unions
    if tombstones:
        body["tombstones"] = tombstones
    unexplained = unexplained_numbers(declared, fields, tombstones)
    if unexplained:
        body["reserved"] = unexplained
    report_rest(markers, element, reader)
    _report_detached(declared, element, reader)
    return body


def _listed(rules: Value) -> list[Value]:
    return rules if isinstance(rules, list) else []


def _rules_of_inline(fields: Entries) -> Iterator[Value]:
    """Take the rules of inline fields, which have no value of their own: in JSON, `self` is the struct around them."""
    for body in fields.values():
        if isinstance(body, dict) and body.get("inline"):
            yield from _listed(body.pop("rules", None))


def _rival(field: GoField, declared: GoTypeDeclaration) -> GoField | None:
    """Return a field for which Go omits a field of the same struct from JSON: two tags with one name omit both fields, one tag
    omits those without (`encoding/json`, `Marshal`).
    """
    if field.inline or field.json_skip:
        return None
    others = (other for other in declared.fields if other is not field and not (other.inline or other.json_skip))
    rivals = (other for other in others if other.go[:1].isupper() and json_name(other) == json_name(field))
    return next((other for other in rivals if other.has_json_tag or not field.has_json_tag), None)


def _drop_used_number(
    field: GoField, name: str, body: Entries, element: str, fields: Mapping[str, Value], reader: Reader
) -> None:
    """Omit a number that an earlier field has too: Go compares numbers only in packages for which it generates code."""
    number = body.get("protobuf")
    for other, other_body in fields.items():
        if (
            number is not None
            and other != name
            and isinstance(other_body, dict)
            and other_body.get("protobuf") == number
        ):
            reason = f"`{other}` has the same number, so the field gets the next free one"
            reader.findings.add(OmittedKind.TAG, element, f"protobuf: {number}", field.place, reason)
            del body["protobuf"]
            return


def _type_meta(declared: GoTypeDeclaration, reader: Reader) -> Entries:
    """`kind` and `apiVersion` of a struct that embeds TypeMeta and is not a kind: they are ordinary fields of it."""
    if not declared.root or is_kind_or_list(declared, reader):
        return {}
    return {name: {"type": "string", "omitEmpty": True} for name in ("kind", "apiVersion")}


def _without_shadowed(declared: GoTypeDeclaration, element: str, reader: Reader) -> Iterator[GoField]:
    """Yield the fields of a struct, with those of an embedded struct in its place if it is not exported. An embedded struct
    with a field of the same name contributes its other fields only.
    """
    own = {json_name(field) for field in declared.fields if not field.inline}
    for field in declared.fields:
        resolved = reader.packages.resolve(field.type, reader.package) if field.inline else None
        inner = [] if resolved is None else fields_in_json(resolved[0], resolved[1], reader)
        shadowed = sorted({name for name, _ in inner} & own)
        is_ours = field.protobuf is None and all(owner is reader.package for _, (_, owner) in inner)
        if is_ours and resolved is not None and (shadowed or not resolved[0].go[:1].isupper()):
            yield from (one for name, (one, _) in inner if name not in own)
        elif not shadowed:
            yield field
        else:
            reason = f"its `{shadowed[0]}` is hidden by a sibling field of the same name"
            reader.findings.add_loss(f"{element}.{json_name(field)}", field.place, reason)


def _name_for_python(declared: GoTypeDeclaration, fields: Entries, reader: Reader) -> None:
    """Add `python:` to each field whose Python name would equal that of another field."""
    inline = {name: body for name, body in fields.items() if isinstance(body, dict) and body.get("inline")}
    used_names: set[object] = {
        field_name(name)
        for field in declared.fields
        if json_name(field) in inline
        for resolved in (reader.packages.resolve(field.type, reader.package),)
        if resolved is not None
        for name, _ in fields_in_json(resolved[0], resolved[1], reader)
    }
    in_go = {json_name(field): field_name(field.go) for field in declared.fields}
    for name, body in fields.items():
        if name in inline or not isinstance(body, dict):
            continue
        py_name = free_name(field_name(name) or in_go.get(name) or "field", used_names)
        used_names.add(py_name)
        if py_name != field_name(name):
            body["pyName"] = py_name
            fields[name] = {key: body[key] for key in ("doc", "type", "pyName", *body) if key in body}


def _report_detached(declared: GoTypeDeclaration, element: str, reader: Reader) -> None:
    tombstones = {marker.text for tombstone in declared.tombstones for marker in tombstone.markers}
    for marker in declared.detached_markers:
        if not marker.text.startswith("+k8s:deprecated=") and marker.text not in tombstones:
            reason = "it does not belong to a field"
            reader.findings.add(OmittedKind.MARKER, element, marker.text, marker.place, reason, marker.name)


def _tombstones(declared: GoTypeDeclaration, element: str, fields: Mapping[str, Value], reader: Reader) -> Entries:
    """Return the tombstones of removed fields. Comments that only resemble one (an unreleased plan, a reused number) are
    reported.
    """
    tombstones: Entries = Block()
    for tombstone in declared.tombstones:
        name = tombstone.json
        at = f"{element}.{name or tombstone.go or ''}"
        is_described = tombstone.words is not TombstoneWords.NOTHING
        reasons = (
            (name is None, "it does not name the removed field"),
            (name in fields, "the struct has a field of this name"),
            (tombstone.number_now_of is not None, f"its number is used by `{tombstone.number_now_of}`"),
            (not tombstone.real and is_described, "it has no number"),
            (not tombstone.real, "the comment does not state that it was a field"),
        )
        reason = next((reason for is_so, reason in reasons if is_so), "")
        if reason or name is None:
            reader.findings.add(OmittedKind.TOMBSTONE, at, "", tombstone.place, reason)
            continue
        tombstones[name] = {} if tombstone.number is None else {"protobuf": tombstone.number}
    return tombstones


# --- enums and names


def _enum(declared: GoTypeDeclaration, element: str, markers: Markers, reader: Reader) -> Entries | None:
    """Return the enum of a string type with constants. It is closed only if an enforced marker declares it."""
    is_text = declared.underlying is not None and declared.underlying.resolved == "string"
    marked = bool(markers.take(*_ENUM))
    listed = markers.take_one(LISTED) if is_text else None
    for tag in markers.tags:
        if tag.unwrapped.name == "k8s:enum":
            markers.mark(tag)
            marked = marked or any(part.name == "k8s:beta" for part in tag.chain())
    if declared.kind is GoKind.ALIAS:
        return None
    constants = [constant for constant in declared.constants if constant.go[:1].isupper()]
    if not is_text or (not constants and listed is None):
        for constant in declared.constants:
            reason = "only strings have a set of values in the spec language"
            reader.findings.add(OmittedKind.CONSTANT, element, constant.go, constant.place, reason)
        return None
    values: Entries = Block()
    for constant in constants:
        _value(constant, element, values, reader)
    if listed is not None:
        values, marked = _only_listed(listed, constants, values, element, reader), True
    if not values:
        return None
    body: Entries = Block({**_doc(declared, reader), "enum": values})
    if not marked:
        body["open"] = True
    return body


def _report_constraints(declared: GoTypeDeclaration, markers: Markers, element: str, reader: Reader) -> None:
    """Constraints next to a set of values: fields of the type have them, elements and others do not."""
    is_element = reader.packages.is_element(declared, reader.package)
    for tag in list(markers.rest()):
        if is_beside_values(tag) and not is_element:
            markers.mark(tag)  # each field of the type has it
        elif tag.name.startswith("kubebuilder:validation:"):
            markers.mark(tag)
            reason = "a type with a set of values has no other constraints"
            reader.findings.add(OmittedKind.VALIDATION, element, tag.text, tag.place, reason)


def _only_listed(
    listed: Tag, constants: Sequence[GoConstant], values: Entries, element: str, reader: Reader
) -> Entries:
    """Return the values that a marker lists, with the docs of their constants; constants that it does not list are
    reported.
    """
    names = listed_values(listed.value)
    for constant in constants:
        if constant.value in values and constant.value not in names:
            reason = "the marker with the values does not list it"
            reader.findings.add(OmittedKind.CONSTANT, element, constant.go, constant.place, reason)
    return enum_values(names, values)


def enum_values(names: Sequence[str], known: Mapping[str, Value]) -> Entries:
    """Return the values of an enum with their options; values with the same Python name get names of their own."""
    values: Entries = Block()
    used_names: set[object] = set()
    for name in names:
        body = known.get(name, {})
        words: Entries = dict(body) if isinstance(body, dict) else {}
        preferred = _py_name(name, words)
        py_name = free_name(str(preferred or "VALUE"), used_names)
        if py_name != member_name(name):
            words["pyName"] = py_name
        used_names.add(py_name)
        values[name] = words
    return values


def _value(constant: GoConstant, element: str, values: Entries, reader: Reader) -> None:
    value = constant.value
    if reader.settings.listed.leaves_out(OmittedKind.CONSTANT, element, constant.go):
        return
    if not isinstance(value, str):
        reason = f"its value `{constant.expression}` was not read" if value is None else "its value is not a string"
        reader.findings.add(OmittedKind.CONSTANT, element, constant.go, constant.place, reason)
        return
    if value in values:
        reason = f"its value is the same as that of a constant above: `{value}`"
        reader.findings.add(OmittedKind.CONSTANT, element, constant.go, constant.place, reason)
        return
    at = f"{element}.{constant.go}"
    markers = Markers.of(constant.markers)
    gates = take_gates(gate_names(markers.take("featureGate")), at, reader)
    body = _doc(constant, reader)
    used_names = {_py_name(other, values[other]) for other in values}
    if member_name(value) is None or member_name(value) in used_names:
        body["pyName"] = free_name(member_name(constant.go) or constant.go.upper(), used_names)
    if gates is not None:
        body["featureGate"] = gates
    values[value] = body
    for tag in markers.rest():
        reader.findings.add_tag(OmittedKind.MARKER, at, tag, "not understood")


def _py_name(value: str, body: Value) -> object:
    """The name of a value in Python."""
    return body.get("pyName", member_name(value)) if isinstance(body, Mapping) else None


def _is_container(translated: Translated) -> bool:
    return translated.base in (Base.LIST, Base.MAP) and translated.expression != "bytes"


def _alias(declared: GoTypeDeclaration, element: str, markers: Markers, reader: Reader) -> Entries | None:
    nullable = markers.take_one("protobuf.nullable")
    if declared.underlying is None:
        return None
    try:
        translated = reader.packages.translate(declared.underlying, reader.package)
    except UntranslatableError as error:
        reader.findings.add(OmittedKind.TYPE, element, "", declared.place, str(error))
        return None
    body: Entries = {**_doc(declared, reader), "is": translated.expression}
    is_nullable = nullable is not None and nullable.value in ("", "true")
    if is_nullable or (_is_container(translated) and reader.packages.is_element(declared, reader.package)):
        body["nullable"] = True
    for word in ("listType", "mapType", "structType"):
        tags = [*markers.take(word), *markers.take(f"k8s:{word}")]
        if tags:
            body[word] = tags[0].value
    keys = [unquoted(tag.value) for tag in markers.take("listMapKey", "k8s:listMapKey")]
    if keys:
        body["listMapKeys"] = list(dict.fromkeys(keys))
    constraining = Constraining(element, translated.value_form, markers, reader.findings, reader.settings.release)
    constraining.constraints = dict(translated.constraints)
    return {**body, **constraining.run()}


RESERVED = "reserved"


def unexplained_numbers(
    declared: GoTypeDeclaration, fields: Mapping[str, Value], tombstones: Mapping[str, Value]
) -> list[Value]:
    """Return the numbers below the highest one that no field or tombstone has.

    Numbers of omitted fields are included: Go uses them.
    """
    known = {number for _, number in (*_numbered(fields), *_numbered(tombstones))}
    numbers = [field.protobuf.number for field in declared.fields if field.protobuf is not None]
    highest = max([0, *known, *(number for number in numbers if number is not None)])
    return _written(_between([0, *sorted(known), highest + 1]))


def without_numbers_in_use(types: Mapping[str, Value], group: GroupSpec | None, version: str) -> Entries:
    """Return the types of a version without reserved numbers that a field of the existing specs has.

    Users add fields to imported types, and specs assign numbers to fields that have none in Go.
    """
    used = {} if group is None else _used(group, version)
    remaining_types = type(types)() if isinstance(types, dict) else {}
    for name, body in types.items():
        if isinstance(body, dict) and RESERVED in body:
            imported_fields = {field for field, _ in _numbered(body.get("fields"))}
            own_numbers = {number for field, number in used.get(name, ()) if field not in imported_fields}
            remaining = _written(
                rest for one in read_ranges(body[RESERVED]) for rest in without_numbers(one, own_numbers)
            )
            body = type(body)({key: remaining if key == RESERVED else value for key, value in body.items()})
            if not remaining:
                del body[RESERVED]
        remaining_types[name] = body
    return remaining_types


def same_numbers(written: object, imported: Value) -> bool:
    """Return whether the specs reserve all these numbers; they may reserve more."""
    reserved = merged_ranges(read_ranges(written))
    return all(any(hole.first in one and hole.last in one for one in reserved) for hole in read_ranges(imported))


def read_ranges(reserved: object) -> Iterator[NumberRange]:
    """Yield the valid ranges of a list in specs: `[4, "9-11"]`."""
    for one in reserved if isinstance(reserved, list) else ():
        first, _, last = str(one).partition("-")
        if first.isdecimal() and (last or first).isdecimal():
            yield NumberRange(int(first), int(last or first))


def _written(ranges: Iterable[NumberRange]) -> list[Value]:
    return [one.first if one.first == one.last else str(one) for one in ranges]


def _between(numbers: Sequence[int]) -> Iterator[NumberRange]:
    """The ranges of numbers that are missing between those given, which are in order."""
    return (NumberRange(a + 1, b - 1) for a, b in pairwise(numbers) if a + 1 < b)


def _numbered(entries: Value) -> Iterator[tuple[str, int]]:
    """The entries of a mapping that have a number."""
    for name, entry in entries.items() if isinstance(entries, Mapping) else ():
        number = entry.get("protobuf") if isinstance(entry, Mapping) else None
        if isinstance(number, int):
            yield name, number


def _used(group: GroupSpec, version: str) -> Mapping[str, list[tuple[str, int]]]:
    """The numbers that the fields of each type of a version have, as written or in the lock."""
    types: tuple[TypeSpec, ...] = next((file.types for file in group.version_files if file.name == version), ())
    locked = {type_.name: type_ for lock in group.locks if lock.version == version for type_ in lock.types}
    used: dict[str, list[tuple[str, int]]] = {}
    for type_ in types:
        names = {field.name for field in type_.fields}
        used[type_.name] = [(field.name, field.protobuf.value) for field in type_.fields if field.protobuf is not None]
        fields = locked[type_.name].fields if type_.name in locked else ()
        used[type_.name] += [(f.json_name, f.number) for f in fields if f.number and f.json_name in names]
    return used
