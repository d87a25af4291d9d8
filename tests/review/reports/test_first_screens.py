"""First screens of a few edits, as they are printed. `APIGEN_UPDATE=1` writes them again."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.review.reports.first_screen import first_screen
from apigen.review.reports.report import Style, format_named
from apigen.review.reports.summary import Summary
from apigen.review.running import Request, run_review

GOLDEN = Path(__file__).parent / "first_screens"

SPEC: dict[str, Any] = {
    "type": "object",
    "required": ["size"],
    "properties": {
        "color": {"type": "string", "enum": ["Red", "Green"], "description": "The color."},
        "name": {"type": "string", "maxLength": 63},
        "note": {"type": "string", "description": "Anything."},
        "size": {"type": "integer", "minimum": 1, "maximum": 100},
        "parts": {"type": "array", "items": {"type": "object", "properties": {"weight": {"type": "integer"}}}},
    },
}


def definition(kind: str, *versions: str) -> dict[str, Any]:
    def schema() -> dict[str, Any]:
        return {"openAPIV3Schema": {"type": "object", "properties": {"spec": copy.deepcopy(SPEC)}}}

    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{kind.lower()}s.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"kind": kind, "plural": f"{kind.lower()}s"},
            "conversion": {"strategy": "None"},
            "versions": [
                {"name": name, "served": True, "storage": name == versions[0], "schema": schema()} for name in versions
            ],
        },
    }


Definitions = list[dict[str, Any]]


def specs(definitions: Definitions) -> list[dict[str, Any]]:
    """The schemas of `spec` of all versions of all definitions."""
    return [
        version["schema"]["openAPIV3Schema"]["properties"]["spec"]
        for each in definitions
        for version in each["spec"]["versions"]
    ]


def one_edit(definitions: Definitions) -> None:
    del specs(definitions)[0]["properties"]["note"]


def five_edits(definitions: Definitions) -> None:
    for spec in specs(definitions):
        properties = spec["properties"]
        properties["name"]["maxLength"] = 40
        properties["color"]["enum"].remove("Green")
        properties["parts"]["items"]["properties"]["weight"]["type"] = "string"
        properties["note"]["description"] = "Anything that you like."
        del properties["size"]


def a_version_goes_and_one_comes(definitions: Definitions) -> None:
    for each in definitions:
        versions = each["spec"]["versions"]
        versions[1]["served"] = False
        versions.append({**copy.deepcopy(versions[0]), "name": "v2", "storage": False})
    definitions.pop()


def nothing_but_words(definitions: Definitions) -> None:
    for spec in specs(definitions):
        spec["properties"]["color"]["description"] = "What color it has."
        spec["properties"]["note"]["description"] = "Whatever you like."


EDITS: tuple[Callable[[Definitions], None], ...] = (
    one_edit,
    five_edits,
    a_version_goes_and_one_comes,
    nothing_but_words,
)


def reviewed(edit: Callable[[Definitions], None], folder: Path) -> Summary:
    old = [definition("Thing", "v1", "v1beta1"), definition("Other", "v1", "v1beta1")]
    new = copy.deepcopy(old)
    edit(new)
    for name, definitions in (("old", old), ("new", new)):
        (folder / f"{name}.yaml").write_text(yaml.safe_dump_all(definitions, sort_keys=False))
    report = Report()
    request = Request("crd:old.yaml", "crd:new.yaml", Setting(folder), approvals=None, moment=None)
    made = run_review(request, report)
    assert made is not None, report.diagnostics
    return made.summary


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_the_first_screen_of_an_edit(edit: Callable[[Definitions], None], tmp_path: Path) -> None:
    text = format_named("text").render(reviewed(edit, tmp_path), Style())
    golden = GOLDEN / f"{edit.__name__}.txt"
    if os.environ.get("APIGEN_UPDATE"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text)
    assert text == golden.read_text()
    assert max(map(len, text.splitlines())) <= 100


def test_five_edits_fit_into_a_terminal(tmp_path: Path) -> None:
    summary = reviewed(five_edits, tmp_path)
    assert len(format_named("text").render(summary, Style()).splitlines()) <= 25
    assert len(format_named("text").render(summary, Style(verbose=True)).splitlines()) > 100


def test_same_change_in_all_kinds_and_versions_is_one_row(tmp_path: Path) -> None:
    screen = first_screen(reviewed(five_edits, tmp_path))
    (row,) = (row for row in screen.rows if row.rule == "bound-tightened")
    assert row.paths == ("spec.name",)
    assert row.number == "1 in 2 kinds, 2 versions"
    assert screen.result == "4 errors, 1 info in 20 places: failed (--fail-on error)"


def test_each_removal_and_addition_is_listed_once(tmp_path: Path) -> None:
    screen = first_screen(reviewed(a_version_goes_and_one_comes, tmp_path))
    assert [str(each) for each in screen.removed] == [
        "v1, v1beta1 of Other (example.com)",
        "v1beta1 of Thing (example.com)",
    ]
    assert [each.how for each in screen.removed] == ["removed", "no longer served"]
    assert [str(each) for each in screen.added] == ["v2 of Thing (example.com)"]
