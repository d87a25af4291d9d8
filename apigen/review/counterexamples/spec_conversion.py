"""Convert a surface of any form to specs that can be compiled. Types that no kind of the input contains get kinds that hold
a value of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from apigen.dataclass import dataclass, replace
from apigen.ir.formats import FORMATS
from apigen.ir.model import Lifecycle, Presence, Release
from apigen.ir.names import field_name, given_name_problem, member_name
from apigen.language.json_values import JsonValue
from apigen.review.counterexamples.running import group_name, version_name
from apigen.review.links import Routes
from apigen.review.prover.enforced import with_by_hand
from apigen.review.surface import (
    Alias,
    CelRule,
    Constraints,
    Default,
    Enum,
    Field,
    GateMark,
    Group,
    Keyword,
    Kind,
    KindVersion,
    ListOf,
    MapOf,
    Named,
    Scalar,
    Scalars,
    Several,
    Slot,
    Struct,
    Surface,
    Type,
    TypeDef,
    TypeName,
    Union,
    Version,
    behind,
    definition,
    nested_in,
)

OBJECT_META = "meta/v1.ObjectMeta"


class Names:
    """Assigns a unique name to each type of a version, and to the types of other groups and versions that it uses."""

    def __init__(self, group: str, version: str) -> None:
        self._home = group, version
        self._given: dict[TypeName, str] = {}

    def of(self, name: TypeName) -> str:
        """Return the name of a type."""
        if name not in self._given:
            parts = [part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", name.name) if part]
            derived = "".join(parts) or "Type"
            derived = derived if derived[0].isalpha() else f"Type{derived}"
            used = set(self._given.values())
            number, name_given = 2, derived
            while name_given in used or (self.is_foreign(name) and name_given == derived):
                name_given, number = f"{derived}{number}", number + 1
            self._given[name] = name_given
        return self._given[name]

    def is_foreign(self, name: TypeName) -> bool:
        """Return whether a type is of another version or group."""
        return (name.group, name.version) != self._home


def given_names(names: Iterable[str], derived: Callable[[str], str | None], otherwise: str) -> dict[str, str]:
    """Return a `pyName` for each name without a valid and unique derived one: `otherwise` with a number."""
    found: dict[str, str] = {}
    used: set[str] = set()
    for number, name in enumerate(names):
        own = derived(name)
        if own is None or own in used or given_name_problem(own) is not None:
            own = found[name] = f"{otherwise}{number}"
        used.add(own)
    return found


class NotConvertibleError(Exception):
    """A surface has a property that specs cannot express; the text names it."""


_PLAIN = frozenset(
    {
        *(Keyword.MINIMUM, Keyword.MAXIMUM, Keyword.EXCLUSIVE_MINIMUM, Keyword.EXCLUSIVE_MAXIMUM, Keyword.MULTIPLE_OF),
        *(Keyword.MIN_LENGTH, Keyword.MAX_LENGTH, Keyword.MAX_BYTES, Keyword.PATTERN),
        *(Keyword.MIN_ITEMS, Keyword.MAX_ITEMS, Keyword.UNIQUE_ITEMS, Keyword.MIN_PROPERTIES, Keyword.MAX_PROPERTIES),
        *(Keyword.IMMUTABLE, Keyword.MONOTONIC, Keyword.FORBIDDEN),
        *(Keyword.UPDATE, Keyword.UNIQUE_BY, Keyword.REQUIRES, Keyword.FORBIDS),
    }
)
_NESTED = frozenset({Keyword.IF_ENABLED, Keyword.IF_DISABLED, Keyword.IF_MODE, Keyword.SUBFIELDS, Keyword.NOT_VALUE})


def converted_constraints(constraints: Constraints, rules: tuple[CelRule, ...]) -> dict[str, JsonValue]:
    """Return the keys of a field in specs. Raises NotConvertibleError for constraints that generated validation cannot
    check.

    Constraints that hand-written validation enforces are generated like all others: a server rejects the values, too.
    """
    entries: dict[str, JsonValue] = {}
    for keyword, constraint in with_by_hand(constraints).items():
        value: JsonValue = list(constraint.value) if isinstance(constraint.value, tuple) else constraint.value
        if keyword in _PLAIN:
            entries[keyword.value] = value
        elif keyword in _NESTED and isinstance(value, str):
            entries[keyword.value] = json.loads(value)
        elif keyword is Keyword.FORMAT and value in FORMATS:
            entries[keyword.value] = value
        elif keyword is not Keyword.FORMAT:  # generated code checks no other formats, on either side
            raise NotConvertibleError(f"`{keyword.value}` cannot be tested")
    if rules:
        entries["rules"] = [*map(_rule, rules)]
    return entries


def gates_in(constraints: Constraints) -> set[str]:
    """Return the gates on which constraints depend."""
    return {*nested_in(constraints, Keyword.IF_ENABLED), *nested_in(constraints, Keyword.IF_DISABLED)}


def _rule(rule: CelRule) -> JsonValue:
    found: dict[str, JsonValue] = {"rule": rule.text}
    if rule.message is not None:
        found["message"] = rule.message
    if rule.optional_old_self:
        found["optionalOldSelf"] = True
    return found


def _ends(life: Lifecycle) -> dict[str, Release | None]:
    return {"introduced": life.introduced, "removed": life.removed}


def _releases(surface: Surface, releases: Mapping[str, Release | None]) -> dict[str, JsonValue]:
    """Return the releases that are known, for inputs with releases."""
    if surface.release is None:
        return {}
    return {word: str(release) for word, release in releases.items() if release is not None}


SpecWords = dict[str, JsonValue]

_SCALARS = {
    Scalars.INTEGER: "int64",
    Scalars.NUMBER: "float64",
    Scalars.ANYTHING: "RawExtension",
    Scalars.SINT32: "int32",
    Scalars.SINT64: "int64",
    Scalars.FIXED32: "uint32",
    Scalars.FIXED64: "uint64",
    Scalars.SFIXED32: "int32",
    Scalars.SFIXED64: "int64",
}


class Types:
    """Convert the types of one version to specs.

    `pending` collects the types that they refer to, and `keys` the first list map key of each list, which each element
    must have.
    `is_alone`: the version is its own hub, so specs contain nothing about conversion.
    """

    def __init__(self, surface: Surface, names: Names, *, is_alone: bool = False) -> None:
        self._surface = surface
        self._is_alone = is_alone
        self._names = names
        self.pending: list[TypeName] = []
        self.gates: set[str] = set()
        self.keys: list[tuple[TypeName, str]] = []

    def of(self, type_: TypeDef) -> SpecWords:
        """Return a type as specs."""
        match type_:
            case Struct():
                return self._struct(type_)
            case Enum():
                return self._enum(type_)
            case Alias():
                found: SpecWords = {"is": self._type(type_.slot.type), **self._slot(type_.slot)}
                return {**found, "nullable": True} if type_.slot.nullable else found

    def _struct(self, struct: Struct) -> SpecWords:
        if struct.lenses and not self._is_alone:
            raise NotConvertibleError(f"the conversions of {struct.name.name} to and from the hub cannot be reproduced")
        fields: SpecWords = {field.name: self._field(field) for field in struct.fields.values()}
        for name, py_name in given_names(struct.fields, field_name, "field_no_").items():
            fields[name] = {**self._field(struct.fields[name]), "pyName": py_name}
        entries: SpecWords = {"fields": fields}
        if struct.defaults:
            entries["defaults"] = {
                path: self._default(slot.default) for path, slot in struct.defaults.items() if slot.default
            }
        self.gates.update(gates_in(struct.slot.constraints))
        if struct.unions:
            entries["unions"] = [_union(union) for union in struct.unions]
        return {**entries, **converted_constraints(struct.slot.constraints, struct.slot.rules)}

    def _field(self, field: Field) -> SpecWords:
        entries: SpecWords = {"type": self._type(field.slot.type), **self._slot(field.slot)}
        if field.presence is not Presence.PLAIN:
            entries[field.presence.value] = True
        if field.slot.nullable and field.presence is Presence.PLAIN:
            entries["nullable"] = True
        entries["required"] = field.required
        if field.number is not None and not field.via:
            entries["protobuf"] = field.number
        if field.slot.default is not None:
            entries["default"] = self._default(field.slot.default)
        if field.gate is not None:
            entries["featureGate"] = self._mark(field.gate)
        return {**entries, **_releases(self._surface, {"removed": field.lifecycle.removed})}

    def _slot(self, slot: Slot) -> SpecWords:
        """Return the keys for the constraints of a slot, and of its items, map keys and map values."""
        if slot.branches:
            raise NotConvertibleError(f"`{slot.branches[0].keyword}` cannot be tested")
        self.gates.update(gates_in(slot.constraints))
        entries = {**converted_constraints(slot.constraints, slot.rules), **self._merge(slot)}
        match slot.type:
            case ListOf(item):
                if isinstance(item.type, Named):
                    self.keys += ((item.type.name, key) for key in slot.merge.list_map_keys[:1])
                inner = converted_constraints(item.constraints, item.rules)
                entries |= {"items": inner} if inner else {}
            case MapOf(key, value):
                keys = converted_constraints(key.constraints, key.rules)
                values = converted_constraints(value.constraints, value.rules)
                entries |= {**({"keys": keys} if keys else {}), **({"values": values} if values else {})}
        return entries

    def _merge(self, slot: Slot) -> SpecWords:
        """Return the merge keys of a slot, as far as specs have them; trials do not use server-side apply."""
        merge, found = slot.merge, SpecWords()
        if merge.list_type is not None:
            found["listType"] = merge.list_type
        if merge.list_map_keys:
            found["listMapKeys"] = list(merge.list_map_keys)
        struct = definition(self._surface, slot.type)
        if isinstance(behind(self._surface, slot.type), MapOf) or (isinstance(struct, Struct) and _is_free(struct)):
            found |= {} if merge.map_type is None else {"mapType": merge.map_type}
        elif isinstance(struct, Struct) and (merge.map_type or merge.struct_type):
            found["structType"] = merge.struct_type or merge.map_type
        return found

    def _type(self, type_: Type) -> str:
        match type_:
            case Scalar(Scalars.NULL):
                raise NotConvertibleError("the type null cannot be tested")
            case Scalar(name):
                return _SCALARS.get(name, name.value)
            case ListOf(item):
                return f"[]{self._type(item.type)}"
            case MapOf(key, value):
                return f"map[{self._type(key.type)}]{self._type(value.type)}"
            case Several(types) if {str(each) for each in types} <= {"string", "integer", "int32", "int64"}:
                return Scalars.INT_OR_STRING.value
            case Several():
                raise NotConvertibleError(f"a value of type {type_} cannot be tested")
            case Named(name):
                return self._named(name)

    def _named(self, name: TypeName) -> str:
        if name.name == "ObjectMeta" and name.version == "v1" and self._names.is_foreign(name):
            return OBJECT_META
        type_ = self._surface.type(name)
        if type_ is None:
            raise NotConvertibleError(f"type {name.name} is unknown")
        if isinstance(type_, Struct) and _is_free(type_):
            return f"map[string]{_SCALARS[Scalars.ANYTHING]}"
        self.pending.append(name)
        return self._names.of(name)

    def _enum(self, enum: Enum) -> SpecWords:
        if enum.base != Scalar(Scalars.STRING):
            raise NotConvertibleError(f"an enum of {enum.base} cannot be tested")
        values: SpecWords = {}
        py_names = given_names(enum.values, member_name, "VALUE_NO_")
        for value in enum.values.values():
            words: SpecWords = {} if value.gate is None else {"featureGate": self._mark(value.gate)}
            words |= _releases(self._surface, {"introduced": value.lifecycle.introduced, "tolerated": value.tolerated})
            values[value.value] = {**words, "pyName": py_names[value.value]} if value.value in py_names else words
        entries: SpecWords = {"enum": values}
        if enum.open:
            entries["open"] = True
        if enum.unknown is not None:
            entries["unknown"] = enum.unknown
        return entries

    def _default(self, default: Default) -> JsonValue:
        if not default.is_computed:
            return {"value": json.loads(default.text)}
        if not default.cases:
            raise NotConvertibleError("a computed default cannot be reproduced")
        self.gates.update(default.gates)
        cases: JsonValue = json.loads(default.cases)
        return cases

    def _mark(self, mark: GateMark) -> JsonValue:
        if mark.words:
            raise NotConvertibleError("a feature gate with conditions cannot be tested")
        self.gates.update(mark.gates)
        return mark.gates[0] if len(mark.gates) == 1 else {"any" if mark.is_any else "all": list(mark.gates)}


def _is_free(struct: Struct) -> bool:
    """Return whether it is an object without a schema that preserves unknown fields, which servers treat like a map."""
    is_bare = not (struct.fields or struct.patterns or struct.unions or struct.defaults or struct.lenses)
    return struct.unknown.keeps and is_bare


def _union(union: Union) -> SpecWords:
    found: SpecWords = {"members": list(union.members), "optional": union.optional}
    if union.discriminator is not None:
        found = {"discriminator": union.discriminator}
        found["members"] = {value or name: name for name, value in union.members.items()}
        if union.empty:
            found["empty"] = list(union.empty)
        elif union.optional:
            found["optional"] = True
    return found


FOLDER = "core"
"""The folder of the group with an empty name."""

_METADATA = 18_999
"""A field number for metadata, which no field has on either side."""


@dataclass(frozen=True, slots=True)
class GroupSide:
    """One side of a trial: a group in its surface. `is_alone`: its only version is tried without conversions."""

    surface: Surface
    group: Group
    is_alone: bool = False


def write_group(side: GroupSide, kinds: Iterable[str], versions: Iterable[str], root: Path) -> str:
    """Write a group with some of its kinds in some versions; return the folder's name. Raises NotConvertibleError."""
    surface, group = side.surface, side.group
    kind_names, served = set(kinds), [version for name, version in group.versions.items() if name in set(versions)]
    served = [version for version in served if kind_names & version.kinds.keys()]
    if not served:
        raise NotConvertibleError("no version has the kind")
    if len({version_name(version) for version in served}) < len(served):
        raise NotConvertibleError("the names of its versions are ambiguous")
    name = group_name(served[0]) or FOLDER
    folder = root / name
    folder.mkdir(parents=True)
    gates: set[str] = set()
    for version in served:
        types = _converted(surface, version, kind_names, gates, side.is_alone)
        _write(folder / f"{version_name(version)}.yaml", {"types": types})
    _write(folder / "group.yaml", _header(surface, group, served, kind_names))
    _write(root / "features.yaml", _features(surface, gates))
    return name


