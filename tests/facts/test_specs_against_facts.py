"""The specs of Kubernetes say what the Go sources say.

The facts (`tests/data/kubernetes/facts`) were read from the sources by a parser of their own. Both sides are brought
into one shape, `Type` and `Field`, and compared type by type. `written_types` is the only place that knows YAML.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.yaml_files import read_yaml

ROOT = Path(__file__).resolve().parents[2]
SPECS = ROOT / "api-specs" / "kubernetes"
DATA = ROOT / "tests" / "data" / "kubernetes"
GROUPS = ("apps", "autoscaling", "core", "extensions", "flowcontrol.apiserver.k8s.io", "meta", "networking.k8s.io")

NOT_ON_THE_WIRE = {
    "meta/v1.Duration": "well-known",
    "meta/v1.FieldsV1": "well-known",
    "meta/v1.MicroTime": "well-known",
    "meta/v1.Time": "well-known",
    "meta/v1.Timestamp": "what Time is in protobuf",
    "meta/v1.TypeMeta": "every kind has it",
    "meta/v1.GroupVersion": "one text in JSON, by a method that the facts do not show",
    "meta/v1.Patch": "has no fields; OpenAPI documents use it for any patch",
    "meta/v1.Table": "no protobuf, and cells of any type",
    "meta/v1.TableColumnDefinition": "part of Table",
    "meta/v1.TableRow": "part of Table",
    "meta/v1.TableRowCondition": "part of Table",
    "meta/v1.RowConditionType": "part of Table",
    "meta/v1.InternalEvent": "not serialized",
}
"""Types of the facts that the specs omit; interfaces and lists of kinds are omitted as well."""

UNMARKED_ENUMS = {
    "autoscaling/v2.HPAScalingPolicyType",
    "autoscaling/v2.MetricSourceType",
    "autoscaling/v2.MetricTargetType",
    "autoscaling/v2.ScalingPolicySelect",
    "core/v1.ConditionStatus",
    "extensions/v1beta1.PathType",
    "flowcontrol.apiserver.k8s.io/v1.ConditionStatus",
    "flowcontrol.apiserver.k8s.io/v1.FlowDistinguisherMethodType",
    "flowcontrol.apiserver.k8s.io/v1.LimitResponseType",
    "flowcontrol.apiserver.k8s.io/v1.PriorityLevelEnablement",
    "flowcontrol.apiserver.k8s.io/v1.SubjectKind",
    "flowcontrol.apiserver.k8s.io/v1beta1.ConditionStatus",
    "flowcontrol.apiserver.k8s.io/v1beta1.FlowDistinguisherMethodType",
    "flowcontrol.apiserver.k8s.io/v1beta1.LimitResponseType",
    "flowcontrol.apiserver.k8s.io/v1beta1.PriorityLevelEnablement",
    "flowcontrol.apiserver.k8s.io/v1beta1.SubjectKind",
    "flowcontrol.apiserver.k8s.io/v1beta2.ConditionStatus",
    "flowcontrol.apiserver.k8s.io/v1beta2.FlowDistinguisherMethodType",
    "flowcontrol.apiserver.k8s.io/v1beta2.LimitResponseType",
    "flowcontrol.apiserver.k8s.io/v1beta2.PriorityLevelEnablement",
    "flowcontrol.apiserver.k8s.io/v1beta2.SubjectKind",
    "flowcontrol.apiserver.k8s.io/v1beta3.ConditionStatus",
    "flowcontrol.apiserver.k8s.io/v1beta3.FlowDistinguisherMethodType",
    "flowcontrol.apiserver.k8s.io/v1beta3.LimitResponseType",
    "flowcontrol.apiserver.k8s.io/v1beta3.PriorityLevelEnablement",
    "flowcontrol.apiserver.k8s.io/v1beta3.SubjectKind",
    "meta/v1.ConditionStatus",
    "meta/v1.DeletionPropagation",
    "meta/v1.FieldSelectorOperator",
    "meta/v1.IncludeObjectPolicy",
    "meta/v1.LabelSelectorOperator",
    "meta/v1.ManagedFieldsOperationType",
    "meta/v1.ResourceVersionMatch",
    "networking.k8s.io/v1beta1.PathType",
}
"""String types whose values are all there are, though nothing marks them: somebody wrote them as enums."""

UNMARKED_UNIONS = {
    "networking.k8s.io/v1.IngressBackend": [((None, "service"), (None, "resource"))],
    "networking.k8s.io/v1.ServiceBackendPort": [((None, "name"), (None, "number"))],
}
"""Unions that Kubernetes' validation knows, but no marker."""

