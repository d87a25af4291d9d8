"""Fields that a hand-written function converts, and fields that the generated body converts and a function adjusts."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report
from apigen.hub.proof import prove
from tests.generating import generate_package

SPECS = {
    "group.yaml": """
        group: hand.example.com
        versions: {v1beta1: {introduced: "1.0"}, v1: {introduced: "1.1", storage: true}}
        hub: v1
        kinds: {Thing: {scope: Namespaced, plural: things, list: false}}
        """,
    "v1.yaml": """
        types:
          Thing:
            fields:
              title: {type: string, omitEmpty: true}
              tags: {type: "[]string", omitEmpty: true}
              size: {type: int32, omitEmpty: true}
              words: {type: string, omitEmpty: true}
              level: {type: Level, optional: true}
          Level:
            fields:
              grade: {type: string, optional: true}
        """,
    "v1beta1.yaml": """
        types:
          Thing:
            fields:
              name: {type: string, omitEmpty: true, hub: {to: title, byHand: in small letters}}
              tags: {type: "[]string", omitEmpty: true, hub: {to: tags, byHand: without doubles}}
              size: {type: int32, omitEmpty: true}
              number: {type: string, omitEmpty: true, hub: {byHand: in words}}
              grade: {type: string, hub: {to: level.grade, absent: "", byHand: absent below 1}}
            hubOnly:
              words: {byHand: the number}
        """,
}
FUNCTIONS = '''
def thing_to_hub(source, generated):
    """What the generated body carried is there already."""
    hub = generated(source)
    hub.title = hub.title.upper()
    if hub.tags is not None:
        hub.tags = list(dict.fromkeys(hub.tags))
    hub.words = source.number
    if hub.level is not None and hub.level.grade < "1":
        hub.level = None
    return hub


def thing_from_hub(hub, generated):
    """The same way back."""
    new = generated(hub)
    new.name = new.name.lower()
    new.number = hub.words
    return new
'''


@pytest.fixture
def specs(tmp_path: Path) -> Path:
    folder = tmp_path / "specs" / "hand.example.com"
    folder.mkdir(parents=True)
    for name, text in SPECS.items():
        (folder / name).write_text(dedent(text), encoding="utf-8")
    functions = tmp_path / "by_hand" / "hand_example_com" / "v1beta1" / "conversions.py"
    functions.parent.mkdir(parents=True)
    functions.write_text(FUNCTIONS, encoding="utf-8")
    return tmp_path / "specs"


def test_hand_written_function_receives_generated_result(specs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(specs.parent)
    scheme: Any = import_module(f"{generate_package(specs, specs.parent, specs.parent / 'by_hand')}.scheme")
    cases = (
        ("v1beta1", {"name": "a", "tags": ["x", "x"], "size": 1, "number": "one", "grade": "2"}, "v1",
         {"title": "A", "tags": ["x"], "size": 1, "words": "one", "level": {"grade": "2"}}),
        ("v1", {"title": "A", "tags": ["x", "x"], "size": 1, "words": "one"}, "v1beta1",
         {"name": "a", "tags": ["x", "x"], "size": 1, "number": "one", "grade": ""}),
        ("v1beta1", {"grade": "0"}, "v1", {}),
        ("v1beta1", {}, "v1", {}),
        ("v1", {"tags": []}, "v1beta1", {"grade": ""}),
    )  # fmt: skip
    for source, given, target, wanted in cases:
        head = {"apiVersion": f"hand.example.com/{source}", "kind": "Thing"}
        new = scheme.convert(scheme.decode(json.dumps(head | given), "application/json"), f"hand.example.com/{target}")
        found = json.loads(scheme.encode(new, "application/json"))
        assert found == {"apiVersion": f"hand.example.com/{target}", "kind": "Thing", **wanted}


def test_proof_reports_both_directions_as_unproven(specs: Path) -> None:
    report = Report()
    backend_input = check(Sources(specs, specs.parent / "by_hand", specs), report).backend_input
    assert backend_input is not None, report.diagnostics
    proofs = {p.version.version: p for p in prove(backend_input.hub, backend_input.types)}
    beta = proofs["v1beta1"]
    assert {place for place, sentences in beta.fields.items() if sentences} == {"name", "tags", "number", "grade"}
    assert beta.fields.keys() == {"name", "tags", "number", "grade", "size"}
    reasons = {
        "title": "in small letters",
        "tags": "without doubles",
        "words": "the number",
        "level.grade": "absent below 1",
    }
    assert {place: found for place, found in beta.hub_places.items() if "hand-written" in "".join(found)} == {
        place: (f"`{place}` is not verified, because a hand-written function converts it [{reason}]",)
        for place, reason in reasons.items()
    }
    assert all("hand-written" in sentence for sentences in beta.fields.values() for sentence in sentences)
    assert not any(proofs["v1"].fields.values())
