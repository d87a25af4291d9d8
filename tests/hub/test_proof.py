"""What one version loses through another one: also below a struct that it has whole."""

from __future__ import annotations

from pathlib import Path

from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report
from apigen.diagnostics.printers.text import render
from apigen.hub.proof import prove_kinds

FILES = {
    "group.yaml": """
        group: things.example.com
        versions: {v1beta1: {}, v1: {storage: true}}
        hub: v1
        kinds: {Thing: {scope: Cluster, plural: things, list: false}}
    """,
    "v1.yaml": """
        types:
          Thing:
            fields:
              spec: {type: Spec}
              size: {type: int32}
          Spec:
            fields:
              kept: {type: string}
              lost: {type: string}
    """,
    "v1beta1.yaml": """
        types:
          Thing:
            fields:
              kept: {type: string, hub: spec.kept}
              size: {type: int32}
            hubOnly:
              spec.lost: {drop: it was not there}
    """,
}


def test_kind_proof_finds_fields_below_an_entire_struct(tmp_path: Path) -> None:
    folder = tmp_path / "things.example.com"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    report = Report()
    found = check(Sources(tmp_path, None, tmp_path), report)
    assert found.backend_input is not None, render(report.diagnostics)
    (proof,) = prove_kinds(found.backend_input.hub, found.backend_input.types)
    (lost,) = proof.lost
    assert [(each.version.version, each.path) for each in lost.affected] == [("v1", "spec.lost")]
    assert lost.sentence() == "`spec.lost` is never preserved [drop: it was not there]"
    v1beta1, v1 = sorted(proof.versions, key=lambda id_: id_.version, reverse=True)
    assert [proof.cell(*pair).text for pair in ((v1, v1beta1), (v1beta1, v1), (v1, v1))] == [
        "loses 1 field",
        "lossless",
        "lossless",
    ]
