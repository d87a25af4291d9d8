"""Converts fields of Go structs to fields of specs. Of a protobuf tag, only number and name are used."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from apigen.dataclass import dataclass, replace
from apigen.inputs.go.model import GoField, GoKind, GoPackage, GoTypeDeclaration
from apigen.inputs.go.specs.expressions import (
    META,
    OF_ANY_JSON,
    TYPE_METAS,
    WELL_KNOWN,
    WELL_KNOWN_RAW,
    Base,
    Form,
    Packages,
    Translated,
    UntranslatableError,
    ValueForm,
    folder_name,
    has_pointer_elements,
)
from apigen.inputs.go.specs.markers import (
    Findings,
    Markers,
    OmittedKind,
    ReadSettings,
    Tag,
    listed_values,
    marker_value,
    unquoted,
)
from apigen.inputs.go.specs.validation import Constraining, is_enforced
from apigen.inputs.merging import Entries, Value

_REF = re.compile(r"ref\(([\w./-]+)\)")
_KUBEBUILDER = "kubebuilder:default"
TYPE_OF_JSON = "kubebuilder:validation:Type"
"""The marker that declares the JSON type, independently of the Go type."""
OPTIONAL_BY_DEFAULT = "+kubebuilder:validation:Optional"
"""The marker of a package whose fields are optional unless they declare to be required."""
UNPRUNED = ("kubebuilder:pruning:PreserveUnknownFields", "kubebuilder:validation:XPreserveUnknownFields")
"""The markers of values in which the API server keeps unknown fields."""


_FITTING: Mapping[Form, tuple[type, ...]] = {
    Form.TEXT: (str,),
    Form.BYTES: (str,),
    Form.FLAG: (bool,),
    Form.WHOLE: (int,),
    Form.FLOAT: (int, float),
}
"""The Python types of a default, by the form of the field; other forms are checked elsewhere."""


def default_of(tag: Tag, field: GoField, type_: Translated, packages: Packages, package: GoPackage) -> Value:
    """Return the default of a field. Raises ValueError for an invalid one."""
    reference = _REF.fullmatch(tag.value)
    if reference:
        return _constant(reference[1], packages, package)
    try:
        value: Value = json.loads(tag.value)
    except ValueError:
        if tag.name != _KUBEBUILDER:
            raise ValueError(f"`{tag.value}` is not JSON") from None
        value = marker_value(tag.value) if tag.value.startswith(("{", "[")) else unquoted(tag.value)
    if value == {} and tag.name == _KUBEBUILDER and type_.base is Base.LIST:
        value = []
    _check(value, field, type_)
    python_types = _FITTING.get(type_.value_form.form)
    if python_types is not None and (
        not isinstance(value, python_types) or (isinstance(value, bool) and bool not in python_types)
    ):
        raise ValueError(f"`{tag.value}` is not a value of `{type_.expression}`")
    return value


def _check(value: Value, field: GoField, type_: Translated) -> None:
    """Raise ValueError for a list or map that the field cannot have, and for a default without effect."""
    if not isinstance(value, dict | list) or type_.expression == WELL_KNOWN_RAW:
        return
    takes = (Base.STRUCT, Base.MAP) if isinstance(value, dict) else (Base.LIST,)
    if type_.base not in takes:
        raise ValueError(f"a {'list' if isinstance(value, list) else 'map'} is not a `{type_.expression}`")
    is_struct = type_.base is Base.STRUCT and type_.expression not in WELL_KNOWN.values()
    if is_struct and not type_.pointer and not field.omitzero:
        raise ValueError("a struct that is not a pointer is always present; only its fields can have defaults")


def _constant(reference: str, packages: Packages, package: GoPackage) -> Value:
    path, _, name = reference.rpartition(".")
    holder = packages.packages.get(path or package.path)
    constants = [] if holder is None else list(holder.constants)
    constants += [] if holder is None else [c for type_ in holder.types for c in type_.constants]
    found = next((constant for constant in constants if constant.go == name), None)
    if found is None or found.value is None:
        raise ValueError(f"the constant `{reference}` was not read")
    return found.value


_TYPES_OF_JSON: Mapping[Form, tuple[str, ...]] = {
    Form.TEXT: ("string",),
    Form.BYTES: ("string",),
    Form.FLAG: ("boolean",),
    Form.WHOLE: ("integer", "number"),
    Form.FLOAT: ("number",),
    Form.LIST: ("array",),
    Form.MAP: ("object",),
    Form.STRUCT: ("object",),
}

_TEXTS = ("Time", "MicroTime", "Duration")
"""Types of the spec language whose JSON is a string."""

FIELD_ORDER = (
    "doc",
    "type",
    "pyName",
    "optional",
    "nullable",
    "omitEmpty",
    "inline",
    "required",
    "protobuf",
    "protobufName",
    "featureGate",
    "default",
    "listType",
    "listMapKeys",
    "mapType",
    "structType",
    "patchStrategy",
    "patchMergeKey",
)
"""The order in which keys of a field are written; constraints follow."""

DECLARED_UNIONS = ("k8s:unionMember", "k8s:zeroOrOneOfMember", "k8s:unionDiscriminator")
"""Tags of declarative validation by which fields are members or discriminator of a union."""


@dataclass(frozen=True, slots=True)
class Reader:
    """The inputs for reading all elements of a package."""

    packages: Packages
    package: GoPackage
    settings: ReadSettings
    findings: Findings

    @property
    def version(self) -> str:
        """The name of the package in specs: `apps/v1`."""
        return self.packages.name_of(self.package)

    @property
    def gates(self) -> frozenset[str]:
        """The feature gates that the group may name."""
        return self.settings.gates.get(folder_name(self.package.group), frozenset())

    @property
    def is_optional_by_default(self) -> bool:
        """Return whether a marker of the package makes fields without a marker of their own optional."""
        return any(marker.text == OPTIONAL_BY_DEFAULT for marker in self.package.markers)

    def markers(self, element: str, field: GoField | GoTypeDeclaration) -> Markers:
        """The markers of an element without those that are to be omitted."""
        markers = Markers.of(field.markers)
        for tag in markers.tags:
            if self.settings.listed.leaves_out(OmittedKind.MARKER, element, tag.text):
                markers.mark(tag)
        kept = tuple(markers.rest())
        return Markers(kept)


def json_name(field: GoField) -> str:
    """Return the name of a field in JSON; for an inline field, its name in specs and protobuf."""
    if field.json:
        return field.json
    if field.inline and field.protobuf is not None and field.protobuf.name:
        return field.protobuf.name
    return _lower_first(field.go) if field.inline else field.go


def can_be_absent(entries: Value) -> bool:
    """Return whether a field with these entries can be unset."""
    return isinstance(entries, dict) and any(word in entries for word in ("optional", "nullable", "omitEmpty"))


def fields_in_json(
    declared: GoTypeDeclaration, package: GoPackage, reader: Reader, depth: int = 0
) -> list[tuple[str, tuple[GoField, GoPackage]]]:
    """Return the fields of a struct by JSON name, including those of embedded structs, with their packages."""
    found: list[tuple[str, tuple[GoField, GoPackage]]] = []
    for field in declared.fields:
        inner = reader.packages.struct(field.type, package) if field.inline and depth < 20 else None
        if inner is not None:
            found += fields_in_json(inner[0], inner[1], reader, depth + 1)
        elif not field.json_skip and not field.inline and field.go[:1].isupper():
            found.append((json_name(field), (field, package)))
    return found


def _has_all_embedded(declared: GoTypeDeclaration, package: GoPackage, reader: Reader, depth: int = 0) -> bool:
    """Return whether the structs that a struct embeds were read."""
    embedded = [field.type for field in declared.fields if field.inline and not is_type_meta(field, reader)]
    structs = [reader.packages.struct(type_, package) if depth < 20 else None for type_ in embedded]
    return all(one is not None and _has_all_embedded(*one, reader, depth + 1) for one in structs)


def is_type_meta(field: GoField, reader: Reader) -> bool:
    """Return whether a field is the embedded TypeMeta (`kind` and `apiVersion`) of a kind."""
    resolved = field.type.resolved.lstrip("*")
    return field.embedded and (resolved in TYPE_METAS or (resolved == "TypeMeta" and reader.package.path == META))


def read_field(field: GoField, element: str, reader: Reader) -> tuple[str, Entries] | None:
    """Return the entries of a field; None if it is not encoded, or specs cannot express it."""
    if is_type_meta(field, reader):
        return None
    name = json_name(field)
    element = f"{element}.{name}"
    if reader.settings.listed.leaves_out(OmittedKind.FIELD, element, ""):
        return None
    if field.json_skip:
        reader.findings.add(OmittedKind.FIELD, element, "", field.place, "JSON omits it", is_harmless=True)
        return None
    translated = _translated(field, element, reader)
    if translated is None:
        return None
    if field.inline and translated.pointer:
        reason = "the embedded type is a pointer, whose presence is not preserved"
        reader.findings.add(OmittedKind.TAG, element, field.type.text, field.place, reason)
    if has_pointer_elements(field.type):
        reason = "its elements are pointers, but `null` elements are not preserved"
        reader.findings.add(OmittedKind.TAG, element, field.type.text, field.place, reason)
    return name, _Field(field, element, name, translated, reader).entries()


def _translated(field: GoField, element: str, reader: Reader) -> Translated | None:
    """Return the type of a field; any JSON value if the spec language has no such type; None if the field is omitted."""
    try:
        translated = _as_text(field, reader.packages.translate(field.type, reader.package))
        if field.as_string and translated.value_form.form in (Form.WHOLE, Form.FLOAT, Form.FLAG):
            if field.protobuf is not None:
                raise UntranslatableError(f"a string in JSON, and `{translated.expression}` in protobuf")
            reason = "its tag has the option `string`, so it is imported as `string`"
            reader.findings.add(OmittedKind.TAG, element, field.type.text, field.place, reason)
            return replace(translated, expression="string", value_form=ValueForm(Form.TEXT), constraints={})
        return translated
    except UntranslatableError as error:
        reason = str(error)
    if reader.settings.listed.explains(OmittedKind.FIELD, element, ""):
        reader.findings.add(OmittedKind.FIELD, element, "", field.place, reason)
    elif field.inline or field.protobuf is not None:
        reader.findings.add_loss(element, field.place, reason)
    else:
        reason += "; it is imported as any JSON value"
        reader.findings.add(OmittedKind.TAG, element, field.type.text, field.place, reason)
        return Translated(WELL_KNOWN_RAW, Base.STRUCT, ValueForm(Form.RAW), pointer=True, constraints=OF_ANY_JSON)
    return None


def _as_text(field: GoField, translated: Translated) -> Translated:
    """Return the type of a field; string if a marker declares that its JSON is a string and it has no protobuf form."""
    if translated.value_form.form is not Form.OTHER or not translated.pointer or field.protobuf is not None:
        return translated
    says_so = any(
        tag.name == TYPE_OF_JSON and unquoted(tag.value) == "string" for tag in Markers.of(field.markers).tags
    )
    return replace(translated, expression="string", value_form=ValueForm(Form.TEXT)) if says_so else translated


@dataclass(frozen=True, slots=True)
class _Field:
    """One field while it is read."""

    go: GoField
    element: str
    name: str
    translated: Translated
    reader: Reader

    def entries(self) -> Entries:
        """Return the entries of the field in specs."""
        markers = self.reader.markers(self.element, self.go)
        markers = self._with_type_markers(markers)
        self._take_type_of_json(markers)
        settings, findings = self.reader.settings, self.reader.findings
        constraining = Constraining(
            self.element, self.translated.value_form, markers, findings, settings.release, gates=self.reader.gates
        )
        constraining.constraints = self._implied(markers)
        entries: Entries = {"type": self._enum(markers) or self.translated.expression}
        if settings.docs and self.go.doc:
            entries["doc"] = " ".join(self.go.doc.split())
        presence = self._presence()
        if presence:
            entries[presence] = True
        self._take_merging(markers, entries, constraining)
        optional, required = markers.has("optional"), markers.has("required")
        nullable = markers.take_one("nullable")
        self._take_union(markers)
        self._take_gates(markers, entries)
        self._take_default(markers, entries)
        constraints = constraining.run()
        self._say_required(entries, required, optional, constraining)
        self._report_null(nullable, entries)
        self._number(entries)
        report_rest(markers, self.element, self.reader)
        ordered = {key: entries[key] for key in FIELD_ORDER if key in entries}
        return {**ordered, **constraints}

    def _with_type_markers(self, markers: Markers) -> Markers:
        """Return the markers with those of its enum type, other than the values: an enum has no
        constraints in specs.
        """
        found = self.reader.packages.resolve(self.go.type, self.reader.package)
        if found is None or self.translated.value_form.form is not Form.TEXT or not has_values(found[0]):
            return markers
        own = {tag.name for tag in markers.tags}
        more = (tag for tag in Markers.of(found[0].markers).tags if is_beside_values(tag) and tag.name not in own)
        return Markers((*markers.tags, *more))

    def _take_type_of_json(self, markers: Markers) -> None:
        """Take a marker of the JSON type that the field's type implies anyway."""
        types = (
            ("string",)
            if self.translated.expression in _TEXTS
            else _TYPES_OF_JSON.get(self.translated.value_form.form, ())
        )
        for tag in markers.tags:
            if tag.name == TYPE_OF_JSON and unquoted(tag.value) in types:
                markers.mark(tag)

    def _implied(self, markers: Markers) -> Entries:
        """Return the constraints implied by its type, without those of raw JSON that a marker declares to be an
        object. Nothing is pruned in raw JSON, and any JSON value has no schema.
        """
        if self.translated.value_form.form is Form.RAW:
            markers.take(*UNPRUNED)
            if self.translated.constraints == OF_ANY_JSON:
                markers.take("kubebuilder:validation:Schemaless")
        tag = next((tag for tag in markers.tags if tag.name == TYPE_OF_JSON), None)
        if self.translated.value_form.form is Form.RAW and tag is not None and unquoted(tag.value) == "object":
            markers.mark(tag)
            return {}
        return dict(self.translated.constraints)

    def _enum(self, markers: Markers) -> str | None:
        """The type of the values that a marker on the field lists; other markers with values become rules."""
        tag = next((one for one in markers.tags if one.name == LISTED), None)
        if tag is None or self.translated.value_form.form is not Form.TEXT:
            return None
        listed = listed_values(tag.value)
        resolved = self.reader.packages.resolve(self.go.type, self.reader.package)
        if resolved is not None and _lists(resolved[0], listed):
            markers.mark(tag)
        if not listed or self.translated.expression != "string":  # of a type with a name, it is a rule
            allowed = self.reader.packages.values_in_specs(self.go.type, self.reader.package)
            if allowed and (unknown := next((value for value in listed if value not in allowed), None)) is not None:
                self._leave(tag, f"`{self.translated.expression}` has no value {json.dumps(unknown)}")
            return None
        markers.mark(tag)
        holder = self.element.rpartition(".")[0].rpartition(".")[2]
        name = f"{holder}{self.go.go}" if self.go.go[:1].isupper() else holder
        return self.reader.packages.add_enum(name, listed, self.reader.package)

    def _presence(self) -> str:
        """Return the presence option of a field, by its Go type, `omitempty` and `omitzero`."""
        go, base = self.go, self.translated.base
        if go.inline:
            return "inline"
        if self.translated.pointer:
            return "optional" if go.omitempty or go.omitzero else "nullable"
        if base in (Base.LIST, Base.MAP):
            if go.omitempty:
                return "omitEmpty"
            return "optional" if go.omitzero else "nullable"
        if base is Base.STRUCT:  # Go writes it in any case, but a struct that is text may have no empty text to write
            return "omitEmpty" if go.omitzero or (go.omitempty and self.translated.value_form.form is Form.TEXT) else ""
        return "omitEmpty" if go.omitempty or go.omitzero else ""

    def _say_required(self, entries: Entries, required: bool, optional: bool, constraining: Constraining) -> None:
        """Set `required` if it does not follow from the presence."""
        if self.go.inline:
            return
        always = not any(key in entries for key in ("optional", "omitEmpty"))
        declared = True if required else False if optional else constraining.required
        is_optional = self.go.omitempty or self.go.omitzero or self.reader.is_optional_by_default
        is_required = not is_optional if declared is None else declared
        if is_required != always:
            entries["required"] = is_required

    def _report_null(self, tag: Tag | None, found: Entries) -> None:
        """Report `+nullable` if `null`, which specs treat as omitted, has another meaning than an omitted value."""
        if tag is None or "nullable" in found:
            return
        if "default" in found:
            self._leave(tag, "`null` counts as omitted, so the default replaces it")
        elif found.get("required", not any(word in found for word in ("optional", "omitEmpty"))):
            self._leave(tag, "`null` counts as omitted, but the field is required")

    def _number(self, found: Entries) -> None:
        tag = self.go.protobuf
        if tag is None or tag.number is None:
            return
        found["protobuf"] = tag.number
        if tag.name is not None and tag.name != self.name:
            found["protobufName"] = tag.name

    def _take_merging(self, markers: Markers, entries: Entries, constraining: Constraining) -> None:
        is_list = self.translated.base is Base.LIST and self.translated.expression != "bytes"
        self._take_list(markers, entries, is_list, constraining)
        map_type = markers.take_one("mapType")
        if map_type is not None:
            if self.translated.base is Base.MAP:
                entries["mapType"] = map_type.value
            elif self.translated.base is Base.STRUCT:
                entries["structType"] = map_type.value
            else:
                self._leave(map_type, "it applies to maps only")
        struct_type = markers.take_one("structType")
        if struct_type is not None:
            entries["structType"] = struct_type.value
        for name, value in (("patchStrategy", self.go.patch_strategy), ("patchMergeKey", self.go.patch_merge_key)):
            tag = markers.take_one(name)
            if value:
                entries[name] = value
            if tag is not None and tag.value != (value or ""):
                self._leave(
                    tag, f"the struct tag says {f'`{value}`' if value else 'nothing of it'}, which takes precedence"
                )

    def _take_list(self, markers: Markers, entries: Entries, is_list: bool, constraining: Constraining) -> None:
        list_type, keys = markers.take_one("listType"), markers.take("listMapKey")
        declared, declared_keys = (self._take_enforced(markers, name) for name in ("k8s:listType", "k8s:listMapKey"))
        if list_type is None and declared:
            list_type, keys = declared[0].unwrapped, [tag.unwrapped for tag in declared_keys]
        elif list_type is not None and declared and declared[0].unwrapped.value != list_type.value:
            self._leave(declared[0], f"`+listType` is `{list_type.value}`, which takes precedence")
        if list_type is not None and list_type.value == "atomic" and constraining.is_unique_by_keys():
            keys = keys or [tag.unwrapped for tag in declared_keys]
            constraining.unique_keys = tuple(unquoted(tag.value) for tag in keys)
            keys = []
        if list_type is None:
            for tag in keys:
                self._leave(tag, "`listType` is missing")
            return
        reason = "it applies to lists only" if not is_list else self._bad_key(list_type, keys)
        if reason:
            for tag in (list_type, *keys):
                self._leave(tag, reason)
            return
        entries["listType"] = list_type.value
        if keys:
            entries["listMapKeys"] = [unquoted(tag.value) for tag in keys]

    def _take_enforced(self, markers: Markers, *names: str) -> list[Tag]:
        """Return the enforced tags with some names, in wrappers for their stages or not; they count as used."""
        release = self.reader.settings.release
        found = [tag for tag in markers.tags if tag.unwrapped.name in names and is_enforced(tag, release)]
        for tag in found:
            markers.mark(tag)
        return found

    def _bad_key(self, list_type: Tag, keys: list[Tag]) -> str:
        """Return why the list map keys cannot identify elements; empty if they can."""
        if list_type.value not in ("atomic", "set", "map"):
            return f"unknown list type `{list_type.value}`"
        if list_type.value == "set" and self._element_fields() is not None:
            return "a set contains strings or numbers, but its elements are structs"
        if list_type.value != "map":
            return ""
        if not keys:
            return "it has no `listMapKey`"
        if self.translated.value_form.item is not None and self.translated.value_form.item.form is not Form.STRUCT:
            return "its elements have no fields in the specs, so they have no keys"
        fields = self._element_fields()
        if fields is None:
            return ""
        for tag in keys:
            if unquoted(tag.value) not in fields:
                return f"its key `{unquoted(tag.value)}` is not a field of the elements"
        if all(self._may_lack(fields[unquoted(tag.value)]) for tag in keys):
            return "all of its keys are optional without a default, so they do not identify elements"
        return ""

    def _may_lack(self, field: GoField) -> bool:
        return field.type.text.startswith("*") and not any(m.name == "+default" for m in field.markers)

    def _element_fields(self) -> Mapping[str, GoField] | None:
        """Return the fields of the elements of a list by their JSON names; None if not all of them were read."""
        found = self.reader.packages.struct(self.go.type, self.reader.package, of_elements=True)
        if found is None or not _has_all_embedded(*found, self.reader):
            return None
        return {name: field for name, (field, _) in fields_in_json(*found, self.reader)}

    def _take_union(self, markers: Markers) -> None:
        """Mark the union markers, which are read with the struct; those of declarative validation only if it is
        enforced.
        """
        markers.take("unionDiscriminator", "oneOf", "zeroOrOneOf")
        self._take_enforced(markers, *DECLARED_UNIONS)
        for tag in markers.tags:
            if tag.unwrapped.name in ("k8s:member", "k8s:ifMode"):
                markers.mark(tag)

    def _take_gates(self, markers: Markers, found: Entries) -> None:
        tags = markers.take("featureGate")
        for tag in tags:
            if len(tag.value.split()) > 1 and "," not in tag.value:
                self._leave(
                    tag, f"`{tag.value.split(maxsplit=1)[1]}` follows the name of the gate, but is not a marker"
                )
        gates = take_gates(gate_names(tags), self.element, self.reader)
        if gates is not None:
            found["featureGate"] = gates

    def _take_default(self, markers: Markers, entries: Entries) -> None:
        tag, other = markers.take_one("default"), markers.take_one("kubebuilder:default")
        tag = tag or other
        if tag is None:
            return
        try:
            value = default_of(tag, self.go, self.translated, self.reader.packages, self.reader.package)
        except ValueError as error:
            self._leave(tag, str(error))
            return
        unknown = self._unknown_in(value)
        if unknown:
            self._leave(tag, f"`{self.translated.expression}` has no field `{unknown}`")
            return
        values = self.reader.packages.enums.get(self.reader.package.path, {}).get(str(entries["type"]))
        if values is not None and value not in values:
            self._leave(tag, "it is not an allowed value")
            return
        entries["default"] = {"value": value} if isinstance(value, dict | list) or value is None else value

    def _unknown_in(self, value: Value) -> str:
        """Return the first key of a struct's value that is not one of its fields; empty without one, or for other
        types.
        """
        found = self.reader.packages.resolve(self.go.type, self.reader.package)
        if found is None or not isinstance(value, dict) or found[0].kind is not GoKind.STRUCT:
            return ""
        if self.reader.packages.own_form(found[0], found[1]) is not None:
            return ""
        known = dict(fields_in_json(found[0], found[1], self.reader))
        return next((name for name in value if name not in known), "")

    def _leave(self, tag: Tag, reason: str) -> None:
        self.reader.findings.add_tag(OmittedKind.MARKER, self.element, tag, reason)


