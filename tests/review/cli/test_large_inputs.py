"""Inputs of many documents, types and changes: what a review does with each grows with it alone, not with the whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apigen.cli.main import main
from tests.effort import within


def review(folder: Path, monkeypatch: pytest.MonkeyPatch, calls: int, *words: str) -> None:
    """A review with findings, of no more than so many calls."""
    monkeypatch.chdir(folder)
    with within(calls):
        assert main(["diff", *words, "--no-cache", "--no-counterexamples", "--format", "line"]) == 1


def definition(number: int, properties: dict[str, object]) -> dict[str, object]:
    names = {"kind": f"Thing{number}", "plural": f"things{number}"}
    schema = {"type": "object", "properties": properties}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"things{number}.example.com"},
        "spec": {"group": "example.com", "names": names, "scope": "Namespaced", "versions": [version]},
    }


@pytest.mark.slow
def test_many_documents_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, type_ in (("old.yaml", "string"), ("new.yaml", "integer")):
        documents = [
            definition(number, {"size": {"type": type_ if not number else "string", "description": "x" * 2000}})
            for number in range(800)
        ]
        (tmp_path / name).write_text("\n---\n".join(map(json.dumps, documents)), encoding="utf-8")
    review(tmp_path, monkeypatch, 6_000_000, "old.yaml", "new.yaml")


@pytest.mark.slow
def test_many_enums_that_lose_a_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, values in (("old.json", ["a", "b", "c"]), ("new.json", ["a", "b"])):
        fields = {f"field{number}": {"type": "string", "enum": values, "default": "a"} for number in range(2000)}
        (tmp_path / name).write_text(json.dumps(definition(0, fields)), encoding="utf-8")
    review(tmp_path, monkeypatch, 9_000_000, "crd:old.json", "crd:new.json")
