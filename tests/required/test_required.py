from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apigen.codegen.pipeline import Sources
from apigen.diagnostics import Report
from apigen.ir.requiredness import KUBERNETES_GROUPS
from apigen.language.load import BuiltinApis, builtin_apis_folder
from tests.effort import calls_of
from tests.generating import generate_from, generate_package
from tests.required.peer import missing
from tests.this_project import ROOT, config

PROTOBUF = "application/vnd.kubernetes.protobuf"

GROUP = """
group: billing.example.com
versions:
  v1: {introduced: "1.0", storage: true}
hub: v1
kinds:
  Invoice: {scope: Namespaced, plural: invoices}
  Job: {scope: Namespaced, plural: jobs}
"""
VERSION = """
types:
  Invoice:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false}
      spec: {type: InvoiceSpec}
  InvoiceSpec:
    fields:
      number: {type: string}
      note: {type: string, optional: true, required: true}
      size: {type: int32, omitEmpty: true, required: true}
      currency: {type: string, default: EUR}
      zero: {type: int32, default: 0}
      days: {type: int32, default: [{when: {number: long}, value: 30}]}
      wait: {type: Duration, default: [{when: {number: long}, value: 1h}]}
      extra: {type: Terms, optional: true, required: true, default: [{when: {number: long}, value: {net: 3}}]}
      lines: {type: "[]Line", omitEmpty: true, required: true}
      grid: {type: "[]Row", omitEmpty: true}
      byName: {type: "map[string]Line", omitEmpty: true}
      groups: {type: "map[string]Row", omitEmpty: true}
      named: {type: Lines, omitEmpty: true}
      terms: {type: Terms, optional: true, default: {value: {}}}
      full: {type: Terms, optional: true, required: true, default: {value: {net: 0}}}
      late: {type: Terms, optional: true}
      always: {type: Terms, required: false}
      common: {type: Common, inline: true}
      raw: {type: RawExtension, optional: true, required: true}
      when: {type: Time}
      maybe: {type: "[]string", nullable: true}
      choice: {type: Choice, optional: true}
      blob: {type: bytes, optional: true, required: true}
  Common:
    fields:
      owner: {type: string}
      inner: {type: Terms, optional: true}
  Terms:
    fields:
      net: {type: int32}
  Lines: {is: "[]Line"}
  Row: {is: "[]Line", nullable: true}
  Line:
    fields:
      sku: {type: string}
      parts: {type: "[]Line", omitEmpty: true}
  Choice:
    unions:
      - {members: [a, b]}
    fields:
      a: {type: Terms, optional: true}
      b: {type: Line, optional: true}
  Job:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false}
      template: {type: core/v1.PodTemplateSpec, required: false}
"""
FULL: dict[str, Any] = {
    "number": "7",
    "note": "",
    "size": 0,
    "days": 0,
    "wait": "0s",
    "extra": {"net": 0},
    "lines": [],
    "terms": {"net": 0},
    "owner": "",
    "raw": {},
    "when": None,
    "maybe": None,
    "blob": "",
}
"""A spec that sets every field that no default sets, most of them to zero."""


def spec_folder(folder: Path, group: str, version: str) -> Path:
    path = folder / "billing.example.com"
    path.mkdir(parents=True)
    (path / "group.yaml").write_text(group)
    (path / "v1.yaml").write_text(version)
    return folder


class Billing:
    """A generated package with the group above."""

    def __init__(self, name: str, folder: Path) -> None:
        self.scheme: Any = importlib.import_module(f"{name}.scheme")
        self.errors: Any = importlib.import_module(f"{name}.runtime.errors")
        self.folder = folder / name

    @property
    def schema(self) -> Any:
        return json.loads((self.folder / "billing_example_com" / "v1" / "schema.json").read_text())

    def document(self, spec: object, kind: str = "Invoice") -> dict[str, Any]:
        return {"apiVersion": "billing.example.com/v1", "kind": kind, "spec": spec}

    def problem(self, document: object, **options: Any) -> str:
        """What `decode` says of a document; empty if it accepts it."""
        try:
            self.scheme.decode(json.dumps(document), missing="error", **options)
        except self.errors.DecodeError as error:
            assert self.scheme.decode(json.dumps(document)) is not None
            return str(error)
        return ""

    def missing(self, document: dict[str, Any]) -> list[str]:
        """All that a document lacks."""
        runtime: Any = importlib.import_module(f"{self.folder.name}.runtime.required")
        table: Any = importlib.import_module(f"{self.folder.name}.billing_example_com.v1.required")
        obj = self.scheme.decode(json.dumps(document))
        found = list(runtime.missing_fields(document, obj, table.REQUIRED, table.DEFAULTS))
        assert all(error.problem == "required" for error in found)
        return [error.path for error in found]