LISTED = "kubebuilder:validation:Enum"
"""The marker that lists the values of a type or field."""


def has_values(declared: GoTypeDeclaration) -> bool:
    """Return whether a string type is an enum, by its constants or by a marker."""
    is_text = declared.underlying is not None and declared.underlying.resolved == "string"
    is_listed = any(marker.text.startswith(f"+{LISTED}=") for marker in declared.markers)
    is_named = declared.kind is not GoKind.ALIAS and any(constant.go[:1].isupper() for constant in declared.constants)
    return is_text and (is_listed or is_named) and declared.kind is not GoKind.ALIAS


def is_beside_values(tag: Tag) -> bool:
    """Return whether a marker of an enum type is a constraint in addition to its values."""
    return tag.name.removeprefix("kubebuilder:validation:") in (
        "MinLength",
        "MaxLength",
        "Pattern",
        "Format",
        "XValidation",
    )


def _lists(declared: GoTypeDeclaration, listed: list[str]) -> bool:
    """Return whether a type itself has exactly these values as a closed enum."""
    tags = (tag for tag in Markers.of(declared.markers).tags if tag.name == LISTED)
    return any(set(listed_values(tag.value)) == set(listed) for tag in tags)


def gate_names(tags: list[Tag]) -> list[tuple[str, Tag]]:
    """Return the feature gates that markers name, separated by commas. A space ends the name of a gate."""
    names = ((name.split()[0], tag) for tag in tags for name in unquoted(tag.value).split(",") if name.strip())
    return list(names)