def _converted(surface: Surface, version: Version, kinds: set[str], gates: set[str], is_alone: bool) -> SpecWords:
    """Return the types that kinds contain, by their assigned names."""
    names = Names(version.group, version.name)
    types = Types(surface, names, is_alone=is_alone)
    converted: SpecWords = {}
    kind_words: dict[TypeName, SpecWords] = {}
    for kind in (each for name, each in version.kinds.items() if name in kinds):
        of_all = _ends(version.lifecycle)
        own = {word: at for word, at in _ends(kind.lifecycle).items() if at != of_all[word]}
        kind_words[kind.root] = _releases(surface, own)
        if names.of(kind.root) != kind.kind:
            raise NotConvertibleError(f"the kind {kind.kind} has another type, {kind.root.name}")
        types.pending.append(kind.root)
    seen: set[TypeName] = set()
    while types.pending:
        name = types.pending.pop()
        type_ = surface.type(name)
        if name in seen or type_ is None:
            continue
        seen.add(name)
        words = types.of(type_)
        is_root = any(name == kind.root for kind in version.kinds.values())
        words = _root(words) if is_root and isinstance(type_, Struct) else words
        converted[names.of(name)] = {**words, **kind_words.get(name, {})}
    for name, key in types.keys:  # of inputs without other forms of presence
        struct = converted.get(names.of(name))
        fields = struct.get("fields") if isinstance(struct, dict) else None
        field = fields.get(key) if isinstance(fields, dict) else None
        if isinstance(field, dict) and field.get("required") is True:
            field.pop(Presence.OPTIONAL.value, None)
    gates |= types.gates
    return converted


