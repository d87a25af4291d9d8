"""Definitions as a whole: names, versions, lists and folders of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.inputs.crd.source import CrdSource
from apigen.inputs.source import Setting
from tests.review.schemas.reading import HEAD, changes, crd, spec

TWO = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: example.com
  scope: Cluster
  names: {kind: Box, plural: boxes, shortNames: [bx], categories: [all]}
  conversion: {strategy: Webhook}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}
    subresources: {status: {}, scale: {specReplicasPath: .spec.n, statusReplicasPath: .status.n}}
    additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
    selectableFields: [{jsonPath: .spec.color}]
  - name: v1alpha1
    served: false
    storage: false
    deprecated: true
    deprecationWarning: use v1
    schema: {openAPIV3Schema: {type: object}}
status: {storedVersions: [v1alpha1, v1]}
"""


def test_definition_fields_other_than_types(tmp_path: Path) -> None:
    surface = crd(tmp_path, TWO).surface
    assert surface is not None
    group = surface.groups["example.com"]
    box = group.kinds["Box"]
    assert (box.plural, box.singular, box.list_kind, box.namespaced) == ("boxes", "box", "BoxList", False)
    assert (box.short_names, box.categories, box.conversion) == (("bx",), ("all",), "Webhook")
    first, second = (group.versions[name].kinds["Box"] for name in ("v1", "v1alpha1"))
    assert (first.served, first.storage, first.subresources) == (True, True, ("scale", "status"))
    assert first.scale == "specReplicasPath: .spec.n, statusReplicasPath: .status.n"
    assert first.printer_columns == ("Size (integer): .spec.size",) and first.selectable_fields == (".spec.color",)
    assert (second.served, second.storage, second.stored) == (False, False, True)
    assert second.lifecycle.is_deprecated and str(second.lifecycle.replacement) == "use v1"


def test_names_equal_to_their_defaults_are_not_a_change(tmp_path: Path) -> None:
    said = TWO.replace("plural: boxes", "plural: boxes, singular: box, listKind: BoxList")
    assert changes(crd(tmp_path, TWO), crd(tmp_path, said)) == []


def test_several_definitions_in_file_list_and_folder(tmp_path: Path) -> None:
    one = HEAD + "            type: object"
    several = crd(tmp_path, f"{one}\n---\n{TWO}\n---\nkind: ConfigMap\ndata: {{a: b}}\n---\n")
    assert several.surface is not None and list(several.surface.groups["example.com"].kinds) == ["Thing", "Box"]
    assert list(several.surface.groups["example.com"].versions) == ["v1", "v1alpha1"]
    indented = TWO.strip().replace("\n", "\n  ")
    listed = crd(tmp_path, f"kind: List\napiVersion: v1\nitems:\n- {indented}\n")
    assert listed.surface is not None and list(listed.surface.groups["example.com"].kinds) == ["Box"]
    folder = tmp_path / "crds" / "inner"
    folder.mkdir(parents=True)
    (folder / "a.yaml").write_text(one, encoding="utf-8")
    (folder.parent / "b.yml").write_text(TWO, encoding="utf-8")
    (folder.parent / "readme.md").write_text("kind: CustomResourceDefinition", encoding="utf-8")
    report = Report()
    assert CrdSource().recognises("crds", Setting(tmp_path))
    surface = CrdSource().load("crds", Setting(tmp_path), report)
    assert surface is not None and set(surface.groups["example.com"].kinds) == {"Thing", "Box"}
    assert surface.groups["example.com"].kinds["Thing"].place.file == "crds/inner/a.yaml"


def test_v1beta1_definitions_are_read(tmp_path: Path) -> None:
    read = crd(
        tmp_path,
        """
        apiVersion: apiextensions.k8s.io/v1beta1
        kind: CustomResourceDefinition
        spec:
          group: example.com
          version: v1
          names: {kind: Thing, plural: things}
          preserveUnknownFields: false
          subresources: {status: {}}
          additionalPrinterColumns: [{name: Size, type: integer, JSONPath: .spec.size}]
          validation:
            openAPIV3Schema: {type: object, properties: {spec: {type: string}}}
        """,
    )
    assert read.surface is not None
    kind = read.surface.groups["example.com"].versions["v1"].kinds["Thing"]
    assert (kind.served, kind.storage, kind.subresources) == (True, True, ("status",))
    assert kind.printer_columns == ("Size (integer): .spec.size",)
    assert str(read.slot("Thing", "spec").type) == "string"


@pytest.mark.parametrize(
    ("text", "codes", "words"),
    [
        ("kind: Deployment", ["AG1430"], "no CustomResourceDefinition here"),
        ("", ["AG1430"], "no CustomResourceDefinition here"),
        (HEAD.replace("  group: example.com\n", ""), ["AG1431"], "no `group:`"),
        (HEAD.replace("scope: Namespaced", "scope: Global"), ["AG1431"], "`scope` is neither"),
        (HEAD.replace("kind: Thing, ", ""), ["AG1431"], "no `kind:`"),
        (HEAD.replace("- name: v1\n    served", "- served"), ["AG1431"], "a version without `name:`"),
        (HEAD.replace("    served: true\n", ""), ["AG1431"], "the version `v1` does not declare `served:`"),
        (HEAD.split("  versions:")[0], ["AG1431"], "no `versions:`"),
        (HEAD.replace("k8s.io/v1", "k8s.io/v2"), ["AG1431"], "unknown API version"),
        (HEAD.split("spec:")[0], ["AG1431"], "no mapping `spec:`"),
        (f"{HEAD}\n---\n{HEAD}", ["AG1432"], "is defined twice"),
        (HEAD.replace("  - name: v1\n", "  - {name: v1, served: true}\n  - name: v1\n"), ["AG1432"], "is listed twice"),
        (HEAD + "            a: [", ["AG0110"], "invalid YAML"),
        (HEAD.replace("  scope: Namespaced\n", "  scope: Namespaced\n  scope: Cluster\n"), ["AG0111"], "duplicate"),
    ],
)
def test_incomplete_definition_is_an_error_with_location(
    tmp_path: Path, text: str, codes: list[str], words: str
) -> None:
    read = crd(tmp_path, text)
    assert read.surface is None and read.codes == codes
    assert words in read.diagnostics[0].message and read.diagnostics[0].place.file == "crd.yaml"


def test_version_without_schema_accepts_anything(tmp_path: Path) -> None:
    without = HEAD.split("    schema:")[0]
    read = crd(tmp_path, without)
    assert read.struct("Thing").unknown.value == "kept"


def test_locations_refer_to_the_file(tmp_path: Path) -> None:
    read = spec(tmp_path, "type: object\nproperties:\n  a:\n    type: integer\n    minimum: 5")
    field = read.field("Thing.spec", "a")
    assert (field.place.file, field.place.line, field.place.column) == ("crd.yaml", 20, 15)
    assert [each.place.line for each in field.slot.constraints.values()] == [22]
