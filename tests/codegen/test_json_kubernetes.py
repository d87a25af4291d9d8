"""The JSON functions generated from the specs of Kubernetes against what Kubernetes itself reads and writes."""

from __future__ import annotations

import gzip
import json
import typing
from collections.abc import Iterator
from pathlib import Path

import pytest

from apigen.codegen.backend_input import BackendInput
from apigen.hub.steps import HubModel
from apigen.ir.names import snake_case
from apigen.runtime import UnknownMembers
from tests.codegen.generated_packages import Package, generate_package
from tests.this_project import backend_input

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests/data/kubernetes"
FIXTURES = sorted((DATA / "fixtures").glob("*/*.json"))
FORMS = ("json", "jsonAfter", "yamlAfter", "protoAfter")


@pytest.fixture(scope="module")
def kubernetes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Package]:
    folder = tmp_path_factory.mktemp("kubernetes")
    api = backend_input().api
    package = generate_package(BackendInput(api, HubModel(), api.types), folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield package


def codec(package: Package, api_version: str) -> typing.Any:
    group, _, version = api_version.rpartition("/")
    return package.module(f"{(group or 'core').replace('.', '_')}/{version}/json_codec")


def read(package: Package, text: str, kind: str, api_version: str, strangers: list[str] | None = None) -> typing.Any:
    module = codec(package, api_version)
    tree = package.module("runtime/json_reader").parse_json(text, module.RAW_NAMES[kind])
    unknown = None if strangers is None else UnknownMembers()
    obj = getattr(module, f"decode_{snake_case(kind)}")(tree, "", unknown)
    if strangers is not None and unknown is not None:
        strangers += unknown.paths(tree)
    return obj


def write(package: Package, obj: typing.Any, kind: str, api_version: str, indent: int | None = None) -> str:
    tree = getattr(codec(package, api_version), f"encode_{snake_case(kind)}")(obj)
    return str(package.module("runtime/json_writer").json_text(tree, indent, floats_encoded=True))


@pytest.mark.parametrize("file", FIXTURES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_fixtures_round_trip_byte_for_byte(kubernetes: Package, file: Path) -> None:
    text = json.dumps(json.loads(file.read_bytes()), separators=(",", ":"), ensure_ascii=False)  # raw JSON keeps spaces
    meta = json.loads(text)
    unknown: list[str] = []
    obj = read(kubernetes, text, meta["kind"], meta["apiVersion"], unknown)
    assert write(kubernetes, obj, meta["kind"], meta["apiVersion"], indent=2) == file.read_text(encoding="utf-8")
    assert not unknown


def codec_records(package: Package) -> Iterator[dict[str, str]]:
    """The texts of each record of a kind that the specs have, by form; and its kind and version."""
    parse = package.module("runtime/json_reader").parse_json
    for file in sorted((DATA / "vectors/codec").glob("*.jsonl.gz")):
        for line in gzip.decompress(file.read_bytes()).splitlines():
            record = parse(line, frozenset(FORMS))
            if "kind" not in record:
                continue
            meta = {"kind": record["kind"], "apiVersion": record["json"]["apiVersion"]}
            if has_kind(package, **meta):
                yield meta | {form: record[form].raw.decode() for form in FORMS if record.get(form)}


def has_kind(package: Package, kind: str, apiVersion: str) -> bool:  # noqa: N803
    try:
        return kind in codec(package, apiVersion).RAW_NAMES
    except ModuleNotFoundError:
        return False


def test_objects_are_encoded_as_by_kubernetes(kubernetes: Package) -> None:
    count = 0
    for record in codec_records(kubernetes):
        kind, api_version = record.pop("kind"), record.pop("apiVersion")
        for form, text in record.items():
            obj = read(kubernetes, text, kind, api_version)
            expected = record.get("jsonAfter", text) if form == "json" else text
            assert write(kubernetes, obj, kind, api_version) == expected
        count += 1
    assert count == 300


def odd_documents() -> Iterator[dict[str, typing.Any]]:
    """Documents whose kind and version are plain to see and known, as Kubernetes reads them."""
    for line in gzip.decompress((DATA / "vectors/codec/decoding.jsonl.gz").read_bytes()).splitlines():
        record = json.loads(line)
        if record["format"] == "json" and '"apiVersion":"v1","kind":"ConfigMap"' in record["in"]:
            yield record


@pytest.mark.parametrize("record", list(odd_documents()), ids=lambda record: str(record["in"])[36:])
def test_unusual_documents_are_decoded_as_by_kubernetes(kubernetes: Package, record: dict[str, typing.Any]) -> None:
    unknown: list[str] = []
    if record["error"]:
        with pytest.raises(ValueError):
            read(kubernetes, record["in"], "ConfigMap", "v1")
        return
    obj = read(kubernetes, record["in"], "ConfigMap", "v1", unknown)
    assert write(kubernetes, obj, "ConfigMap", "v1") == record["out"]
    strict = [text for text in record["strict"] if text.startswith("unknown")]
    assert [f'unknown field "{path}"' for path in unknown] == strict