def take_gates(names: list[tuple[str, Tag]], element: str, reader: Reader) -> Value:
    """Return the value of `featureGate`; None if no gate is known. Unknown gates are reported as findings."""
    known: list[str] = []
    for name, tag in names:
        replacement = reader.settings.listed.instead_of(element, name)
        if replacement in reader.gates:
            known.append(replacement)
        else:
            reader.findings.add(OmittedKind.GATE, element, name, tag.place, "unknown feature gate", name)
    known = list(dict.fromkeys(known))
    if not known:
        return None
    return known[0] if len(known) == 1 else {"all": known}


def report_rest(markers: Markers, element: str, reader: Reader) -> None:
    """Report the markers of an element that the import does not know."""
    for tag in markers.rest():
        reason = next((reason for start, reason in _REASONS.items() if tag.name.startswith(start)), "not understood")
        is_foreign = _FOREIGN.fullmatch(tag.name) is not None
        if is_foreign:
            reason = "it is for another generator and does not affect the encoding"
        reader.findings.add_tag(OmittedKind.MARKER, element, tag, reason, is_harmless=is_foreign)


_REASONS = {
    "kubebuilder:deprecatedversion": "it names no release: write `deprecated:` with one to the version in group.yaml",
    "kubebuilder:pruning": "the spec language does not support it: the API server prunes unknown fields",
}
_FOREIGN = re.compile(
    r"k8s:[a-z-]+-gen(\b.*)?|k8s:openapi-model-package|protobuf(\..*)?|genclient(:.*)?|groupName|groupGoName|resourceName"
    r"|kubebuilder:(object:.*|rbac.*|skip.*|webhook.*|ac:.*)|gen(reconciler|duck)(:.*)?"
)


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