def _root(words: SpecWords) -> SpecWords:
    """Return the type of a kind without `apiVersion` and `kind`, which specs do not declare, and with metadata."""
    fields = words["fields"]
    if not isinstance(fields, dict):
        return words
    kept = {name: field for name, field in fields.items() if name not in ("apiVersion", "kind", "metadata")}
    metadata: SpecWords = {"type": OBJECT_META, "required": False, "protobuf": _METADATA}
    old = fields.get("metadata")
    if isinstance(old, dict) and old.get("type") == OBJECT_META and "protobuf" in old:
        metadata["protobuf"] = old["protobuf"]
    return {**words, "fields": {"metadata": metadata, **kept}}


def _header(surface: Surface, group: Group, versions: list[Version], kinds: set[str]) -> SpecWords:
    headers: SpecWords = {}
    stored = (each for each in versions if each.storage or any(kind.storage for kind in each.kinds.values()))
    storage = version_name(next(stored, versions[-1]))
    for version in versions:
        header: SpecWords = {
            **({} if version.served else {"served": False}),
            **_releases(surface, _ends(version.lifecycle)),
        }
        name = version_name(version)
        headers[name] = {**header, "storage": True} if name == storage else header
    kind_entries: SpecWords = {}
    served_kinds = {name for version in versions for name in version.kinds}
    for kind in (group.kinds[name] for name in sorted(kinds & group.kinds.keys() & served_kinds)):
        first = next(version.kinds[kind.name] for version in versions if kind.name in version.kinds)
        own: SpecWords = {"scope": "Namespaced" if kind.namespaced else "Cluster", "list": False}
        if "status" in first.subresources:
            own["subresources"] = {"status": {}}
        kind_entries[kind.name] = own
    return {"group": group_name(versions[0]), "versions": headers, "hub": storage, "kinds": kind_entries}