WELL_KNOWN = {
    "k8s.io/apimachinery/pkg/api/resource.Quantity": "Quantity",
    "k8s.io/apimachinery/pkg/runtime.RawExtension": "RawExtension",
    "k8s.io/apimachinery/pkg/types.UID": "string",
    "k8s.io/apimachinery/pkg/util/intstr.IntOrString": "IntOrString",
    **{f"k8s.io/apimachinery/pkg/apis/meta/v1.{name}": name for name in ("Time", "MicroTime", "Duration", "FieldsV1")},
}
STRUCT_LIKE = {"Quantity", "RawExtension", "IntOrString", "Time", "MicroTime", "Duration", "FieldsV1"}
SCALARS = {"string", "bool", "int32", "int64", "bytes"}
MERGE_WORDS = ("listType", "listMapKeys", "mapType", "patchStrategy", "patchMergeKey")
LIMITS = ("minimum", "maxLength", "minLength", "pattern")

Json = dict[str, Any]


@dataclass(frozen=True)
class Field:
    """A field, as far as both sides can say it."""

    type: str
    presence: str
    required: bool
    number: int
    protobuf_name: str
    merge: tuple[tuple[str, Any], ...] = ()
    gates: tuple[str, ...] = ()
    limits: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Type:
    """A type: a struct has fields, an enum values, a name for another type an alias.

    String types with constants that are not marked as enums are open: other values are as good.
    """

    fields: tuple[tuple[str, Field], ...] = ()
    values: tuple[str, ...] = ()
    open: bool = False
    alias: str = ""
    nullable: bool = False
    atomic: str = ""
    tombstones: tuple[tuple[str, int], ...] = ()
    unions: tuple[tuple[Any, ...], ...] = ()


@dataclass(frozen=True)
class Lifecycle:
    """When a kind came, was deprecated and went, and `group,version,Kind` of what replaces it."""

    introduced: str | None
    deprecated: str | None
    removed: str | None
    replacement: str | None


# --- what the specs say -----------------------------------------------------------------------------------------------


def read(path: Path) -> Any:
    """A YAML file."""
    return read_yaml(path.read_text(encoding="utf-8"))


def spec_types() -> Iterator[tuple[str, Json]]:
    """All types of all versions as written, named `folder/version.Type`."""
    for group in GROUPS:
        for version in read(SPECS / group / "group.yaml")["versions"]:
            for name, type_ in read(SPECS / group / f"{version}.yaml")["types"].items():
                yield f"{group}/{version}.{name}", type_


def written_types() -> dict[str, Type]:
    """The types of the specs that the facts here have: those of the kinds that this project chooses."""
    return {name: written_type(type_) for name, type_ in spec_types() if name in FACT_TYPES}


def written_type(type_: Json) -> Type:
    fields = tuple((name, written_field(name, field)) for name, field in type_.get("fields", {}).items())
    tombstones = tuple((name, tombstone["protobuf"]) for name, tombstone in type_.get("tombstones", {}).items())
    return Type(
        fields=fields,
        values=tuple(type_.get("enum", ())),
        open=type_.get("open", False),
        alias=type_.get("is", ""),
        nullable=type_.get("nullable", False),
        atomic=type_.get("structType", ""),
        tombstones=tombstones,
        unions=tuple(written_union(union) for union in type_.get("unions", ())),
    )


