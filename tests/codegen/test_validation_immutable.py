"""Immutable lists and maps: validated if the object is new, compared as a whole afterwards, never paired."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.codegen.gated_packages import build, specs
from tests.type_checkers import mypy

TYPES = """
    Frobber:
      fields:
        metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
        spec: {type: FrobberSpec, required: false, protobuf: 2}
    FrobberSpec:
      fields:
        set: {type: "[]string", omitEmpty: true, immutable: true, listType: set, items: {maxLength: 2}, protobuf: 1}
        map:
          type: "[]Part"
          omitEmpty: true
          immutable: true
          listType: map
          listMapKeys: [name]
          protobuf: 2
        byKey:
          type: "map[string]Part"
          omitEmpty: true
          immutable: true
          keys: {maxLength: 2}
          protobuf: 3
        texts: {type: "map[string]string", omitEmpty: true, immutable: true, values: {maxLength: 2}, protobuf: 4}
    Part:
      fields:
        name: {type: string, protobuf: 1}
        weight: {type: int32, maximum: 9, protobuf: 2}
    """


def test_new_objects_are_validated_and_changes_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = build(specs(TYPES), tmp_path, monkeypatch)
    types, strategy, features = package.types, package.strategy("Frobber"), package.features()

    def errors(spec: Any, old: Any = None) -> list[str]:
        new = types.Frobber(spec=spec)
        found = (
            strategy.validate(new, features=features)
            if old is None
            else strategy.validate_update(new, types.Frobber(spec=old), features=features)
        )
        return [str(error) for error in found]

    part, spec = types.Part, types.FrobberSpec
    wrong = spec(set=["abc"], map=[part(name="a", weight=10)], by_key={"abc": part(weight=10)}, texts={"a": "abc"})
    assert len(errors(wrong)) == 5
    assert errors(wrong, wrong) == []
    (rejected,) = errors(spec(set=["a"]), spec())
    assert rejected.endswith("field is immutable")


def test_mypy_accepts_generated_validation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = build(specs(TYPES), tmp_path, monkeypatch)
    assert mypy(tmp_path, "-p", package.name) == ""
