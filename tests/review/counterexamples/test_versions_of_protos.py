"""Messages of several versions of a package, each of which is compiled alone if they cannot be compiled together."""

from __future__ import annotations

from pathlib import Path

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.ir.surface import TypeName
from apigen.review.counterexamples.holders import with_holders
from apigen.review.counterexamples.specs_of_types import specs_of_types
from apigen.review.sources.loading import load


def test_only_the_version_that_is_tried_is_converted(tmp_path: Path) -> None:
    for version in ("v1", "v2"):
        text = f'syntax = "proto3";\npackage shop.{version};\nmessage Order {{ string name = 1; }}\n'
        (tmp_path / f"{version}.proto").write_text(text, encoding="utf-8")
    surface = load(".", Setting(tmp_path), Report())
    assert surface is not None
    held = with_holders(surface, [TypeName("shop", version, "Order") for version in ("v1", "v2")])
    group = held.groups["shop"]
    for only, expected in (("", ["v1", "v2"]), ("v2", ["v2"])):
        [spec] = specs_of_types(held, group, ["OrderHolder"], only).groups
        assert [file.name for file in spec.version_files] == expected
        assert [header.name for header in spec.versions] == expected