def written_union(union: Json) -> tuple[Any, ...]:
    members = union["members"]
    pairs = tuple(members.items()) if isinstance(members, dict) else tuple((None, member) for member in members)
    return (union["discriminator"], pairs, tuple(union.get("empty", ()))) if "discriminator" in union else pairs


def written_field(name: str, field: Json) -> Field:
    presence = next((word for word in ("nullable", "optional", "omitEmpty", "inline") if field.get(word)), "plain")
    gate = field.get("featureGate", ())
    return Field(
        type=field["type"],
        presence=presence,
        required=field.get("required", presence in ("plain", "nullable")),
        number=field["protobuf"],
        protobuf_name=field.get("protobufName", name),
        merge=tuple((word, field[word]) for word in MERGE_WORDS if word in field),
        gates=(gate,) if isinstance(gate, str) else tuple(gate),
        limits=tuple((word, field[word]) for word in LIMITS if word in field),
    )


def written_lifecycles() -> dict[str, Lifecycle]:
    """Of each kind in each version: what its type says, else what its version says."""
    lifecycles = {}
    types = {name: type_ for name, type_ in spec_types() if name in FACT_TYPES}
    for group in GROUPS:
        header = read(SPECS / group / "group.yaml")
        for version, versioned in header["versions"].items():
            for kind in (kind for kind in header["kinds"] if f"{group}/{version}.{kind}" in types):
                said = {**versioned, **types[f"{group}/{version}.{kind}"]}
                lifecycles[f"{group}/{version}.{kind}"] = Lifecycle(
                    introduced=said.get("introduced"),
                    deprecated=said.get("deprecated"),
                    removed=said.get("removed"),
                    replacement=written_replacement(said.get("replacement"), header["group"], kind),
                )
    return lifecycles


def written_replacement(text: str | None, group: str, kind: str) -> str | None:
    """`v1beta3` is the same kind in another version, `networking.k8s.io/v1.Ingress` any kind."""
    if text is None:
        return None
    other = re.fullmatch(r"(.+)/(v\w+)\.(\w+)", text)
    return ",".join(other.groups()) if other else f"{group},{text},{kind}"


# --- what the facts say -----------------------------------------------------------------------------------------------


def load_facts() -> dict[str, Json]:
    """The packages by their name in specs, `folder/version`."""
    packages = [
        json.loads(path.read_text(encoding="utf-8")) for path in sorted((DATA / "facts" / "v0.36.6").glob("*.json"))
    ]
    folders = {"": "core", "meta.k8s.io": "meta"}
    return {f"{folders.get(p['group'], p['group'])}/{p['version']}": p for p in packages}


FACTS = load_facts()
FACT_TYPES = {f"{package}.{type_['go']}": type_ for package, p in FACTS.items() for type_ in p["types"]}
PACKAGE_OF = {p["package"]: name for name, p in FACTS.items()}


def is_list_of_kind(name: str) -> bool:
    """`IngressList` of a group with kinds: the specs do not write it."""
    return not name.startswith("meta/") and name.endswith("List") and FACT_TYPES[name].get("root", False)


def in_specs(name: str) -> bool:
    """Whether the specs must have the type."""
    return FACT_TYPES[name]["kind"] != "interface" and name not in NOT_ON_THE_WIRE and not is_list_of_kind(name)


def expected_type(name: str) -> Type:
    """The type as the facts have it."""
    fact, package = FACT_TYPES[name], name.rpartition(".")[0]
    if fact["kind"] == "list":
        return Type(alias=fact["underlying"], nullable="+protobuf.nullable=true" in fact["markers"])
    if fact["kind"] == "named":
        constants = tuple(constant["value"] for constant in fact.get("constants", ()))
        is_open = not fact.get("enum") and name not in UNMARKED_ENUMS
        return Type(values=constants, open=is_open) if constants else Type(alias=fact["underlying"])
    tombstones = tuple((t["json"], t["number"]) for t in fact.get("tombstones", ()) if t.get("real"))
    return Type(
        fields=tuple(expected_field(field, package) for field in on_the_wire(fact)),
        atomic=marker_value(fact, "+structType="),
        tombstones=tombstones,
        unions=tuple(expected_unions(name, fact)),
    )


