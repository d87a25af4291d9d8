"""Hostile JSON Schemas: a review ends within seconds, with findings and counterexamples."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apigen.cli.main import main
from tests.effort import within

MOST_CALLS = 40_000_000
CHAIN = 1000
PLAIN = {"type": "object", "properties": {"a": {"type": "string"}}}


def chain(required: list[str], end: object) -> dict[str, object]:
    """Objects in each other, each a definition of its own."""
    levels = {
        f"d{number}": {"type": "object", "required": required, "properties": {"n": {"$ref": f"#/$defs/d{number + 1}"}}}
        for number in range(CHAIN)
    }
    return {"$ref": "#/$defs/d0", "$defs": {**levels, f"d{CHAIN}": end}}


def nameless(type_: str) -> dict[str, object]:
    inner = {"type": "object", "properties": {"": {"type": type_}}}
    return {"type": "object", "properties": {"": inner, "a": {"type": "string"}}}


def alternatives(count: int) -> dict[str, object]:
    each = [{"oneOf": [{"required": [f"a{number}"]}, {"required": [f"b{number}"]}]} for number in range(count)]
    return {"type": "object", "properties": {"a": {"allOf": each}}}


PAIRS = {
    "an identifier that is not a URI": (PLAIN, {**nameless("string"), "$id": "http://[", "$ref": "x#y"}),
    "a nested invalid identifier": (PLAIN, {"properties": {"a": {"$id": "http://[::1", "type": "integer"}}}),
    "members without a name": (nameless("string"), nameless("integer")),
    "objects in each other": (PLAIN, chain([], {"type": "string"})),
    "objects that need each other": (chain(["n"], {"type": "string"}), chain(["n"], {"type": "integer"})),
    "alternatives that multiply": (PLAIN, alternatives(25)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("is_back", [False, True], ids=["there", "back"])
def test_review_terminates_with_findings(
    name: str, is_back: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for side, schema in zip(("old", "new"), reversed(PAIRS[name]) if is_back else PAIRS[name], strict=True):
        Path(f"{side}.json").write_text(json.dumps(schema), encoding="utf-8")
    words = ["--no-cache", "--format", "line", "--fail-on", "info"]
    with within(MOST_CALLS):
        assert main(["diff", "jsonschema:old.json", "jsonschema:new.json", *words]) == 1
