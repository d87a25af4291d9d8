"""Names of groups, versions, kinds and resources: Kubernetes' rules, and a fix with each error."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report
from apigen.diagnostics.printers import PRINTERS
from apigen.ir.api_names import group_problem, kind_problem, resource_problem, version_problem
from apigen.language.load import builtin_apis_folder
from tests.hostile.hostile_specs import write_specs
from tests.yaml_files import read_yaml

LONG = "a" * 64

REJECTED = [
    ("group", "../x", "write `x`"),
    ("group", "a b", "write `a-b`"),
    ("group", "A.B", "write `a.b`"),
    ("group", ".", "write a name such as `things.example.com`"),
    ("group", "..", "write a name such as `things.example.com`"),
    ("group", "a..b", "write `a.b`"),
    ("group", "-a.b", "write `a.b`"),
    ("group", "a/v1", "write `a-v1`"),
    ("group", "a\n", "write `a`"),
    ("group", ".".join(["a" * 60] * 5), "write a name such as `things.example.com`"),
    ("version", "beta1", "write `v1beta2` here and in `hub:`, and rename `beta1.yaml` to `v1beta2.yaml`"),
    ("version", "v0", "write `v1` here and in `hub:`, and rename `v0.yaml` to `v1.yaml`"),
    ("version", "v1" + "0" * 62, "write a name such as `v1`"),
    ("kind", "K" * 64, "write a name such as `Widget`"),
    ("plural", "../orders", "write `orders`"),
    ("plural", "<script>", "write `script`"),
    ("plural", "Orders", "write `orders`"),
    ("plural", "1orders", "write `orders`"),
    ("plural", "a.b", "write `a-b`"),
    ("plural", LONG, "write a name such as `things`"),
    ("plural", "", "write a name such as `things`"),
    ("short name", "T H", "write `t-h`"),
    ("short name", "é", "write a name such as `th`"),
    ("short name", LONG, "write a name such as `th`"),
]


def errors_for(folder: Path, changes: Mapping[str, str]) -> list[tuple[str, str | None, str]]:
    """The errors with the code AG0321: message, fix and the marked text of the line."""
    write_specs(folder, changes)
    report = Report()
    assert check(Sources(folder, None, folder), report).backend_input is None
    for render in PRINTERS.values():
        assert render(report.diagnostics).isascii() or changes
    found = []
    for each in report.diagnostics:
        if each.code == "AG0321":
            assert each.place.file.endswith("group.yaml") and each.place.column is not None
            found.append((each.message, each.hint, (each.source_line or "")[each.place.column - 1 :]))
    return found


@pytest.mark.parametrize(("place", "name", "fix"), REJECTED)
def test_invalid_name_is_rejected_with_a_fix(tmp_path: Path, place: str, name: str, fix: str) -> None:
    if place == "kind":
        write_specs(tmp_path, {"kind": name})
        report = Report()
        check(Sources(tmp_path, None, tmp_path), report)
        found = [(each.message, each.hint) for each in report.diagnostics if each.code == "AG0321"]
        assert any("is not a valid kind" in message and hint == fix for message, hint in found)
        return
    found = [(message, hint) for message, hint, _ in errors_for(tmp_path, {place: name})]
    assert [hint for message, hint in found if f"is not a valid {place}" in message] == [fix]


@pytest.mark.parametrize(("place", "name", "fix"), [each for each in REJECTED if each[2].startswith("write `")])
def test_suggested_name_is_accepted(tmp_path: Path, place: str, name: str, fix: str) -> None:
    suggestion = re.match("write `([^`]*)`", fix)
    assert suggestion is not None
    if place == "version":  # the folder has a v1beta1 already
        assert version_problem(suggestion[1]) is None
        return
    write_specs(tmp_path, {place: suggestion[1]})
    report = Report()
    assert check(Sources(tmp_path, None, tmp_path), report).backend_input is not None, report.diagnostics


def test_caret_is_below_the_name(tmp_path: Path) -> None:
    (_, _, marked), *others = errors_for(tmp_path, {"plural": "../orders"})
    assert marked.startswith('"../orders"')
    assert not others


def test_list_kind_and_definition_name_have_limits(tmp_path: Path) -> None:
    group = ".".join(["a" * 61] * 4)
    write_specs(tmp_path, {"group": group, "plural": "p" * 10})
    report = Report()
    check(Sources(tmp_path, None, tmp_path), report)
    assert ["longer than 253" in each.message for each in report.diagnostics] == [True]
    kind = "K" * 60
    write_specs(tmp_path, {"kind": kind})
    header = tmp_path / "things.example.com/group.yaml"
    header.write_text(header.read_text().replace('"list": false, ', ""))
    report = Report()
    check(Sources(tmp_path, None, tmp_path), report)
    assert "longer than 63" in " ".join(each.message for each in report.diagnostics)


def test_subresources_and_categories_are_checked(tmp_path: Path) -> None:
    write_specs(tmp_path, {})
    header = tmp_path / "things.example.com/group.yaml"
    text = header.read_text().replace('"subresources": {', '"categories": ["A/B"], "subresources": {"../x": {}, ')
    header.write_text(text)
    report = Report()
    check(Sources(tmp_path, None, tmp_path), report)
    found = [(each.message.split(":")[0], each.hint) for each in report.diagnostics]
    assert found == [
        ("`A/B` is not a valid category", "write `a-b`"),
        ("`../x` is not a valid subresource", "write `x`"),
    ]


def test_names_of_removed_versions_and_kinds_are_checked(tmp_path: Path) -> None:
    write_specs(tmp_path, {})
    header = tmp_path / "things.example.com/group.yaml"
    gone = '{"tombstones": {"versions": {"1": {"removed": "1.6"}}, "kinds": {"../x": {"removed": "1.6"}}}, '
    header.write_text(header.read_text().replace("{", gone, 1))
    report = Report()
    check(Sources(tmp_path, None, tmp_path), report)
    assert [each.message.split(":")[0] for each in report.diagnostics if each.code == "AG0321"] == [
        "`1` is not a valid version",
        "`../x` is not a valid kind",
    ]


@pytest.mark.parametrize("folder", [builtin_apis_folder(), Path("api-specs/things.example.com").resolve()])
def test_names_of_all_specs_are_valid(folder: Path) -> None:
    headers = sorted(folder.rglob("group.yaml"))
    assert headers
    for header in headers:
        group = read_yaml(header.read_text(encoding="utf-8"))
        assert group_problem(group["group"]) is None
        assert not any(map(version_problem, map(str, group["versions"])))
        for name, kind in (group.get("kinds") or {}).items():
            kind = kind or {}
            assert kind_problem(name) is None
            words = [kind.get("plural", name.lower()), *kind.get("shortNames", ()), *kind.get("subresources", ())]
            assert not any(resource_problem("name", word, "x") for word in words)


@pytest.mark.parametrize("name", ["", "apps", "a-b.c", "1.2", "x" * 63, "meta.k8s.io", "0-0"])
def test_valid_groups_are_accepted(name: str) -> None:
    assert group_problem(name) is None
