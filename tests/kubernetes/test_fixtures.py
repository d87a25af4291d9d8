"""What servers and clients of Kubernetes 1.33 to 1.36 wrote: read, and written back byte for byte."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.kubernetes.compiling import Package
from tests.kubernetes.records import DATA

MEDIA_TYPES = {
    ".json": "application/json",
    ".yaml": "application/yaml",
    ".pb": "application/vnd.kubernetes.protobuf",
}
FILES = sorted((DATA / "fixtures").glob("*/*.*"))
OBJECTS = [file for file in FILES if file.suffix == ".json"]


def name(file: Path) -> str:
    return f"{file.parent.name} {file.stem}"


def decoded(package: Package, file: Path) -> object:
    """JSON is made compact first, as Kubernetes' own test does: raw JSON within it would keep its indentation."""
    data = file.read_bytes()
    if file.suffix == ".json":
        data = json.dumps(json.loads(data), separators=(",", ":"), ensure_ascii=False).encode()
    obj: object = package.scheme.decode(data, MEDIA_TYPES[file.suffix], default=False)
    return obj


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{name(file)}{file.suffix}")
def test_fixture_round_trips(package: Package, file: Path) -> None:
    indent = 2 if file.suffix == ".json" else None
    written = package.scheme.encode(decoded(package, file), MEDIA_TYPES[file.suffix], indent=indent)
    assert written == file.read_bytes()


@pytest.mark.parametrize("file", OBJECTS, ids=name)
def test_three_formats_decode_to_one_object(package: Package, file: Path) -> None:
    objects = [decoded(package, file.with_suffix(suffix)) for suffix in MEDIA_TYPES]
    assert package.scheme.equal(objects[0], objects[1])
    assert package.scheme.equal(objects[0], objects[2])


@pytest.mark.parametrize("file", OBJECTS, ids=name)
def test_fixtures_have_no_unknown_fields(package: Package, file: Path) -> None:
    package.scheme.decode(file.read_bytes(), "application/json", default=False, unknown="error")
    package.scheme.decode(file.with_suffix(".yaml").read_bytes(), "application/yaml", default=False, unknown="error")


def test_fixtures_cover_all_kinds(package: Package) -> None:
    """Every kind of the specs in every version, but for the group extensions, which has no fixtures."""
    assert Counter(file.parent.name for file in FILES) == {f"v1.{release}.0": 54 for release in range(33, 37)}
    scheme = package.scheme
    of_specs = {
        f"{group or 'core'}.{version}.{kind.partition('.')[0]}"
        for kind in scheme.kinds()
        for group, _, version in (api_version.rpartition("/") for api_version in scheme.versions(kind))
        if group not in ("extensions", "things.example.com")
    }
    for release in range(33, 37):
        assert {file.stem for file in OBJECTS if file.parent.name == f"v1.{release}.0"} == of_specs