@pytest.fixture(scope="module")
def billing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Billing]:
    folder = tmp_path_factory.mktemp("billing")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.syspath_prepend(folder)
        yield Billing(generate_package(spec_folder(folder / "specs", GROUP, VERSION), folder), folder)


def test_full_document_is_accepted(billing: Billing) -> None:
    assert billing.problem(billing.document(FULL)) == ""


def test_written_object_is_accepted_in_every_format(billing: Billing) -> None:
    shown = {"size": 1, "lines": [{"sku": ""}], "blob": "AA=="}  # zero under `omitEmpty` is not written
    obj = billing.scheme.decode(json.dumps(billing.document({**FULL, **shown})))
    for media_type in ("application/json", "application/yaml", PROTOBUF):
        data = billing.scheme.encode(obj, media_type)
        assert billing.scheme.decode(data, media_type, missing="error") is not None


@pytest.mark.parametrize("name", sorted(FULL.keys() - {"terms"}))
def test_each_required_field_is_reported(billing: Billing, name: str) -> None:
    spec = {key: value for key, value in FULL.items() if key != name}
    assert billing.problem(billing.document(spec)) == f"spec.{name}: required"
    assert billing.missing(billing.document(spec)) == missing(billing.schema, "Invoice", billing.document(spec))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"number": None}, "spec.number: required"),
        ({"lines": None}, "spec.lines: required"),
        ({"raw": None}, ""),
        ({"currency": None}, ""),
        ({"lines": [{"sku": "a"}, {"sku": ""}, {}]}, "spec.lines[2].sku: required"),
        (
            {"lines": [{"sku": "a", "parts": [{"sku": "b", "parts": [{}]}]}]},
            "spec.lines[0].parts[0].parts[0].sku: required",
        ),
        ({"lines": [None]}, "spec.lines[0].sku: required"),
        ({"grid": [[], [{"sku": "a"}, {}]]}, "spec.grid[1][1].sku: required"),
        ({"byName": {"a.b": {}}}, "spec.byName[a.b].sku: required"),
        ({"groups": {"x": [{}]}}, "spec.groups[x][0].sku: required"),
        ({"named": [{}]}, "spec.named[0].sku: required"),
        ({"inner": {}}, "spec.inner.net: required"),
        ({"late": {}}, "spec.late.net: required"),
        ({"always": {}}, "spec.always.net: required"),
        ({"full": {}}, "spec.full.net: required"),
        ({"choice": {"b": {}}}, "spec.choice.b.sku: required"),
        ({"raw": {"spec": {}}}, ""),
    ],
)
def test_paths_below_a_document(billing: Billing, change: dict[str, Any], problem: str) -> None:
    document = billing.document({**FULL, **change})
    assert billing.problem(document) == problem
    assert billing.missing(document) == missing(billing.schema, "Invoice", document)


def test_fields_of_an_empty_default_are_checked(billing: Billing) -> None:
    spec = {key: value for key, value in FULL.items() if key != "terms"}
    assert billing.problem(billing.document(spec)) == "spec.terms.net: required"


def test_conditional_default_sets_a_field(billing: Billing) -> None:
    spec = {key: value for key, value in FULL.items() if key not in ("days", "wait", "extra")}
    assert billing.problem(billing.document({**spec, "number": "long"})) == ""
    assert billing.problem(billing.document({**spec, "number": "long"}), default=False) == ""
    assert billing.missing(billing.document(spec)) == ["spec.days", "spec.wait", "spec.extra"]