def _features(surface: Surface, names: set[str]) -> SpecWords:
    """Return the gates with these names, and those on which they depend."""
    waiting, features = sorted(names), dict[str, JsonValue]()
    while waiting:
        name = waiting.pop()
        gate = surface.gates.get(name)
        if name in features or gate is None:
            continue
        stages: list[JsonValue] = []
        for stage in gate.stages:
            words: SpecWords = {"release": str(stage.release), "stage": stage.stage.value, "default": stage.default}
            stages.append({**words, "locked": True} if stage.locked else words)
        features[name] = {"owner": "unknown", "stages": stages, "dependsOn": list(gate.depends_on)}
        waiting.extend(gate.depends_on)
    return features


def _write(path: Path, content: JsonValue) -> None:
    """Write a spec as JSON, which is valid YAML."""
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


VALUE_KEY = "value"
_SUFFIX = "Holder"


def unheld(surfaces: Iterable[Surface], names: Iterable[TypeName]) -> list[TypeName]:
    """Return the types that no kind of any side contains; for others, objects of these kinds are better
    counterexamples.
    """
    routes = [Routes(surface) for surface in surfaces]
    return [name for name in dict.fromkeys(names) if not any(each.to(name) for each in routes)]


def with_holders(surface: Surface, names: Iterable[TypeName]) -> Surface:
    """Return the surface with an additional kind that holds a value of each type, as far as it has the types."""
    for name in dict.fromkeys(names):
        version = surface.version(name.group, name.version)
        if version is not None and surface.type(name) is not None:
            group = surface.groups[name.group]
            surface = replace(surface, groups={**surface.groups, name.group: _with_holder(group, version.name, name)})
    return surface


