from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.generating import generate_package

GROUP = """
group: shop.example.com
versions:
  v1beta1: {introduced: "1.0"}
  v1: {introduced: "1.0", storage: true}
hub: v1
kinds:
  Order: {scope: Namespaced, plural: orders}
"""
VERSION = """
types:
  Order:
    doc: An order of a customer.
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false}
      spec: {type: OrderSpec, doc: What was ordered.}
  OrderSpec:
    fields:
      orderNumber: {type: string, minLength: 1}
      shipBy: {type: Time, optional: true}
      paidAt: {type: Time, required: false}
      totalPrice: {type: Quantity}
      share: {type: float64, omitEmpty: true, exclusiveMinimum: 0, maximum: 1}
      retryAfter: {type: Duration, default: 1h}
      port: {type: IntOrString, omitEmpty: true}
      colorCode: {type: Color, omitEmpty: true}
      orderLines: {type: "[]OrderLine", optional: true, listType: atomic}
      byName: {type: "map[string]OrderLine", omitEmpty: true}
      note: {type: "[]string", nullable: true, listType: atomic}
      payLoad: {type: RawExtension, optional: true}
      image: {type: bytes, omitEmpty: true}
  OrderLine:
    fields:
      stockCode: {type: string}
      subLines: {type: "[]OrderLine", omitEmpty: true, listType: atomic}
  Color: {enum: {Red: {}, Blue: {}}}
"""
SPEC: dict[str, Any] = {
    "orderNumber": "7",
    "shipBy": "2024-01-02T03:04:05Z",
    "paidAt": None,
    "totalPrice": "12500m",
    "share": 0.5,
    "retryAfter": "1h0m0s",
    "port": "http",
    "colorCode": "Red",
    "orderLines": [{"stockCode": "a", "subLines": [{"stockCode": "b"}]}],
    "byName": {"a.b": {"stockCode": "c"}},
    "note": None,
    "payLoad": {"anyThing": [1, {"x": None}]},
    "image": "AAE=",
}


@dataclass(frozen=True)
class Shop:
    """A generated package with the group above, in two versions of the same shape."""

    name: str
    folder: Path

    def module(self, path: str) -> Any:
        return importlib.import_module(f"{self.name}.{path}")

    @property
    def v1(self) -> Any:
        return self.module("shop_example_com.v1.types")

    @property
    def v1beta1(self) -> Any:
        return self.module("shop_example_com.v1beta1.types")

    @property
    def hub(self) -> Any:
        return self.module("shop_example_com.hub.types")

    @property
    def scheme(self) -> Any:
        return self.module("scheme")

    @property
    def published(self) -> dict[str, Any]:
        """The published schemas of v1, by the last part of their names."""
        text = (self.folder / self.name / "shop_example_com" / "v1" / "schema.json").read_text()
        schemas = json.loads(text)["components"]["schemas"]
        return {name.rpartition(".")[2]: schema for name, schema in schemas.items()}

    def document(self, version: str = "v1", **changes: Any) -> dict[str, Any]:
        spec = {**SPEC, **changes}
        api_version = f"shop.example.com/{version}"
        return {"kind": "Order", "apiVersion": api_version, "metadata": {"name": "first"}, "spec": spec}

    def order(self, **changes: Any) -> Any:
        return self.scheme.decode(json.dumps(self.document(**changes), separators=(",", ":")))


@pytest.fixture(scope="package")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    folder = tmp_path_factory.mktemp("shop")
    specs = folder / "specs" / "shop.example.com"
    specs.mkdir(parents=True)
    (specs / "group.yaml").write_text(GROUP)
    for version in ("v1beta1", "v1"):
        (specs / f"{version}.yaml").write_text(VERSION)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.syspath_prepend(folder)
        yield Shop(generate_package(specs.parent, folder), folder)
