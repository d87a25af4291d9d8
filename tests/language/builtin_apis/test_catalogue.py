"""The catalog itself: what is read of it, and that each of its kinds can be chosen alone."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.diagnostics.printers.text import render
from apigen.hub.build import build_hub
from apigen.hub.selection import select
from apigen.ir.model import Api
from apigen.ir.resolve import resolve
from apigen.language.load import BuiltinApis, builtin_apis_folder, with_builtin_apis
from apigen.language.model import ApiSpec
from apigen.language.selection import Choice
from tests.this_project import ROOT


class Counted(BuiltinApis):
    """A catalog that tells which groups were read."""

    read: list[str]

    def group(self, folder: str) -> object:  # type: ignore[override]
        self.__dict__.setdefault("read", []).append(folder)
        return super().group(folder)


@cache
def whole() -> Api:
    """All of the catalog."""
    report = Report()
    builtin_apis = BuiltinApis(report, builtin_apis_folder())
    api = resolve(with_builtin_apis(ApiSpec(()), builtin_apis, builtin_apis.groups), report)
    assert not report.has_errors, render(report.diagnostics[:5])
    return api


GROUPS = sorted(path.parent.name for path in (ROOT / "api-specs" / "kubernetes").glob("*/group.yaml"))


def test_only_referenced_groups_are_read() -> None:
    builtin_apis = Counted(Report(), builtin_apis_folder())
    with_builtin_apis(ApiSpec(()), builtin_apis, ["scheduling.k8s.io"])
    assert "meta" in builtin_apis.read and "apps" not in builtin_apis.read
    assert len(builtin_apis.read) < 5


def test_nothing_is_read_without_references(tmp_path: Path) -> None:
    builtin_apis = BuiltinApis(Report(), tmp_path / "not there")
    assert with_builtin_apis(ApiSpec(()), builtin_apis) == ApiSpec(())


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_each_kind_can_be_selected_alone(group: str) -> None:
    api = whole()
    for kind in api.group(group).kinds:
        report = Report()
        selection = select(api, Choice(frozenset(), frozenset({(group, kind.name)})))
        build_hub(selection.shape, report, selection.kept.types)
        assert not report.has_errors, f"{kind.name}\n{render(report.diagnostics[:5])}"
        assert kind.name in [k.name for k in selection.kept.group(group).kinds]


@pytest.mark.parametrize("group", GROUPS)
def test_each_group_can_be_selected_alone(group: str) -> None:
    report = Report()
    selection = select(whole(), Choice(frozenset({group})))
    build_hub(selection.shape, report, selection.kept.types)
    assert not report.has_errors, render(report.diagnostics[:5])
