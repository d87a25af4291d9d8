"""A kind that has another name in the newer version: both kinds have one hub type, one strategy and one hub list."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from apigen.codegen.pipeline import Sources, check, generate
from apigen.diagnostics import Report
from tests.generating import write_package

GROUP = """
group: things.example.com
versions: {{v1beta1: {{}}, v1: {{storage: true}}}}
hub: v1
kinds:
  Widget: {{scope: Namespaced, subresources: {{status: {{}}}}{hub}}}
  Gadget: {{scope: Namespaced, subresources: {{status: {{}}}}}}
"""
TYPES = """
types:
  {kind}:
    {hub}
    fields:
      metadata: {{type: meta/v1.ObjectMeta, required: false}}
      {size}: {{type: int32, omitEmpty: true{lens}}}
"""


@pytest.mark.parametrize(("of_kind", "of_type"), [(", hub: Gadget", ""), ("", "hub: Gadget")], ids=["kind", "type"])
def test_objects_and_lists_of_renamed_kind_are_converted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, of_kind: str, of_type: str
) -> None:
    folder = tmp_path / "specs" / "things.example.com"
    folder.mkdir(parents=True)
    (folder / "group.yaml").write_text(GROUP.format(hub=of_kind))
    widget = TYPES.format(kind="Widget", hub=of_type, size="width", lens=", hub: size")
    (folder / "v1beta1.yaml").write_text(widget)
    (folder / "v1.yaml").write_text(TYPES.format(kind="Gadget", hub="", size="size", lens=""))

    backend_input = check(Sources(tmp_path / "specs", None, tmp_path), Report()).backend_input
    assert backend_input is not None
    paths = [file.path for file in generate(backend_input)]
    assert len(paths) == len(set(paths))

    monkeypatch.syspath_prepend(tmp_path)
    scheme = importlib.import_module(f"{write_package(backend_input, tmp_path)}.scheme")
    widgets = {"apiVersion": "things.example.com/v1beta1", "kind": "WidgetList", "items": [{"width": 3}]}
    gadgets = scheme.to_dict(scheme.convert(scheme.from_dict(widgets), "things.example.com/v1"))
    assert (gadgets["kind"], gadgets["items"]) == ("GadgetList", [{"metadata": {}, "size": 3}])
    back = scheme.to_dict(scheme.convert(scheme.from_dict(gadgets), "things.example.com/v1beta1"))
    assert (back["kind"], back["items"]) == ("WidgetList", [{"metadata": {}, "width": 3}])
    assert scheme.strategy("Widget") is scheme.strategy("Gadget")
