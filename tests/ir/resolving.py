"""Resolves specs in the text of a test."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from apigen.diagnostics import Report
from apigen.ir.model import Api, Struct, TypeId
from apigen.ir.resolve import resolve
from apigen.language.load import load_api
from apigen.language.model import ApiSpec

GROUP = "group: things.example.com\nversions: {v1: {storage: true}}\n"
META = {
    "meta/group.yaml": "group: meta.k8s.io\nversions: {v1: {}}\n",
    "meta/v1.yaml": "types: {ListMeta: {fields: {}}, ObjectMeta: {fields: {name: {type: string, omitEmpty: true}}}}\n",
}


def write_specs(folder: Path, files: dict[str, str]) -> None:
    """Write specs below a folder; `v1.yaml` and `group.yaml` without folder are those of things.example.com."""
    for name, text in {"group.yaml": GROUP, **files}.items():
        path = folder / (name if "/" in name or name == "features.yaml" else f"things.example.com/{name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")


def load_and_resolve(folder: Path) -> tuple[ApiSpec, Api, Report]:
    """What a spec folder says, with everything that is wrong with it."""
    report = Report()
    spec = load_api(folder, report, display_root=folder)
    return spec, resolve(spec, report), report


def resolved(folder: Path, files: dict[str, str]) -> Api:
    """The IR of specs that must be without errors."""
    write_specs(folder, files)
    _, api, report = load_and_resolve(folder)
    assert [f"{d.place}: {d.message}" for d in report.diagnostics] == []
    return api


def struct(api: Api, name: str, version: str = "v1") -> Struct:
    """A struct of things.example.com."""
    return api.struct(TypeId("things.example.com", version, name))
