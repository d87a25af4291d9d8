"""`apigen proof`: matrices, sentences and examples of one project, in every form."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from apigen.cli.main import main
from apigen.proof.printers import FORMS, WIDTH

FILES = {
    "apigen.toml": 'specs = "specs"\noutput = "out"\n',
    "specs/things/group.yaml": """
        group: things.example.com
        versions: {v1beta1: {}, v1: {storage: true}}
        hub: v1
        kinds:
          Thing: {scope: Cluster, plural: things, list: false}
          Other: {scope: Cluster, plural: others, list: false}
    """,
    "specs/things/v1.yaml": """
        types:
          Other: {fields: {name: {type: string}}}
          Thing:
            fields:
              spec: {type: Spec}
          Spec:
            fields:
              size: {type: int32}
              note: {type: string, omitEmpty: true}
              ports: {type: "[]Port", omitEmpty: true}
          Port:
            fields:
              number: {type: int32, omitEmpty: true}
              name: {type: string, omitEmpty: true}
    """,
    "specs/things/v1beta1.yaml": """
        types:
          Other: {fields: {name: {type: string}}}
          Thing:
            fields:
              spec: {type: Spec}
          Spec:
            fields:
              size: {type: int64, hub: {scale: 1000}}
              ports: {type: "[]Port", omitEmpty: true}
            hubOnly:
              note: {drop: no client used it}
          Port:
            fields:
              target: {type: IntOrString, hub: {split: [number, name]}}
    """,
}


def write(files: dict[str, str], folder: Path) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))
    return folder


def proof(project: Path, capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(["proof", "--config", str(project / "apigen.toml"), *words]) == code
    captured = capsys.readouterr()
    return captured.err if code else captured.out


def test_text_begins_with_the_matrix_and_has_examples(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = proof(project, capsys)
    assert text == (Path(__file__).parent / "proof.txt").read_text()
    assert max(map(len, text.splitlines())) <= WIDTH


def test_every_example_differs_or_is_rejected(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kinds: list[Any] = json.loads(proof(project, capsys, "--output", "json"))["kinds"]
    losses = [loss for kind in kinds for loss in kind["losses"]]
    assert [loss["path"] for loss in losses if "example" not in loss] == []
    for loss in losses:
        example = loss["example"]
        assert "error" in example or example["before"] != example["after"]
        assert example["before"]["apiVersion"].rpartition("/")[2] in loss["versions"]


def test_names_select_kinds_and_typos_get_suggestions(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "note" not in proof(project, capsys, "Thing", "Port", "--no-examples")
    assert "did you mean `Thing`?" in proof(project, capsys, "Thin", code=2)


@pytest.mark.parametrize("form", FORMS)
def test_every_format_has_every_sentence(project: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    text = proof(project, capsys, "--output", form, "--no-examples").replace("\\", "").replace("<code>", "`")
    for word in ("loses 1 field", "is never preserved", "no client used it", "if it is an empty string"):
        assert word in " ".join(text.split())


def test_loss_that_a_version_cannot_show_has_no_example(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two versions split the same field: neither can express that both parts are set."""
    other = write(
        {
            **FILES,
            "specs/things/v1alpha1.yaml": FILES["specs/things/v1beta1.yaml"],
            "specs/things/group.yaml": FILES["specs/things/group.yaml"].replace("{v1beta1", "{v1alpha1: {}, v1beta1"),
        },
        tmp_path,
    )
    (kind,) = (
        each for each in json.loads(proof(other, capsys, "--output", "json"))["kinds"] if each["kind"] == "Thing"
    )
    split = {
        (version, loss["through"]): "example" in loss
        for loss in kind["losses"]
        for version in loss["versions"]
        if "`name` is also set" in loss["sentence"]
    }
    assert split == {
        ("v1", "v1alpha1"): True,
        ("v1", "v1beta1"): True,
        ("v1alpha1", "v1beta1"): False,
        ("v1beta1", "v1alpha1"): False,
    }


def test_conversions_with_hand_written_functions_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The functions import the package by its configured name, wherever it was generated."""
    functions = """
        from out.things import hub as things_hub
        from out.things import v1beta1


        def spec_to_hub(source: v1beta1.Spec, generated: object) -> things_hub.Spec:
            return generated(source)


        def spec_from_hub(hub: things_hub.Spec, generated: object) -> v1beta1.Spec:
            return generated(hub)
    """
    project = write({**FILES, "handwritten/things/v1beta1/conversions.py": functions}, tmp_path)
    kinds = json.loads(proof(project, capsys, "--output", "json"))["kinds"]
    assert any("example" in loss for kind in kinds for loss in kind["losses"])


def test_example_shows_the_loss_at_its_own_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No JSON object shows that empty annotations become absent; one that loses another field is not an example of it."""
    files = {
        **FILES,
        "specs/things/v1.yaml": """
            types:
              Other: {fields: {name: {type: string}}}
              Thing:
                fields:
                  metadata: {type: meta/v1.ObjectMeta, required: false}
                  note: {type: string, optional: true}
                  size: {type: int32, optional: true}
        """,
        "specs/things/v1beta1.yaml": """
            types:
              Other: {fields: {name: {type: string}}}
              Thing:
                fields:
                  metadata: {type: meta/v1.ObjectMeta, required: false}
                hubOnly:
                  note: {annotation: example.com/note}
                  size: {drop: no client used it}
        """,
    }
    kinds = json.loads(proof(write(files, tmp_path), capsys, "--output", "json"))["kinds"]
    examples = {item["path"]: item.get("example") for kind in kinds for item in kind["losses"]}
    assert examples["size"]
    assert not examples["metadata.annotations"]
