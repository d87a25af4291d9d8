"""Whatever is chosen of an API: the output is whole, and does to the chosen kinds what the output of all does."""

from __future__ import annotations

import importlib
import json
import sys
import tempfile
import typing
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from apigen.codegen.pipeline import Sources, check, generate
from apigen.diagnostics import Report
from apigen.diagnostics.printers.text import render
from tests.selection.randomized_apis import Randomized, randomized_apis

JSON, PROTOBUF = "application/json", "application/vnd.kubernetes.protobuf"
BACKENDS = ("types", "json", "protobuf", "copying", "defaults", "conversions", "strategies", "validation")


@contextmanager
def compiled(specs: Path, name: str, kinds: tuple[str, ...] | None) -> Iterator[str]:
    """A package of that name, importable while the context lasts."""
    report = Report()
    checked = check(Sources(specs, None, specs, kinds=kinds), report)
    assert checked.backend_input is not None, render([d for d in report.diagnostics if d.severity == "error"])
    with tempfile.TemporaryDirectory() as folder:
        for file in generate(checked.backend_input, backends=BACKENDS):
            path = Path(folder) / name / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)
        sys.path.insert(0, folder)
        importlib.invalidate_caches()
        try:
            yield name
        finally:
            sys.path.remove(folder)
            for module in [module for module in sys.modules if module.partition(".")[0] == name]:
                del sys.modules[module]


def modules(package: str) -> list[ModuleType]:
    """All modules of a package, imported."""
    folder = Path(str(importlib.import_module(package).__file__)).parent
    names = [path.relative_to(folder).with_suffix("").parts for path in sorted(folder.rglob("*.py"))]
    return [importlib.import_module(".".join([package, *parts]).removesuffix(".__init__")) for parts in names]


def document(draw: st.DrawFn, cls: Any, depth: int = 2) -> dict[str, Any]:
    """An object of a class, as JSON, with a member for some of its fields."""
    found: dict[str, Any] = {}
    module = sys.modules[cls.__module__]
    for field, hint in typing.get_type_hints(cls, vars(module)).items():
        name = {"api_version": "apiVersion"}.get(field, field)
        if name in ("apiVersion", "kind", "metadata") or not draw(st.booleans()):
            continue
        value = value_of(draw, [a for a in typing.get_args(hint) if a is not type(None)] or [hint], depth)
        if value is not None:
            found[name] = value
    return found


def value_of(draw: st.DrawFn, types: list[Any], depth: int) -> Any:
    plain = {str: st.sampled_from(["", "x", "é"]), int: st.integers(-5, 5), bool: st.booleans()}
    type_ = types[0]
    if type_ in plain:
        return draw(plain[type_])
    if typing.get_origin(type_) is list:
        items = typing.get_args(type_)
        return [value_of(draw, list(items), depth - 1) for _ in range(draw(st.integers(0, 2)))] if depth else []
    if type_.__name__ == "Quantity":
        return draw(st.sampled_from(["1", "100m"]))
    if type_.__name__ == "Time":
        return "2020-01-02T03:04:05Z"
    return document(draw, type_, depth - 1) if is_dataclass(type_) else None


def outcomes(package: str, kind: str, text: str, targets: tuple[str, ...]) -> list[object]:
    """What a package makes of a document: in JSON and protobuf, defaulted, as each version, and by its strategy."""
    scheme = importlib.import_module(f"{package}.scheme")
    obj = scheme.decode(text, default=False, unknown="error")
    found: list[object] = [scheme.encode(obj, JSON), scheme.encode(obj, PROTOBUF)]
    found.append(scheme.encode(scheme.decode(text), JSON))
    found += [scheme.encode(scheme.convert(obj, version), JSON) for version in targets]
    hub = scheme.convert(obj, "hub")
    features = scheme.features(release="1.1")
    strategy = scheme.strategy(kind)
    dropped = strategy.prepare_for_create(hub, features=features)
    found += [list(map(str, dropped)), list(map(str, strategy.validate(hub, features=features)))]
    found.append(scheme.encode(scheme.convert(hub, obj.api_version), JSON))
    return found


@pytest.mark.slow(one_in=16)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(api=randomized_apis(), data=st.data())
def test_selected_package_behaves_as_the_full_package(api: Randomized, data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        specs = api.write(Path(folder))
        with (
            compiled(specs, "randomized_all", None) as everything,
            compiled(specs, "randomized_part", api.chosen) as part,
        ):
            for module in modules(part):
                if ".runtime" in module.__name__:
                    continue  # it is copied as it is, whatever is chosen, and knows `typing` for type checkers alone
                for value in list(vars(module).values()):
                    if isinstance(value, type) and is_dataclass(value) and value.__module__ == module.__name__:
                        typing.get_type_hints(value)  # NameError: something that is not there
            compare(everything, part, api, data)


def compare(everything: str, part: str, api: Randomized, data: st.DataObject) -> None:
    all_kinds, scheme = importlib.import_module(f"{everything}.scheme"), importlib.import_module(f"{part}.scheme")
    assert sorted(full_names(scheme)) == sorted(api.chosen)
    for kind, name in full_names(scheme).items():
        whole_name = next(n for k, n in full_names(all_kinds).items() if k == kind)
        versions = scheme.versions(name)
        assert versions == all_kinds.versions(whole_name)
        for version in versions:
            group, _, number = version.partition("/")
            types = importlib.import_module(f"{part}.{group.replace('.', '_')}.{number}.types")
            cls = getattr(types, kind.partition(".")[0])
            drawn = data.draw(st.composite(lambda draw, cls=cls: document(draw, cls))())
            text = json.dumps({"apiVersion": version, "kind": cls.__name__, **drawn})
            targets = versions if converts(scheme, name) else ()
            assert outcomes(part, name, text, targets) == outcomes(everything, whole_name, text, targets)


def full_names(scheme: Any) -> dict[str, str]:
    """The kinds of a scheme: their names with the group, and as the scheme has them."""
    return {f"{name.partition('.')[0]}.{scheme.versions(name)[0].partition('/')[0]}": name for name in scheme.kinds()}


def converts(scheme: Any, kind: str) -> bool:
    """Whether the kind's versions have a hub."""
    return scheme.storage_version(kind) is not None
