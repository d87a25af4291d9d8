"""The files of cases are read strictly, and each form of a side is written to disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.review.cases import Case, cases_of, side


def _only_case(folder: Path, text: str) -> Case:
    file = folder / "a-rule.yaml"
    file.write_text(text, encoding="utf-8")
    (case,) = cases_of(file)
    return case


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "positive: {base: {}, revision: {}}\npositive: {base: {}, revision: {}}",
            "duplicate key in the map that starts in line 1",
        ),
        ("positive: {base: {}}", r"a-rule/positive does not have the keys \['revision'\]"),
        ("positive: {base: {}, revision: {}, expected: []}", r"a-rule/positive has the unknown keys \['expected'\]"),
    ],
)
def test_a_malformed_file_is_rejected(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=message):
        _only_case(tmp_path, text)


def test_a_case_is_named_after_its_file_and_key(tmp_path: Path) -> None:
    case = _only_case(tmp_path, "near-miss-source: {base: {}, revision: {}}")
    assert (case.name, case.rule, case.kind) == ("a-rule/near-miss-source", "a-rule", "near-miss")


def test_a_map_is_written_in_the_format_of_its_path(tmp_path: Path) -> None:
    text = "positive:\n  base: {old.json: {type: object}}\n  revision: {new.yaml: {type: object}}\n"
    case = _only_case(tmp_path, text)
    for name in ("old", "new"):
        side(case, name, tmp_path)
    assert json.loads((tmp_path / "old.json").read_text(encoding="utf-8")) == {"type": "object"}
    assert (tmp_path / "new.yaml").read_text(encoding="utf-8") == "type: object\n"


def test_files_are_written_to_the_folder_of_the_side(tmp_path: Path) -> None:
    case = _only_case(
        tmp_path, 'positive:\n  base:\n    a.proto: |\n      syntax = "proto3";\n  revision: {b/c.proto: ""}\n'
    )
    side(case, "old", tmp_path)
    assert (tmp_path / "old/a.proto").read_text(encoding="utf-8") == 'syntax = "proto3";\n'


def test_the_shorthand_is_written_as_specs(tmp_path: Path) -> None:
    shorthand = "{types: {Thing: {fields: {}}}, release: '1.10'}"
    case = _only_case(tmp_path, f"positive: {{base: {shorthand}, revision: {shorthand}}}")
    assert str(side(case, "old", tmp_path).release) == "1.10"
    assert sorted(path.name for path in (tmp_path / "old/things.example.com").iterdir()) == ["group.yaml", "v1.yaml"]