def on_the_wire(fact: Json) -> list[Json]:
    """The fields of a struct without TypeMeta and those that JSON skips."""
    return [f for f in fact["fields"] if "protobuf" in f and not f.get("jsonSkip")]


def expected_field(fact: Json, package: str) -> tuple[str, Field]:
    type_, protobuf = expected_expression(fact, package), fact["protobuf"]
    if fact.get("inline"):
        name = protobuf["name"]
        return name, Field(type_, "inline", False, protobuf["number"], name)
    presence = expected_presence(fact, type_, package)
    merge = {
        "listType": fact.get("listType"),
        "listMapKeys": fact.get("listMapKeys"),
        "mapType": marker_value(fact, "+mapType="),
        "patchStrategy": fact.get("patchStrategy"),
        "patchMergeKey": fact.get("patchMergeKey"),
    }
    return fact["json"], Field(
        type=type_,
        presence=presence,
        required=fact.get("required", False) or not (fact.get("optional") or fact.get("omitempty")),
        number=protobuf["number"],
        protobuf_name=protobuf["name"],
        merge=tuple((word, value) for word, value in merge.items() if value),
        gates=tuple(fact.get("featureGates", ())),
        limits=tuple(expected_limits(fact)),
    )


def expected_expression(fact: Json, package: str) -> str:
    """The Go type as a type expression of the language."""
    go = (fact.get("resolved") or fact["type"]).removeprefix("*")
    prefix, base = re.fullmatch(r"(\[\]|map\[string\])?(.*)", go).groups(default="")  # type: ignore[union-attr]
    if go == "[]byte":
        return "bytes"
    full = base if "." in base else f"{FACTS[package]['package']}.{base}"
    path, _, name = full.rpartition(".")
    if base in SCALARS or base == "[]byte":
        return prefix + base.replace("[]byte", "bytes")
    if full in WELL_KNOWN:
        return prefix + WELL_KNOWN[full]
    return prefix + (name if PACKAGE_OF[path] == package else f"{PACKAGE_OF[path]}.{name}")


def expected_presence(fact: Json, type_: str, package: str) -> str:
    """From the pointer, the tags and what the type is; `omitempty` on a struct does nothing."""
    if fact.get("pointer"):
        return "optional" if fact.get("omitempty") else "nullable"
    kind = FACT_TYPES.get(type_ if "/" in type_ else f"{package}.{type_}", {}).get("kind")
    if type_.startswith(("[]", "map[")) or type_ == "bytes" or kind == "list":
        return "omitEmpty" if fact.get("omitempty") else "nullable"
    if type_ in STRUCT_LIKE or kind == "struct":
        return "omitEmpty" if fact.get("omitzero") else "plain"
    return "omitEmpty" if fact.get("omitempty") else "plain"


def expected_limits(fact: Json) -> Iterator[tuple[str, Any]]:
    """From both families of validation markers. Of two bounds that depend on a gate, the weaker one."""
    markers = "\n".join(fact.get("markers", ()))
    minima = [int(n) for n in re.findall(r"(?:k8s:minimum|validation:Minimum)=(-?\d+)$", markers, re.MULTILINE)]
    if minima:
        yield "minimum", min(minima)
    for word in ("MaxLength", "MinLength"):
        yield from ((word[0].lower() + word[1:], int(n)) for n in re.findall(rf"validation:{word}=(\d+)", markers))
    yield from (("pattern", text) for text in re.findall(r"validation:Pattern=`(.*)`", markers))


