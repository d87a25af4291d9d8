"""Packages made from hostile specs, used with the extension and without it: the same objects, bytes and error texts.

Python handles the classes with names that the extension does not support. Values of all kinds are generated, encoded,
bent, decoded, copied and converted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module, invalidate_caches
from pathlib import Path
from random import Random
from typing import Any

import pytest

from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report
from generated.runtime.wire import wrap
from tests.generating import generate_package, write_package
from tests.hostile.hostile_specs import LITERALS, write_specs
from tests.hostile.test_hostile_specs import TEXT_LIKE
from tests.native.both import outcome
from tests.native.kinds import JSON, PROTOBUF, layouts_of, native_of, scheme_of
from tests.native.sanitized.making import bent, randomized, spoil

YAML = "application/yaml"
MEDIA = (JSON, YAML, PROTOBUF)
NAMES = ["a&b", 'a"b', "a<b", "a>b", "a\\b", "a/b", "a b", "é", "\u2028", "a\x7fb", "a%sb", "{a}", "😀", "x" * 300]
PLACES = {"json name": NAMES, "list map key": NAMES[:5], "enum value": NAMES[:5]}


class Both:
    """The scheme of a generated package, with the extension and without it."""

    def __init__(self, package: str) -> None:
        module: Any = import_module(f"{package}.scheme")
        self.package = package
        self.entries: tuple[Any, ...] = module._VERSIONS
        self.layouts = layouts_of(package, (*module._VERSIONS, *module._HUBS))
        self.native, self.pure = scheme_of(package, native_of(package)), scheme_of(package, None)

    def agree(self, verb: str, *arguments: Any, **more: Any) -> Any:
        """What both return; fails where they differ, be it in the text of an error."""
        found, wanted = (outcome(getattr(made, verb), *arguments, **more) for made in (self.native, self.pure))
        assert found == wanted, (verb, arguments)
        return wanted[1]

    def check(self, entry: Any, random: Random) -> None:
        """All calls with a random object of a kind, with wrong values in it, and with mutated documents."""
        cls = getattr(import_module(f"{self.package}.{entry.package}.types"), entry.kind)
        obj = randomized(self.layouts, cls, random)
        if entry.type_meta:
            obj.api_version, obj.kind = entry.api_version, entry.kind
        self.use(entry, obj)
        for media in MEDIA:
            data = self.agree("encode", obj, media)
            self.agree("decode", data, media)
            for _ in range(6):
                self.agree("decode", bent(data, random), media)
        spoil(self.layouts, obj, random)
        self.use(entry, obj)

    def use(self, entry: Any, obj: Any) -> None:
        for media in MEDIA:
            self.agree("encode", obj, media)
        self.agree("copy", obj)
        for to in ("hub", *(other.api_version for other in self.entries if other.hub == entry.hub)):
            self.agree("convert", obj, to)
            self.agree("convert", obj, to, share=True)


@contextmanager
def compiled(folder: Path, changes: dict[str, str]) -> Iterator[Both | None]:
    """The package of the hostile specs with other texts at some places; None where these are rejected."""
    try:
        write_specs(folder / "specs", changes)
    except (OSError, ValueError):
        yield None
        return
    report = Report()
    backend_input = check(Sources(folder / "specs", None, folder / "specs"), report).backend_input
    if backend_input is None or report.has_errors:
        yield None
        return
    package = write_package(backend_input, folder)
    sys.path.insert(0, str(folder))
    invalidate_caches()
    try:
        yield Both(package)
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.partition(".")[0] == package]:
            del sys.modules[name]


def check_package(folder: Path, changes: dict[str, str], *, rounds: int) -> bool:
    """Whether the specs are accepted; the package of those that are is used."""
    with compiled(folder, changes) as both:
        for number in range(rounds if both is not None else 0):
            assert both is not None
            for entry in both.entries:
                both.check(entry, Random(number))
        return both is not None


@pytest.mark.slow(one_in=16)
def test_every_hostile_string_in_free_text_fields(tmp_path: Path) -> None:
    for number, text in enumerate(text for text in TEXT_LIKE if text.strip()):
        assert check_package(tmp_path / str(number), dict.fromkeys(LITERALS, text), rounds=2)


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_every_name(place: str, tmp_path: Path) -> None:
    texts = PLACES[place]
    accepted = [text for i, text in enumerate(texts) if check_package(tmp_path / str(i), {place: text}, rounds=2)]
    assert "a&b" in accepted


ODD_SPECS = {
    "specs/odd.example.com/group.yaml": """
        group: odd.example.com
        versions: {v1beta1: {}, v1: {storage: true}}
        hub: v1
        kinds:
          Odd: {scope: Namespaced, plural: odds, list: false}
          Holder: {scope: Namespaced, plural: holders, list: false}
          Plain: {scope: Namespaced, plural: plains, list: false}
        """,
    "specs/odd.example.com/v1.yaml": """
        types:
          Odd:
            fields:
              "NAME": {type: string, omitEmpty: true}
              count: {type: int32, omitEmpty: true}
          Holder:
            fields:
              one: {type: Inner, optional: true}
              many: {type: "[]Inner", omitEmpty: true}
              named: {type: "map[string]Inner", omitEmpty: true}
              plain: {type: Part, optional: true}
          Inner:
            fields:
              "NAME": {type: int32, omitEmpty: true}
          Plain:
            fields:
              part: {type: Part, required: false}
              parts: {type: "[]Part", omitEmpty: true}
          Part:
            fields:
              text: {type: string, omitEmpty: true}
        """,
}
ODD_SPECS["specs/odd.example.com/v1beta1.yaml"] = ODD_SPECS["specs/odd.example.com/v1.yaml"]


@contextmanager
def odd_package(folder: Path, specs: dict[str, str]) -> Iterator[Both]:
    """The package of valid specs."""
    for path, text in specs.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    package = generate_package(folder / "specs", folder)
    sys.path.insert(0, str(folder))
    invalidate_caches()
    try:
        yield Both(package)
    finally:
        sys.path.remove(str(folder))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a&b", "a<b", "a>b", 'a\\"b', "a\\\\b", 'a\\\\\\"b'])
def test_class_without_layout_is_handled_by_python(name: str, tmp_path: Path) -> None:
    """Python handles the types that contain it, the extension all others."""
    with odd_package(tmp_path, {path: text.replace("NAME", name) for path, text in ODD_SPECS.items()}) as both:
        for seed in range(20):
            for entry in both.entries:
                both.check(entry, Random(seed))
        codec = vars(both.native)["_native"]
        by_extension = set()
        for kind in ("Odd", "Holder", "Plain"):
            document = f'{{"apiVersion":"odd.example.com/v1","kind":"{kind}"}}'.encode()
            found = codec.decode(document, JSON, None)
            if found is not None and codec.copy(found) is not None:
                by_extension.add(kind)
                assert codec.convert(both.pure.convert(found, "odd.example.com/v1beta1"), "hub", False) is not None
        assert by_extension == {"Plain"}


NESTED_SPECS = {
    "specs/odd.example.com/group.yaml": """
        group: odd.example.com
        versions: {v1: {storage: true}}
        protobuf: none
        kinds: {Odd: {scope: Namespaced, plural: odds}}
        """,
    "specs/odd.example.com/v1.yaml": """
        types:
          Odd:
            fields:
              rows: {type: "[][]string", optional: true}
              parts: {type: "map[string][]map[string]Part", omitEmpty: true}
          Part:
            fields:
              kind: {type: string}
              apiVersion: {type: string}
              more: {type: "[][]Part", optional: true}
        """,
}


def test_group_without_protobuf(tmp_path: Path) -> None:
    """Its lists and maps may nest, and neither form has a protobuf codec for it."""
    with odd_package(tmp_path, NESTED_SPECS) as both:
        cls = import_module(f"{both.package}.odd_example_com.v1").Odd
        for seed in range(20):
            obj = randomized(both.layouts, cls, Random(seed))
            obj.api_version, obj.kind = "odd.example.com/v1", "Odd"
            for media in (JSON, YAML):
                both.agree("decode", both.agree("encode", obj, media), media)
            both.agree("copy", obj)
            assert both.agree("encode", obj, PROTOBUF) is None
        both.agree("decode", wrap("odd.example.com/v1", "Odd", b""), PROTOBUF)
