"""How the manifests of controller-gen are compared with ours; `python -m tests.crd.controller_gen` does it."""

from __future__ import annotations

import re

from tests.crd.controller_gen import HERE, RECORD, different, fields_in
from tests.yaml_files import read_yaml


def test_differences_have_a_side_and_a_path() -> None:
    ours = {"a": {"b": 1, "c": 2}, "d": ["one  two"], "e": [1]}
    theirs = {"a": {"b": 3, "x": 4}, "d": ["one\ntwo"], "e": [1, 2]}
    found = [(each.side, each.path, each.key) for each in different(ours, theirs, "root")]
    assert found == [
        ("both", "root.a", "b"),
        ("ours", "root.a", "c"),
        ("controller-gen", "root.a", "x"),
        ("both", "root", "e"),
    ]


def test_fields_are_counted_at_every_depth() -> None:
    assert fields_in({"properties": {"a": {"items": {"properties": {"b": {}}}}, "c": {}}}) == 3


def test_each_reason_is_needed() -> None:
    rows = re.findall(r"^\| (.*?) \| \d+ \|", RECORD.read_text("utf-8"), re.MULTILINE)
    reasons = [each["what"] for each in read_yaml((HERE / "controller-gen-reasons.yaml").read_text("utf-8"))]
    assert [reason for reason in reasons if reason not in rows] == []
