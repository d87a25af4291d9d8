"""`schema`: the schema for editors accepts what the loader accepts."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.cli.running import ROOT, apigen
from tests.yaml_files import read_yaml

KINDS = ("group", "version", "hub", "features")


def spec_files() -> list[Path]:
    others = (".lock.yaml", "not-imported.yaml")
    return [path for path in sorted((ROOT / "api-specs").rglob("*.yaml")) if not path.name.endswith(others)]


def kind_of(path: Path) -> str:
    return path.stem if path.stem in KINDS else "version"


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*KINDS, ""])
def test_specs_of_this_project_match_the_schema(tmp_path: Path, kind: str) -> None:
    ran = apigen(tmp_path, "schema", *filter(None, [kind]))
    assert (ran.code, ran.err) == (0, "")
    validator = jsonschema.Draft202012Validator(json.loads(ran.out))
    validator.check_schema(validator.schema)
    for path in spec_files():
        if kind in ("", kind_of(path)):
            errors = [error.message for error in validator.iter_errors(read_yaml(path.read_text(encoding="utf-8")))]
            assert errors == [], path


def test_unknown_key_violates_the_schema(tmp_path: Path) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(apigen(tmp_path, "schema", "version").out))
    field = {"type": "int32", "optinal": True}
    assert not validator.is_valid({"types": {"Frobber": {"fields": {"width": field}}}})


def test_into_a_folder(tmp_path: Path) -> None:
    ran = apigen(tmp_path, "schema", "--output", "a/b")
    assert ran.out == "".join(f"a/b/{kind}.schema.json\n" for kind in KINDS)
    assert (tmp_path / "a/b/hub.schema.json").read_text(encoding="utf-8") == apigen(tmp_path, "schema", "hub").out
