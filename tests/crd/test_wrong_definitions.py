"""apigen rejects specs that ask for what kube-apiserver rejects of a CustomResourceDefinition, with file and line.

The cases are those of `wrong-definitions.yaml`, from an examination of a real server.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from apigen.diagnostics import Severity
from tests.cluster.api_server import ApiServer
from tests.crd.test_manifests import WrongSpecError, made
from tests.yaml_files import read_yaml

CASES: list[dict[str, Any]] = read_yaml(Path(__file__).with_name("wrong-definitions.yaml").read_text("utf-8"))
NAMES = [case["name"] for case in CASES]

GROUP = """\
group: {domain}
protobuf: none
versions:
  v1: {{introduced: "1.0", storage: true}}
  {versions}
kinds:
  Bad:
    plural: bads
    {kind}
"""
TYPES = """\
types:
  Bad:
    fields:
      metadata: {{type: meta/v1.ObjectMeta, {metadata}}}
      spec: {{type: BadSpec}}
  BadSpec:
    fields:
{fields}
  Item: {{fields: {{k: {{type: string, optional: true}}}}}}
  AtomicItem: {{structType: atomic, fields: {{k: {{type: string}}}}}}
  List: {{is: "[]string", nullable: true}}
  Row: {{is: "[]Word", nullable: true, maxItems: 10}}
  Word: {{is: string, maxLength: 10}}
  OldItem: {{is: string, rules: [{{rule: self == oldSelf}}]}}
  {types}
"""


def specs(case: dict[str, Any]) -> dict[str, str]:
    """The specs that ask for what the definition of a case has."""
    fields = case.get("fields", ["a: {type: string}"])
    fields = [*fields, *(f"f{number}: {{type: string, doc: {'d' * 1000}}}" for number in range(case.get("many", 0)))]
    types = TYPES.format(
        metadata=case.get("metadata", "required: false"),
        fields="\n".join(f"      {field}" for field in fields),
        types="\n  ".join(case.get("types", ())),
    )
    domain, versions = case.get("domain", "bad.example.com"), case.get("group", "")
    group = GROUP.format(domain=domain, versions=versions, kind=case.get("kind", ""))
    files = {f"{domain}/group.yaml": group, f"{domain}/v1.yaml": types}
    if versions:
        files[f"{domain}/v2.yaml"] = types
    return files


def reported(case: dict[str, Any], folder: Path) -> list[str]:
    """The errors that apigen reports of the specs of a case, or the warnings without any: severity, code, file and line."""
    try:
        _, report = made({"release": "1.0", "specs": specs(case), "settings": {"service": "a/b"}}, folder)
        found = report.diagnostics
    except WrongSpecError as error:
        found = error.diagnostics
    errors = [each for each in found if each.severity is Severity.ERROR]
    return sorted(
        {f"{each.severity.value} {each.code} {str(each.place).rpartition(':')[0]}" for each in errors or found}
    )


def definition(case: dict[str, Any]) -> dict[str, Any]:
    """The CustomResourceDefinition of a case."""
    text = {"type": "string"}
    properties = {"a": case.get("schema", text)}
    properties |= {f"f{number}": {**text, "description": "d" * 1000} for number in range(case.get("many", 0))}
    properties |= {f"f{number}": text for number in range(case.get("selectable", 0))}
    spec = {"type": "object", "properties": properties}
    root = case.get("root", {"type": "object", "properties": {"spec": spec}})
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": root},
        **case.get("version", {}),
    }
    if "deprecationWarning" in version:
        version["deprecationWarning"] = "x" * version["deprecationWarning"]
    if selectable := case.get("selectable"):
        version["selectableFields"] = [{"jsonPath": f".spec.f{number}"} for number in range(selectable)]
    versions = [version, {**version, "name": "v2"}] if case.get("versions") == "two" else [version]
    domain = case.get("domain", "bad.example.com")
    names = {"kind": "Bad", "plural": "bads"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"bads.{domain}"},
        "spec": {"group": domain, "scope": "Namespaced", "names": names, "versions": versions, **case.get("spec", {})},
    }


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_api_server_returns_the_recorded_result(case: dict[str, Any], server: ApiServer) -> None:
    rejection = server.rejection(definition(case))
    assert (rejection is None) if case["server"].startswith("accepted") else case["server"] in (rejection or "")


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_apigen_reports_the_same(case: dict[str, Any], tmp_path: Path) -> None:
    if "unwritable" not in case:
        assert reported(case, tmp_path) == case["apigen"]


def outcome(case: dict[str, Any]) -> str:
    """What apigen does about a case."""
    if "unwritable" in case:
        return "unwritable"
    found = {each.split()[0] for each in case["apigen"]}
    return "error" if "error" in found else "warning" if found else "changed" if "changed" in case else "accepted"


def test_every_rejected_definition_is_an_error_of_the_specs() -> None:
    """The results of the server and of apigen. Without any check, 26 rejected definitions would be accepted, and 5 wrong ones."""
    answers = (case["server"] if case["server"].startswith("accepted") else "rejected" for case in CASES)
    assert Counter(zip(answers, map(outcome, CASES), strict=True)) == {
        ("rejected", "error"): 21,
        ("rejected", "warning"): 1,  # the manifest does not have the constraint
        ("rejected", "changed"): 2,  # the manifest has another form of it
        ("rejected", "unwritable"): 2,
        ("accepted though wrong", "error"): 2,
        ("accepted though wrong", "warning"): 3,
        ("accepted", "accepted"): 3,
        ("accepted", "error"): 2,  # a set of atomic structs, which no built-in type can have; a default without a value
        ("accepted", "unwritable"): 2,
    }


WITHOUT_ERROR = [case for case in CASES if outcome(case) in ("warning", "changed", "accepted")]


@pytest.mark.parametrize("case", WITHOUT_ERROR, ids=[case["name"] for case in WITHOUT_ERROR])
def test_api_server_accepts_definitions_without_errors(case: dict[str, Any], server: ApiServer, tmp_path: Path) -> None:
    (manifest,), _ = made({"release": "1.0", "specs": specs(case), "settings": {"service": "a/b"}}, tmp_path)
    assert server.rejection(manifest) is None
