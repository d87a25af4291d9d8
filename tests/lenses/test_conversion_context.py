"""`byHand` with `context: true`: hand-written functions get the context that callers pass to `convert`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report
from tests.generating import generate_package

GROUP = """\
group: context.example.com
versions: {v1beta1: {}, v1: {storage: true}}
hub: v1
kinds: {Thing: {scope: Namespaced, plural: things, list: false}}
"""
V1 = """\
types:
  Thing:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false}
      size: {type: int32, omitEmpty: true}
      spec: {type: Spec, required: false}
  Spec: {fields: {team: {type: string, omitEmpty: true}}}
"""
V1BETA1 = """\
types:
  Thing:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false}
      count: {type: int32, omitEmpty: true, hub: size}
      spec: {type: Spec, required: false}
  Spec:
    hubOnly: {team: {byHand: {reason: the label of the namespace, context: true}}}
    fields: {}
"""
FUNCTIONS = """\
def thing_to_hub(source, generated, context):
    hub = generated(source)
    hub.spec.team = context.team_of(source.metadata.namespace)
    return hub
"""


class Cluster:
    """What the test's hook asks the cluster for."""

    def __init__(self, teams: dict[str, str]) -> None:
        self.teams = teams

    def team_of(self, namespace: str) -> str:
        return self.teams[namespace]


def write(folder: Path, functions: str) -> tuple[Path, Path]:
    specs, written = folder / "specs", folder / "handwritten_context"
    group, module = specs / "context.example.com", written / "context_example_com/v1beta1/conversions.py"
    for path, text in (
        (group / "group.yaml", GROUP),
        (group / "v1.yaml", V1),
        (group / "v1beta1.yaml", V1BETA1),
        (module, functions),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return specs, written


@pytest.fixture(scope="module")
def scheme(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("context")
    specs, functions = write(folder, FUNCTIONS)
    package = generate_package(specs, folder, functions)
    sys.path.insert(0, str(folder))
    yield importlib.import_module(f"{package}.scheme")
    sys.path.remove(str(folder))


def converted(scheme: Any, namespace: str, **options: object) -> Any:
    document = {
        "apiVersion": "context.example.com/v1beta1",
        "kind": "Thing",
        "metadata": {"namespace": namespace},
        "count": 2,
    }
    return scheme.convert(scheme.from_dict(document), "context.example.com/v1", **options)


def test_function_gets_the_context(scheme: Any) -> None:
    obj = converted(scheme, "a", context=Cluster({"a": "red"}), share=True)
    assert (obj.size, obj.spec.team) == (2, "red")


def test_class_as_target_passes_the_context(scheme: Any) -> None:
    obj = converted(scheme, "a", context=Cluster({"a": "red"}))
    beta = scheme.convert(obj, "context.example.com/v1beta1")
    assert scheme.convert(beta, type(obj), context=Cluster({"a": "blue"})).spec.team == "blue"


def test_conversion_without_context_is_an_error(scheme: Any) -> None:
    for _ in range(2):
        with pytest.raises(ValueError, match="thing_to_hub needs a context: pass `context` to `convert`"):
            converted(scheme, "a")
        converted(scheme, "a", context=Cluster({"a": "red"}))  # which no later call gets


def test_conversion_to_the_other_side_needs_no_context(scheme: Any) -> None:
    obj = converted(scheme, "a", context=Cluster({"a": "red"}))
    assert scheme.convert(obj, "context.example.com/v1beta1").count == 2


def test_threads_have_contexts_of_their_own(scheme: Any) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda i: converted(scheme, "a", context=Cluster({"a": str(i)})).spec.team, range(40))
        assert list(found) == [str(i) for i in range(40)]


def test_functions_without_the_declared_context_are_reported(tmp_path: Path) -> None:
    specs, written = write(tmp_path, FUNCTIONS.replace(", context)", ")").replace("context.team_of", "str"))
    report = Report()
    check(Sources(specs, written, specs), report)
    (error,) = [each for each in report.diagnostics if each.code == "AG0802"]
    assert "`Spec` declares a context for `team`, but `thing_to_hub` has no parameter `context`" in error.message