def wrapped_value(value: JsonValue) -> JsonValue:
    """Return the value in an object of such a kind; the object itself if its kind is one of the input."""
    if isinstance(value, dict) and str(value.get("kind", "")).endswith(_SUFFIX):
        return value.get(VALUE_KEY)
    return value


def wrapped_type(value: JsonValue) -> str:
    """Return the name of the type whose value an object of such a kind holds; empty if its kind is one of the input."""
    kind = str(value.get("kind", "")) if isinstance(value, dict) else ""
    return kind.removesuffix(_SUFFIX) if kind.endswith(_SUFFIX) else ""


def kind_of(value: JsonValue) -> str:
    """Return the description of an object in reports: its version and kind, or the type whose value it holds."""
    if not isinstance(value, dict):
        return ""
    return wrapped_type(value) or f"{value.get('apiVersion', '')} {value.get('kind', '')}".strip()


def unwrapped_text(text: str, value: JsonValue) -> str:
    """Return the text of an outcome, with paths that start at the value that the object holds."""
    return text.replace(f"{VALUE_KEY}.", "", 1) if wrapped_type(value) else text


def _with_holder(group: Group, version_name: str, name: TypeName) -> Group:
    version = group.versions[version_name]
    kind = f"{Names(name.group, name.version).of(name)}{_SUFFIX}"
    holder = TypeName(name.group, name.version, kind)
    place = version.place
    slot = Slot(Named(name), place)
    fields: Mapping[str, Field] = {
        VALUE_KEY: Field(VALUE_KEY, slot, place, Presence.OPTIONAL, number=2 if _numbered(version) else None)
    }
    struct = Struct(holder, fields, Slot(Named(holder), place), place)
    changed = replace(
        version,
        types={**version.types, kind: struct},
        kinds={**version.kinds, kind: KindVersion(kind, holder, place)},
    )
    return replace(
        group, versions={**group.versions, version_name: changed}, kinds={**group.kinds, kind: Kind(kind, place)}
    )


def _numbered(version: Version) -> bool:
    """Return whether fields have numbers."""
    structs = (type_ for type_ in version.types.values() if isinstance(type_, Struct))
    return any(field.number is not None for struct in structs for field in struct.fields.values())


def is_numbered(group: Group) -> bool:
    """Return whether any version of a group has field numbers, so that values can be encoded in protobuf."""
    return any(_numbered(version) for version in group.versions.values())
