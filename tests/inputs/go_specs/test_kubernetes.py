"""All of Kubernetes, imported into an empty folder, says by its IR what the facts say: of every type and field.

Where the full facts of a release are, they are taken, else those that the repository holds of v0.36.6. What is expected
is worked out from the facts themselves, not by way of the importer's model.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from apigen.diagnostics import Report
from apigen.inputs.go.importing import Imported, ImportRequest, import_go
from apigen.inputs.merging import write_together
from apigen.ir.model import Api, Enum, ListType, MapType, Presence, ScalarType, Struct, Type, TypeId, WellKnownType
from apigen.ir.numbers import Ledger
from apigen.ir.resolve import resolve
from apigen.ir.run import Run
from apigen.language.load import load_api
from tests.inputs.go.kubernetes_modules import RELEASES, read_facts
from tests.inputs.go_specs.facts_model import package_of
from tests.inputs.go_specs.running import files_of
from tests.share import share

ROOT = Path(__file__).resolve().parents[3]
COMMITTED = ROOT / "tests" / "data" / "kubernetes" / "facts" / "v0.36.6"
FEATURES = ROOT / "api-specs" / "kubernetes" / "features.yaml"
META = "k8s.io/apimachinery/pkg/apis/meta/v1"
WELL_KNOWN = {
    **{f"{META}.{name}": name for name in ("Time", "MicroTime", "Duration", "FieldsV1")},
    "k8s.io/apimachinery/pkg/api/resource.Quantity": "Quantity",
    "k8s.io/apimachinery/pkg/util/intstr.IntOrString": "IntOrString",
    "k8s.io/apimachinery/pkg/runtime.RawExtension": "RawExtension",
}
NO_TYPES = {f"{META}.{name}" for name in ("TypeMeta", "Timestamp")}
Json = dict[str, Any]


@dataclass(frozen=True, repr=False)
class Import:
    """The facts of a release, and what an import of them gave."""

    release: str
    facts: dict[str, Json]
    folder: Path
    imported: Imported
    api: Api
    wrong: list[str]

    @property
    def number(self) -> str:
        """The release of the facts."""
        return "v0.36.6" if self.release == "committed" else self.release

    def structs_of_api(self) -> Iterator[tuple[Struct, Json]]:
        """The structs of k8s.io/api with what the facts say of each."""
        for package in self.facts.values():
            if not package["package"].startswith("k8s.io/api/"):
                continue
            group, _, version = folder_of(package).rpartition("/")
            for fact in package["types"]:
                struct = self.api.types.get(TypeId(group, version, fact["go"]))
                if isinstance(struct, Struct) and struct.alias_of is None:
                    yield struct, fact

    def type(self, text: str, package: Json) -> str:
        """A Go type as the IR writes it."""
        text = text.removeprefix("*")
        if text == "[]byte":
            return "bytes"
        if text.startswith("[]"):
            return f"[]{self.type(text[2:], package)}"
        mapping = re.fullmatch(r"map\[([^\]]+)\](.*)", text)
        if mapping:
            return f"map[{self.type(mapping[1], package)}]{self.type(mapping[2], package)}"
        if text in WELL_KNOWN or text in ("string", "bool", "int32", "int64", "float64"):
            return WELL_KNOWN.get(text, text)
        path, _, name = text.rpartition(".")
        if path == "k8s.io/apimachinery/pkg/types":
            return "string"
        own = f"{path or package['package']}.{name}"
        return WELL_KNOWN.get(own) or f"{folder_of(self.facts[path] if path else package)}.{name}"

    def shape(self, text: str, package: Json) -> str:
        """What a Go type is to JSON: a scalar, a list (or map, or bytes), or a struct."""
        if text.startswith(("[]", "map[")):
            return "list"
        path, _, name = text.rpartition(".")
        if text in WELL_KNOWN or f"{path or package['package']}.{name}" in WELL_KNOWN:
            return "struct"
        if path == "k8s.io/apimachinery/pkg/types" or (not path and text[0].islower()):
            return "scalar"
        owner = self.facts[path] if path else package
        fact = next(fact for fact in owner["types"] if fact["go"] == name)
        return "struct" if fact["kind"] == "struct" else self.shape(fact.get("resolved", fact["underlying"]), owner)


def full(type_: Type) -> str:
    """A type with the groups of what it names."""
    match type_:
        case ListType():
            return f"[]{full(type_.item)}"
        case MapType():
            return f"map[{full(type_.key)}]{full(type_.value)}"
        case ScalarType() | WellKnownType():
            return str(type_)
    return str(type_.id)


def folder_of(package: Json) -> str:
    return f"{ {'': 'core', 'meta.k8s.io': 'meta'}.get(package['group'], package['group']) }/{package['version']}"


def releases() -> list[str]:
    return [release for release in RELEASES if read_facts(release)] or ["committed"]


@pytest.fixture(scope="module", params=share(releases(), 3))
def kubernetes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Import:
    files = read_facts(request.param)
    if not files:
        files = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in COMMITTED.glob("*.json")}
    facts = {fact["package"]: fact for name, fact in sorted(files.items()) if name != "summary.json"}
    folder = tmp_path_factory.mktemp("specs")
    shutil.copy(FEATURES, folder / FEATURES.name)
    packages = tuple(
        package_of(fact) for fact in facts.values() if fact["version"] != "v1beta1" or "meta" not in fact["package"]
    )
    report = Report()
    imported = import_go(ImportRequest(packages, folder, "specs"), report)
    assert imported is not None, report.diagnostics
    write_together({file.path: file.after for file in imported.written})
    reading = Report()
    spec = load_api(folder, reading)
    api = resolve(spec, reading)
    return Import(request.param, facts, folder, imported, api, [f"{d.place}: {d.message}" for d in reading.diagnostics])


@pytest.mark.slow
def test_imported_specs_resolve_without_errors(kubernetes: Import) -> None:
    assert kubernetes.wrong == []


@pytest.mark.slow
def test_a_second_import_changes_nothing(kubernetes: Import) -> None:
    before = files_of(kubernetes.folder)
    packages = tuple(package_of(fact) for fact in kubernetes.facts.values() if "meta/v1beta1" not in fact["package"])
    report = Report()
    again = import_go(ImportRequest(packages, kubernetes.folder, "specs"), report)
    assert again is not None
    assert again.changed == ()
    assert [note for file in again.files for note in file.notes] == []
    assert files_of(kubernetes.folder) == before


def structs(kubernetes: Import) -> Iterator[tuple[Json, Json, Struct]]:
    """The structs of the facts that are in the specs."""
    left_out = {finding.element for finding in kubernetes.imported.findings if finding.kind == "type"}
    for package in kubernetes.facts.values():
        if not re.fullmatch(r"v\d+\w*", package["version"]) or "meta/v1beta1" in package["package"]:
            continue
        folder, _, version = folder_of(package).partition("/")
        for fact in package["types"]:
            full = f"{package['package']}.{fact['go']}"
            if fact["kind"] != "struct" or full in WELL_KNOWN or full in NO_TYPES:
                continue
            if f"{folder}/{version}.{fact['go']}" not in left_out:
                found = kubernetes.api.types.get(TypeId(folder, version, fact["go"]))
                assert isinstance(found, Struct), full
                yield package, fact, found


def expected_presence(fact: Json, package: Json, kubernetes: Import) -> Presence:
    if fact["type"].startswith("*"):
        return Presence.OPTIONAL if fact.get("omitempty") else Presence.NULLABLE
    shape = kubernetes.shape(fact.get("resolved", fact["type"]), package)
    if shape == "list":
        return Presence.OMIT_EMPTY if fact.get("omitempty") else Presence.NULLABLE
    is_left_out = fact.get("omitzero") if shape == "struct" else fact.get("omitempty")
    return Presence.OMIT_EMPTY if is_left_out else Presence.PLAIN


def test_every_field_matches_the_facts(kubernetes: Import) -> None:
    wrong: list[str] = []
    count = 0
    for package, fact, struct in structs(kubernetes):
        own = {field.json_name: field for field in struct.own_fields}
        inlines = {inline.protobuf_name: inline for inline in struct.inlines}
        live = [f for f in fact.get("fields", ()) if not f.get("jsonSkip") and "TypeMeta" not in f["type"]]
        for field in live:
            count += 1
            where = f"{struct.id}.{field.get('json') or field['go']}"
            type_ = kubernetes.type(field.get("resolved", field["type"]), package)
            protobuf = field.get("protobuf", {})
            number = protobuf.get("number")
            if field.get("inline"):
                inline = inlines[protobuf.get("name") or field["go"][0].lower() + field["go"][1:]]
                if (inline.type.id.name, inline.number) != (type_.rpartition(".")[2], number):
                    wrong.append(f"{where}: {inline}")
                continue
            found = own.get(field["json"])
            said = (type_, number, expected_presence(field, package, kubernetes), protobuf.get("name", field["json"]))
            if found is None or (full(found.type), found.number, found.presence, found.protobuf_name) != said:
                wrong.append(f"{where}: {found} is not {said}")
        assert [f["json"] for f in live if not f.get("inline")] == list(own), struct.id
    assert wrong == []
    assert count > (600 if kubernetes.release == "committed" else 3700)


def test_every_tombstone_is_imported(kubernetes: Import) -> None:
    for _, fact, struct in structs(kubernetes):
        expected = {
            t["json"]: t.get("number") for t in fact.get("tombstones", ()) if t.get("real") or t["form"] == "marker"
        }
        assert {tombstone.name: tombstone.number for tombstone in struct.tombstones} == expected, struct.id


TOMBSTONES = {"v0.33.0": 25, "v0.34.0": 25, "v0.35.0": 27, "v0.36.6": 30, "v0.37.2": 36}
"""Of k8s.io/api, as the facts count them; those of apimachinery come besides."""
HOLES = {"v0.33.0": 74, "v0.34.0": 78, "v0.35.0": 80, "v0.36.6": 81, "v0.37.2": 92}
"""Numbers below the highest one that no field and no tombstone has, of k8s.io/api."""


def test_number_of_tombstones_matches_the_facts(kubernetes: Import) -> None:
    gone = [t.name for struct, _ in kubernetes.structs_of_api() for t in struct.tombstones]
    assert len(gone) == TOMBSTONES[kubernetes.number]
    plans = {"requiredDuringSchedulingRequiredDuringExecution", "templateRef", "failedPodsLimit"}
    assert not plans.intersection(gone)


def test_every_unexplained_hole_is_reserved(kubernetes: Import) -> None:
    count = 0
    for struct, fact in kubernetes.structs_of_api():
        numbers = {number for field in fact.get("fields", ()) if (number := field.get("protobuf", {}).get("number"))}
        gone = {tombstone.number for tombstone in struct.tombstones}
        holes = set(range(1, max(numbers, default=0))) - numbers - gone
        reserved = {number for each in struct.reserved for number in range(each.first, each.last + 1)}
        assert reserved == holes, struct.id
        count += len(holes)
    assert count == HOLES[kubernetes.number]


def test_numbers_above_the_highest_used_one_are_not_reused(kubernetes: Import) -> None:
    """A new field does not get the number of a removed field, even if it was the highest."""
    past = [
        (struct, tombstone)
        for struct, fact in kubernetes.structs_of_api()
        for tombstone in struct.tombstones
        if tombstone.number is not None and tombstone.number > max([0, *_living_numbers(fact)])
    ]
    assert len(past) == {"v0.33.0": 15, "v0.34.0": 9, "v0.35.0": 10, "v0.36.6": 11, "v0.37.2": 12}[kubernetes.number]
    spec = load_api(kubernetes.folder, Report())
    for struct, tombstone in past:
        group = next(group for group in spec.groups if group.folder == struct.id.group)
        file = next(file for file in group.version_files if file.name == struct.id.version)
        type_ = next(type_ for type_ in file.types if type_.name == struct.id.name)
        new = replace(type_.fields[0], name="addedLater", protobuf=None)
        report = Report()
        grown = replace(type_, fields=(*type_.fields, new))
        numbers = Ledger(grown, None, None, Run(report, spec.broken)).assign()
        assert not report.diagnostics
        assert numbers["addedLater"] > max(t.number or 0 for t in struct.tombstones) >= (tombstone.number or 0)


def _living_numbers(fact: Json) -> Iterator[int]:
    return (field["protobuf"]["number"] for field in fact.get("fields", ()) if field.get("protobuf", {}).get("number"))


def test_types_with_constants_are_enums_open_unless_marked(kubernetes: Import) -> None:
    count = 0
    for package in kubernetes.facts.values():
        folder, _, version = folder_of(package).partition("/")
        for fact in package["types"] if re.fullmatch(r"v\d+\w*", version) else ():
            values = list(dict.fromkeys(c.get("value") for c in fact.get("constants", ())))
            if fact["kind"] != "named" or not values or fact["underlying"] != "string":
                continue
            found = kubernetes.api.types.get(TypeId(folder, version, fact["go"]))
            assert isinstance(found, Enum), fact["go"]
            assert [value.value for value in found.values] == values
            marked = fact.get("enum", False) or any("beta" in m and "k8s:enum" in m for m in fact.get("markers", ()))
            assert found.open is not marked, fact["go"]
            count += 1
    assert count > (20 if kubernetes.release == "committed" else 150)


def test_every_root_type_is_a_kind_or_its_list(kubernetes: Import) -> None:
    for package, fact, struct in structs(kubernetes):
        if fact.get("root") and package["group"] != "meta.k8s.io":
            assert struct.kind is not None or struct.list_of is not None, struct.id


def test_omitted_elements_are_listed_with_locations(kubernetes: Import) -> None:
    findings = kubernetes.imported.findings
    expected = {"marker", "validation", "type"}
    if kubernetes.release != "committed":
        expected |= {"untyped", "gate", "replacement", "tombstone"}
    assert {finding.kind.value for finding in findings} >= expected
    assert all(finding.place.file and finding.reason for finding in findings)