def expected_unions(name: str, fact: Json) -> Iterator[tuple[Any, ...]]:
    """From `+union` and its discriminator; members by `+k8s:member`, or by their names without such markers."""
    yield from UNMARKED_UNIONS.get(name, ())
    if "+union" not in fact.get("markers", ()):
        return
    discriminator = next(f for f in fact["fields"] if "+unionDiscriminator" in f.get("markers", ()))
    values = [c["value"] for c in FACT_TYPES[f"{name.rpartition('.')[0]}.{discriminator['type']}"]["constants"]]
    rules = {
        value: (field["json"], rule)
        for field in fact["fields"]
        for marker in field.get("markers", ())
        for value, rule in re.findall(r'k8s:member\("(\w+)"\)=\+k8s:(required|optional)', marker)
    }
    rules = rules or {value: (value[0].lower() + value[1:], "required") for value in values}
    members = tuple((value, member) for value, (member, _) in rules.items())
    empty = tuple(value for value in values if value not in rules or rules[value][1] == "optional")
    yield (discriminator["json"], members, empty)


def marker_value(fact: Json, marker: str) -> str:
    return next((m.removeprefix(marker) for m in fact.get("markers", ()) if m.startswith(marker)), "")


def expected_lifecycle(name: str) -> Lifecycle:
    """With what Kubernetes' generator adds to versions before GA: three releases to each next step."""
    said = FACT_TYPES[name]["lifecycle"]
    deprecated, removed = said.get("deprecated"), said.get("removed")
    if re.search(r"/v\d+(alpha|beta)", name):
        deprecated = deprecated or three_later(said["introduced"])
        removed = removed or three_later(deprecated)
    return Lifecycle(said["introduced"], deprecated, removed, said.get("replacement"))


def three_later(release: str) -> str:
    major, minor = release.split(".")
    return f"{major}.{int(minor) + 3}"


# --- the comparison ---------------------------------------------------------------------------------------------------

WRITTEN = written_types()
EXPECTED = sorted(name for name in FACT_TYPES if in_specs(name))
KINDS = written_lifecycles()


def test_specs_have_the_types_of_the_facts() -> None:
    """That they have no others: `test_all_specs`."""
    assert sorted(WRITTEN) == EXPECTED


@pytest.mark.parametrize("name", EXPECTED)
def test_type_matches_the_facts(name: str) -> None:
    expected, written = expected_type(name), WRITTEN[name]
    assert [field for field, _ in written.fields] == [field for field, _ in expected.fields]
    for (field, said), (_, fact) in zip(written.fields, expected.fields, strict=True):
        assert said == fact, field
    assert written == expected


def test_comparison_covers_all_types() -> None:
    """Exact numbers, so that a type missing in the comparison fails the test."""
    types = list(WRITTEN.values())
    fields = [field for type_ in types for _, field in type_.fields]
    counts = {
        "structs": sum(bool(t.fields) for t in types),
        "enums": sum(bool(t.values) for t in types),
        "constants": sum(len(t.values) for t in types),
        "aliases": sum(bool(t.alias) for t in types),
        "fields": len(fields),
        "nullable": sum(f.presence == "nullable" for f in fields),
        "optional": sum(f.presence == "optional" for f in fields),
        "omitEmpty": sum(f.presence == "omitEmpty" for f in fields),
        "inline": sum(f.presence == "inline" for f in fields),
        "protobuf names": sum(f.protobuf_name != name for t in types for name, f in t.fields),
        "always written, not required": sum(not f.required for f in fields if f.presence in ("plain", "nullable")),
        "with merge markers": sum(bool(f.merge) for f in fields),
        "with limits": sum(bool(f.limits) for f in fields),
        "gates": sum(len(f.gates) for f in fields),
        "tombstones": sum(len(t.tombstones) for t in types),
        "unions": sum(len(t.unions) for t in types),
        "kinds": len(KINDS),
    }
    print(counts)
    assert counts == {
        "structs": 219,
        "enums": 42,
        "constants": 163,
        "aliases": 9,
        "fields": 644,
        "nullable": 46,
        "optional": 146,
        "omitEmpty": 182,
        "inline": 3,
        "protobuf names": 2,
        "always written, not required": 106,
        "with merge markers": 93,
        "with limits": 15,
        "gates": 3,
        "tombstones": 5,
        "unions": 14,
        "kinds": 20,
    }


