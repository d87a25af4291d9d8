"""What one version loses through another one: also below a struct that it has whole."""

from __future__ import annotations

from pathlib import Path

from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report
from apigen.diagnostics.printers.text import render
from apigen.hub.proof import lost_through, prove, render_proof

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


def test_places_below_a_struct_that_a_version_has_whole(tmp_path: Path) -> None:
    folder = tmp_path / "things.example.com"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    report = Report()
    found = check(Sources(tmp_path, None, tmp_path), report)
    assert found.compilation is not None, render(report.diagnostics)
    hub, types = found.compilation.hub, found.compilation.types
    proofs = {proof.version.version: proof for proof in prove(hub, types) if proof.version.name == "Thing"}
    assert [place.place for place in lost_through(hub, proofs["v1"], proofs["v1beta1"])] == ["spec.lost"]
    assert lost_through(hub, proofs["v1beta1"], proofs["v1"]) == ()
    text = render_proof(hub, types)
    assert "Thing: things.example.com/v1 through things.example.com/v1beta1\n    spec.lost  never" in text
    assert "v1beta1 through" not in text