def test_fields_of_a_missing_struct_are_not_checked(billing: Billing) -> None:
    document = billing.document(None)
    assert billing.missing(document) == ["spec"]
    del document["spec"]
    assert billing.missing(document) == ["spec"]


def test_object_is_defaulted_only_on_request(billing: Billing) -> None:
    obj = billing.scheme.decode(json.dumps(billing.document(FULL)), missing="error", default=False)
    assert obj.spec.currency == ""


def test_types_of_kubernetes_in_an_own_kind_are_checked(billing: Billing) -> None:
    job = {
        "apiVersion": "billing.example.com/v1",
        "kind": "Job",
        "template": {"spec": {"containers": [{"image": "x"}]}},
    }
    assert billing.problem(job) == "template.spec.containers[0].name: required"
    assert billing.missing(job) == missing(billing.schema, "Job", job)


def test_yaml_is_checked(billing: Billing) -> None:
    with pytest.raises(billing.errors.DecodeError, match=r"^spec: required$"):
        billing.scheme.decode(
            "apiVersion: billing.example.com/v1\nkind: Invoice\n", "application/yaml", missing="error"
        )


def test_unset_pointers_of_protobuf_are_reported(billing: Billing) -> None:
    obj = billing.scheme.decode(json.dumps(billing.document({})))
    data = billing.scheme.encode(obj, PROTOBUF)
    assert billing.scheme.decode(data, PROTOBUF) is not None
    with pytest.raises(billing.errors.DecodeError, match=r"^spec\.note: required$"):
        billing.scheme.decode(data, PROTOBUF, missing="error")


def test_other_choices_are_rejected(billing: Billing) -> None:
    with pytest.raises(billing.errors.SchemeError, match="missing"):
        billing.scheme.decode(json.dumps(billing.document(FULL)), missing="errors")


def test_time_is_linear_in_the_document(billing: Billing) -> None:
    def calls(lines: int) -> int:
        document = billing.document({**FULL, "lines": [{"sku": "a", "parts": [{"sku": "b"}, {}]}] * lines})
        return calls_of(lambda: billing.missing(document))

    calls(1)  # what is made at first use
    once, twice, four_times = (calls(lines) for lines in (100, 200, 400))
    assert four_times - twice <= 2.1 * (twice - once)


def test_kubernetes_groups_match_the_catalog() -> None:
    builtin_apis = BuiltinApis(Report(), builtin_apis_folder())
    assert {name for name, _ in builtin_apis.kinds.values()} == KUBERNETES_GROUPS


@pytest.fixture(scope="module")
def kubernetes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("kubernetes")
    sources = Sources(config().specs, config().handwritten, ROOT, kinds=("LimitRange", "Deployment.apps", "Lease"))
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.syspath_prepend(folder)
        yield importlib.import_module(f"{generate_from(sources, folder)}.scheme")


@pytest.mark.parametrize(
    "document",
    [
        {"apiVersion": "v1", "kind": "LimitRange", "spec": {}},
        {"apiVersion": "v1", "kind": "LimitRange", "spec": {"limits": [{}]}},
        {"apiVersion": "apps/v1", "kind": "Deployment"},
        {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"ownerReferences": [{}]}},
    ],
)
def test_built_in_groups_accept_what_kube_apiserver_decodes(kubernetes: Any, document: dict[str, Any]) -> None:
    assert kubernetes.decode(json.dumps(document), missing="error") is not None


def test_validation_reports_missing_required_fields(billing: Billing) -> None:
    document = billing.document({"choice": {"b": {}}, "terms": {}})
    hub = billing.scheme.convert(billing.scheme.decode(json.dumps(document), default=False), "hub")
    features = billing.scheme.features()
    found = [str(error) for error in billing.scheme.strategy("Invoice").validate(hub, features=features)]
    shown = ("note", "size", "extra", "lines", "full", "raw", "when", "maybe", "blob")
    assert found == [f"spec.{name}: Required value" for name in shown]  # not `number`, `days` and other plain fields