@pytest.mark.parametrize("name", sorted(NOT_ON_THE_WIRE))
def test_omitted_types_are_in_the_facts_only(name: str) -> None:
    assert name in FACT_TYPES
    assert name not in WRITTEN


@pytest.mark.parametrize("name", sorted(UNMARKED_ENUMS))
def test_unmarked_enums_have_constants_and_no_marker(name: str) -> None:
    assert FACT_TYPES[name]["constants"]
    assert not FACT_TYPES[name].get("enum")


def test_types_marked_as_enums_are_enums() -> None:
    marked = sorted(name for name in EXPECTED if FACT_TYPES[name].get("enum"))
    assert marked == ["autoscaling/v1.MetricSourceType", "core/v1.Protocol", "networking.k8s.io/v1.PathType"]
    assert all(WRITTEN[name].values for name in marked)


def test_declared_defaults_are_in_the_specs() -> None:
    """`+default` only: what Kubernetes defaults by hand is tested with the vectors."""
    specs = dict(spec_types())
    declared = [
        (specs[name]["fields"][field["json"]].get("default"), json.loads(field["default"]))
        for name in EXPECTED
        for field in FACT_TYPES[name].get("fields", ())
        if "default" in field
    ]
    assert declared == [(0, 0)] * 4  # replicas of the four Scales


@pytest.mark.parametrize("name", sorted(KINDS))
def test_kind_matches_the_facts(name: str) -> None:
    """Lifecycle, scope, status and list."""
    group, _, rest = name.partition("/")
    kind = read(SPECS / group / "group.yaml")["kinds"][rest.rpartition(".")[2]]
    fact = FACT_TYPES[name]
    markers, fields = fact["markers"], {field.get("json") for field in fact["fields"]}
    assert KINDS[name] == expected_lifecycle(name)
    assert kind["scope"] == ("Cluster" if "+genclient:nonNamespaced" in markers else "Namespaced")
    has_status = "status" in fields and "+genclient" in markers and "+genclient:noStatus" not in markers
    assert ("status" in kind.get("subresources", {})) == has_status
    assert kind.get("list", True) == (f"{name}List" in FACT_TYPES)


@pytest.mark.parametrize("name", sorted(name for name in KINDS if f"{name}List" in FACT_TYPES))
def test_list_types_have_the_standard_fields(name: str) -> None:
    fact, package = FACT_TYPES[f"{name}List"], name.rpartition(".")[0]
    metadata = Field("meta/v1.ListMeta", "plain", False, 1, "metadata")
    items = Field(f"[]{name.rpartition('.')[2]}", "nullable", True, 2, "items")
    assert dict(expected_field(field, package) for field in on_the_wire(fact)) == {"metadata": metadata, "items": items}
    assert fact["lifecycle"].get("introduced") == FACT_TYPES[name]["lifecycle"]["introduced"]


def test_every_root_type_outside_meta_is_a_kind() -> None:
    roots = {name for name in EXPECTED if FACT_TYPES[name].get("root") and not name.startswith("meta/")}
    assert roots == set(KINDS)


def test_gates_have_the_stages_of_kubernetes() -> None:
    known = json.loads((DATA / "vectors" / "strategies" / "gates.json").read_text(encoding="utf-8"))["gates"]
    named = {gate for type_ in WRITTEN.values() for _, field in type_.fields for gate in field.gates}
    features = {gate: said for gate, said in read(SPECS / "features.yaml").items() if gate in named}
    assert set(features) == named
    for gate, feature in features.items():
        stages = [
            {
                "version": stage["release"],
                "default": stage.get("default", False),
                "stage": stage["stage"].upper().removeprefix("GA"),
                "locked": stage.get("locked", False),
            }
            for stage in feature["stages"]
        ]
        assert stages == known[gate]["specs"], gate
        assert feature.get("dependsOn", []) == known[gate]["dependsOn"], gate
