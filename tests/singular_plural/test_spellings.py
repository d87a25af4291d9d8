"""How singular and plural may be called, and where conversion alone decides."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.generating import generate_package

GROUP = """
group: things.example.com
versions: {v1: {storage: true}, v2: {}}
hub: v2
kinds: {Frobber: {scope: Namespaced, plural: frobbers}}
"""
V2 = """types:
  Frobber:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
      names: {type: "[]Item", omitEmpty: true, protobuf: 2, listType: atomic}
  Item:
    fields:
      title: {type: string, omitEmpty: true, protobuf: 1}
      more: {type: int32, required: false, protobuf: 2}
"""
V1 = """types:
  Frobber:
    fields:
      metadata: {{type: meta/v1.ObjectMeta, required: false, protobuf: 1}}
      param: {{type: string, omitEmpty: true, protobuf: 2, hub: {lens}}}
      params: {{type: "[]Item", omitEmpty: true, protobuf: 3, listType: atomic, hub: names}}
  Item:
    fields:
      text: {{type: string, omitEmpty: true, protobuf: 1, hub: title}}
      more: {{type: int32, required: false, protobuf: 2}}
"""
OTHER_NAMES = '"names[0].title"'


def scheme_of(folder: Path, lens: str) -> Any:
    specs = folder / "specs" / "things.example.com"
    specs.mkdir(parents=True)
    (specs / "group.yaml").write_text(GROUP)
    (specs / "v1.yaml").write_text(V1.format(lens=lens))
    (specs / "v2.yaml").write_text(V2)
    sys.path.insert(0, str(folder))
    return importlib.import_module(f"{generate_package(specs.parent, folder)}.scheme")


def frobber(scheme: Any, **fields: Any) -> Any:
    return scheme.decode(json.dumps({"apiVersion": "things.example.com/v1", "kind": "Frobber", **fields}))


def titles(hub: Any) -> list[tuple[str, int]]:
    return [(item.title, item.more) for item in hub.names or ()]


def test_plural_name_can_differ_from_the_hub(tmp_path: Path) -> None:
    """Its elements too. Conversion keeps all of it, and requests are made to agree."""
    scheme = scheme_of(tmp_path, OTHER_NAMES)
    both = frobber(scheme, param="a", params=[{"text": "a", "more": 1}, {"text": "b", "more": 2}])
    hub = scheme.convert(both, "hub")
    assert titles(hub) == [("a", 1), ("b", 2)]
    assert scheme.convert(hub, "things.example.com/v1") == both
    strategy = scheme.strategy("Frobber")
    read = [strategy.from_request(frobber(scheme, param=param), hub) for param in ("a", "c")]
    assert [(titles(found), errors) for found, errors in read] == [([("a", 1), ("b", 2)], []), ([("c", 0)], [])]
    _, errors = strategy.from_request(frobber(scheme, param="a", params=[{"text": "b"}]), hub)
    assert [str(error) for error in errors] == ['params: Invalid value: "b": first value must match `param`']


@pytest.mark.parametrize(("wins", "expected"), [("singular", [("a", 0)]), ("plural", [("b", 1)])])
def test_conversion_decides_precedence_of_singular_and_plural(
    tmp_path: Path, wins: str, expected: list[tuple[str, int]]
) -> None:
    """As Kubernetes does with podIP and podIPs, of which the singular wins."""
    scheme = scheme_of(tmp_path, f'{{to: "names[0].title", wins: {wins}}}')
    old = scheme.convert(frobber(scheme, param="x", params=[{"text": "x"}, {"text": "y"}]), "hub")
    request = frobber(scheme, param="a", params=[{"text": "b", "more": 1}])
    hub, errors = scheme.strategy("Frobber").from_request(request, old)
    assert (titles(hub), errors) == (expected, [])
    assert hub == scheme.convert(request, "hub")
    hub, errors = scheme.strategy("Frobber").from_request(frobber(scheme, param="x"), old)
    assert (titles(hub), errors) == ([("x", 0)], [])


def test_struct_without_the_field_is_rejected(tmp_path: Path) -> None:
    from apigen.codegen.pipeline import Sources, check
    from apigen.diagnostics import Report

    specs = tmp_path / "specs" / "things.example.com"
    specs.mkdir(parents=True)
    (specs / "group.yaml").write_text(GROUP)
    (specs / "v1.yaml").write_text(V1.format(lens='"names[0].title"').replace("hub: title", "hub: {drop: gone}"))
    (specs / "v2.yaml").write_text(V2)
    report = Report()
    check(Sources(specs.parent, None, specs.parent), report)
    found = [d.message for d in report.diagnostics if d.code == "AG0602"]
    assert found == ["no field of the elements of `params` is `names.title` in the hub"]
