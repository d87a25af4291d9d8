"""Requests about a field that became plural, through generated code: what they mean, and which are rejected."""

from __future__ import annotations

import copy
import importlib
import json
import shutil
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.generating import generate_package
from tests.proofs import run_pytest
from tests.type_checkers import mypy

SPECS = Path(__file__).parent / "specs"
Json = dict[str, Any]
V1, V1BETA1, V2 = (f"things.example.com/{version}" for version in ("v1", "v1beta1", "v2"))


class Package:
    def __init__(self, folder: Path) -> None:
        sys.path.insert(0, str(folder))
        self.folder = folder
        self.name = generate_package(SPECS, folder)
        self.scheme: Any = importlib.import_module(f"{self.name}.scheme")

    def decode(self, version: str, spec: Json, status: Json | None = None) -> Any:
        data = {
            "apiVersion": version,
            "kind": "Frobber",
            "metadata": {"name": "f"},
            "spec": spec,
            "status": status or {},
        }
        return self.scheme.decode(json.dumps(data))

    def stored(self, spec: Json, status: Json | None = None) -> Any:
        return self.scheme.convert(self.decode(V2, spec, status), "hub")

    def request(
        self, version: str, spec: Json, old: Any = None, *, status: Json | None = None, subresource: str = ""
    ) -> tuple[Any, list[str]]:
        obj = self.decode(version, spec, status)
        before = copy.deepcopy((obj, old))
        hub, errors = self.scheme.strategy("Frobber", subresource).from_request(obj, old)
        assert (obj, old) == before, "neither object is changed"
        return hub, [str(error) for error in errors]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return Package(tmp_path_factory.mktemp("singular"))


def spec_of(singular: str, plural: tuple[str, ...]) -> Json:
    return {**({"param": singular} if singular else {}), **({"params": list(plural)} if plural else {})}


EMPTY = "spec.params: Invalid value: {}: must be empty when `param` is not specified"
FIRST = "spec.params: Invalid value: {}: first value must match `param`"


def rejected(singular: str, plural: tuple[str, ...]) -> list[str]:
    if not plural or plural[0] == singular:
        return []
    return [(FIRST if singular else EMPTY).format(f'"{plural[0]}"')]


# --- the table of rule 20 ---------------------------------------------------------------------------------------------

CREATE = [
    ("", (), ()),
    ("a", (), ("a",)),
    ("a", ("a",), ("a",)),
    ("a", ("a", "b"), ("a", "b")),
    ("a", ("b",), None),
    ("a", ("b", "a"), None),
    ("", ("a",), None),
    ("", ("a", "b"), None),
]


@pytest.mark.parametrize(("singular", "plural", "expected"), CREATE)
def test_create(package: Package, singular: str, plural: tuple[str, ...], expected: tuple[str, ...] | None) -> None:
    hub, errors = package.request(V1, spec_of(singular, plural))
    assert bool(errors) == (expected is None)
    assert errors == rejected(singular, plural)
    if expected is not None:
        assert tuple(hub.spec.params or ()) == expected


UPDATE = [  # the old object has param a and params [a, b]
    ("singular as it was, plural as it was", "a", ("a", "b"), ("a", "b")),
    ("singular as it was, plural cleared", "a", (), ("a", "b")),
    ("singular as it was, plural changed, same first", "a", ("a", "c"), ("a", "c")),
    ("singular as it was, plural shortened", "a", ("a",), ("a",)),
    ("singular as it was, plural changed, other first", "a", ("c",), None),
    ("singular as it was, plural reordered", "a", ("b", "a"), None),
    ("singular cleared, plural as it was", "", ("a", "b"), ()),
    ("singular cleared, plural cleared", "", (), ()),
    ("singular cleared, plural changed", "", ("c",), None),
    ("singular cleared, plural shortened", "", ("a",), None),
    ("singular changed, plural as it was", "c", ("a", "b"), ("c",)),
    ("singular changed to the second, plural as it was", "b", ("a", "b"), ("b",)),
    ("singular changed, plural cleared", "c", (), ("c",)),
    ("singular changed, plural changed, same first", "c", ("c", "d"), ("c", "d")),
    ("singular changed, plural reordered to match", "b", ("b", "a"), ("b", "a")),
    ("singular changed, plural changed, other first", "c", ("d",), None),
    ("singular changed, plural changed to the old singular", "c", ("a",), None),
]


@pytest.mark.parametrize(
    ("singular", "plural", "expected"), [row[1:] for row in UPDATE], ids=[row[0] for row in UPDATE]
)
def test_update(package: Package, singular: str, plural: tuple[str, ...], expected: tuple[str, ...] | None) -> None:
    hub, errors = package.request(V1, spec_of(singular, plural), package.stored({"params": ["a", "b"]}))
    assert errors == ([] if expected is not None else rejected(singular, plural))
    assert bool(errors) == (expected is None)
    if expected is not None:
        assert tuple(hub.spec.params or ()) == expected


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({"height": 2}, ("a", "b")),
        ({"param": None}, ()),
        ({"param": "c"}, ("c",)),
        ({"params": None}, ("a", "b")),
        ({"param": None, "params": None}, ()),
        ({"params": ["a", "z"]}, ("a", "z")),
        ({"params": ["z"]}, None),
        ({"param": "c", "params": ["c", "d"]}, ("c", "d")),
        ({"param": None, "params": ["c"]}, None),
    ],
)
def test_patch(package: Package, patch: Json, expected: tuple[str, ...] | None) -> None:
    """A merge patch is applied to the stored object in the version of the request; that is the request then."""
    old = package.stored({"height": 1, "params": ["a", "b"]})
    current = json.loads(package.scheme.encode(package.scheme.convert(old, V1)))["spec"]
    assert current == {"height": 1, "param": "a", "params": ["a", "b"]}
    patched = {name: value for name, value in {**current, **patch}.items() if value is not None}
    hub, errors = package.request(V1, patched, old)
    assert bool(errors) == (expected is None)
    if expected is not None:
        assert tuple(hub.spec.params or ()) == expected


# --- the rules as code, over every combination ------------------------------------------------------------------------


def as_kubernetes(
    singular: str, plural: tuple[str, ...], old: tuple[str, tuple[str, ...]] | None
) -> tuple[str, ...] | None:
    """What a server of Kubernetes stores for a Service's clusterIP and clusterIPs; None: it rejects."""
    if old is None:
        plural = plural or ((singular,) if singular else ())
    elif singular == old[0]:
        plural = plural or old[1]
    elif plural == old[1]:
        plural = (singular,) if singular else ()
    if singular and not plural:
        return None
    return plural if not plural or plural[0] == singular else None


SINGULARS = ("", "a", "b", "c")
PLURALS = ((), ("a",), ("b",), ("a", "b"), ("b", "a"), ("a", "c"), ("c", "a", "b"), ("", "a"))
OLDS = (None, (), ("a",), ("a", "b"), ("c", "b", "a"))


def test_every_combination_matches_kubernetes(package: Package) -> None:
    """But for one, which Kubernetes rejects: an older client that changes the singular, and cannot send the plural."""
    count = other = 0
    for singular, plural, before in product(SINGULARS, PLURALS, OLDS):
        old = None if before is None else package.stored({"params": list(before)})
        hub, errors = package.request(V1, spec_of(singular, plural), old)
        found = None if errors else tuple(hub.spec.params or ())
        expected = as_kubernetes(singular, plural, None if before is None else (before[0] if before else "", before))
        count += 1
        if singular and not plural and before and singular != before[0]:
            assert (found, expected) == ((singular,), None)
            other += 1
        elif singular and not plural and before == ():
            assert (found, expected) == ((singular,), (singular,))  # the plural is as it was: empty
        else:
            assert found == expected, (singular, plural, before)
    assert (count, other) == (160, 6)


# --- older and newer clients ------------------------------------------------------------------------------------------


def test_older_client_updates_with_get_and_put(package: Package) -> None:
    """Its types have no plural, so it drops unknown fields and changes any of the others."""
    old = package.stored({"height": 1, "params": ["a", "b"], "ports": [{"name": "x", "hosts": ["h", "i"]}]})
    got = json.loads(package.scheme.encode(package.scheme.convert(old, V1)))["spec"]
    known = {"height": 2, "param": got["param"], "ports": [{"name": "x", "host": "h"}]}
    hub, errors = package.request(V1, known, old)
    assert errors == []
    assert (hub.spec.height, hub.spec.params, hub.spec.ports[0].hosts) == (2, ["a", "b"], ["h", "i"])
    hub, errors = package.request(V1, {**known, "param": "c"}, old)
    assert (errors, hub.spec.params) == ([], ["c"])


def test_newer_client_sends_singular_and_plural(package: Package) -> None:
    old = package.stored({"params": ["a", "b"]})
    hub, errors = package.request(V1, {"param": "c", "params": ["c", "d"]}, old)
    assert (errors, hub.spec.params) == ([], ["c", "d"])


def test_object_stored_before_the_plural_was_added(package: Package) -> None:
    stored = package.scheme.convert(package.decode(V1, {"param": "a"}), "hub")
    assert stored.spec.params == ["a"]
    hub, errors = package.request(V1, {"param": "a", "params": ["a", "b"]}, stored)
    assert (errors, hub.spec.params) == ([], ["a", "b"])


def test_repeated_put_changes_nothing(package: Package) -> None:
    old = package.stored({"params": ["a", "b"]})
    for singular, plural, _ in CREATE + [row[1:] for row in UPDATE]:
        hub, errors = package.request(V1, spec_of(singular, plural), old)
        if not errors:
            again, errors = package.request(
                V1, json.loads(package.scheme.encode(package.scheme.convert(hub, V1)))["spec"], hub
            )
            assert (again, errors) == (hub, [])


# --- versions with one of the two -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("param", "expected"),
    [("a", ["a", "b"]), ("c", ["c"]), ("b", ["b"]), ("", [])],
    ids=["as it was", "another", "second", "gone"],
)
def test_version_with_singular_only(package: Package, param: str, expected: list[str]) -> None:
    hub, errors = package.request(V1BETA1, {"param": param}, package.stored({"params": ["a", "b"]}))
    assert (errors, hub.spec.params or []) == ([], expected)
    created, errors = package.request(V1BETA1, {"param": param})
    assert (errors, created.spec.params or []) == ([], [param] if param else [])


def test_version_with_plural_only(package: Package) -> None:
    old = package.stored({"params": ["a", "b"]})
    for params in ([], ["c"], ["a"], ["b", "a"]):
        hub, errors = package.request(V2, {"params": params}, old)
        assert (errors, hub.spec.params or []) == ([], params)


# --- places -----------------------------------------------------------------------------------------------------------

HOSTS = {"hosts": ["h", "i"]}
NESTED = {
    "ports": [{"name": "x", **HOSTS}, {"name": "y", "hosts": ["j", "k"]}],
    "backup": {"name": "b", **HOSTS},
    "byZone": {"z": {"name": "z", **HOSTS}},
    "steps": [{"name": "s", **HOSTS}],
}


@pytest.mark.parametrize("version", [V1, V1BETA1])
def test_nested_fields_are_paired(package: Package, version: str) -> None:
    old = package.stored(NESTED)
    request = {
        "ports": [{"name": "y", "host": "j"}, {"name": "new", "host": "n"}, {"name": "x", "host": "other"}],
        "backup": {"name": "b", "host": "h"},
        "byZone": {"z": {"name": "z", "host": "h"}, "more": {"name": "m", "host": "m"}},
        "steps": [{"name": "changed", "host": "h"}],
    }
    hub, errors = package.request(version, request, old)
    assert errors == []
    assert [p.hosts for p in hub.spec.ports] == [["j", "k"], ["n"], ["other"]]
    assert hub.spec.backup.hosts == ["h", "i"]
    assert {key: port.hosts for key, port in hub.spec.by_zone.items()} == {"z": ["h", "i"], "more": ["m"]}
    assert [p.hosts for p in hub.spec.steps] == [["h", "i"]]


@pytest.mark.parametrize("version", [V1, V1BETA1])
def test_list_without_keys_is_paired_if_the_length_is_equal(package: Package, version: str) -> None:
    old = package.stored({"steps": [{"name": "s", **HOSTS}, {"name": "t", **HOSTS}]})
    hub, _ = package.request(version, {"steps": [{"name": "t", "host": "h"}]}, old)
    assert [p.hosts for p in hub.spec.steps] == [["h"]]


def test_added_and_removed_parents(package: Package) -> None:
    old = package.stored({"backup": {"name": "b", **HOSTS}})
    for version in (V1, V1BETA1):
        hub, errors = package.request(version, {}, old)
        assert (errors, hub.spec.backup) == ([], None)
        hub, errors = package.request(version, {"backup": {"name": "b", "host": "n"}}, package.stored({}))
        assert (errors, hub.spec.backup.hosts) == ([], ["n"])


def test_errors_have_a_path(package: Package) -> None:
    request = {
        "ports": [{"name": "x", "host": "h", "hosts": ["i"]}],
        "byZone": {"z": {"name": "z", "hosts": ["i"]}},
        "steps": [{"name": "s"}, {"name": "s", "hosts": ["i"]}],
    }
    _, errors = package.request(V1, request)
    assert errors == [
        'spec.ports[0].hosts: Invalid value: "i": first value must match `host`',
        'spec.byZone[z].hosts: Invalid value: "i": must be empty when `host` is not specified',
        'spec.steps[1].hosts: Invalid value: "i": must be empty when `host` is not specified',
    ]


def test_status_has_its_own_operation(package: Package) -> None:
    """An element is a struct: its other fields are preserved, and not invented."""
    old = package.stored({"params": ["a"]}, {"addresses": [{"ip": "1", "zone": "z"}, {"ip": "2"}]})
    for version in (V1, V1BETA1):
        hub, errors = package.request(version, {"param": "x"}, old, status={"address": "1"}, subresource="status")
        assert errors == []
        assert [(a.ip, a.zone) for a in hub.status.addresses] == [("1", "z"), ("2", "")]
        hub, errors = package.request(version, {"param": "x"}, old, status={"address": "3"}, subresource="status")
        assert [(a.ip, a.zone) for a in hub.status.addresses] == [("3", "")]
    bad = {"address": "1", "addresses": [{"ip": "9"}]}
    _, errors = package.request(V1, {}, old, status=bad, subresource="status")
    assert errors == ['status.addresses: Invalid value: "9": first value must match `address`']
    _, errors = package.request(V1, {"param": "a", "params": ["b"]}, old, subresource="status")
    assert errors == []
    _, errors = package.request(V1, {"param": "a"}, old, status=bad)
    assert errors == []


def test_stored_object_shares_nothing_with_the_old_object(package: Package) -> None:
    for version in (V1, V1BETA1):
        old = package.stored(NESTED | {"params": ["a", "b"]})
        request = {"param": "a", "ports": [{"name": "x", "host": "h"}]}
        hub, _ = package.request(version, request, old)
        hub.spec.params.append("c")
        hub.spec.ports[0].hosts.append("c")
        assert old.spec.params == ["a", "b"]
        assert old.spec.ports[0].hosts == ["h", "i"]


# --- use --------------------------------------------------------------------------------------------------------------


def test_hub_object_is_used_unchanged(package: Package) -> None:
    old = package.stored({"params": ["a", "b"]})
    hub, errors = package.scheme.strategy("Frobber").from_request(package.stored({"params": ["b"]}), old)
    assert (errors, hub.spec.params) == ([], ["b"])


def test_object_of_another_kind_is_rejected(package: Package) -> None:
    meta = importlib.import_module(f"{package.name}.meta.v1.types")
    with pytest.raises(Exception, match=r"expected an object of a kind, found an object of .*ObjectMeta"):
        package.scheme.strategy("Frobber").from_request(meta.ObjectMeta(), None)


def test_strategy_without_a_scheme_rejects_requests(package: Package) -> None:
    strategies = importlib.import_module(f"{package.name}.things_example_com.hub.strategies")
    with pytest.raises(Exception, match="strategies of a scheme only"):
        strategies.frobber_strategy().from_request(package.decode(V1, {}), None)


@pytest.mark.slow
def test_type_checkers_accept_generated_code(package: Package) -> None:
    assert mypy(package.folder, "-p", package.name) == ""


def test_the_generated_tests_pass_and_are_not_empty(package: Package) -> None:
    tests = sorted((package.folder / package.name / "tests").glob("test_*_singulars.py"))
    assert [path.name for path in tests] == [
        "test_things_example_com_v1_singulars.py",
        "test_things_example_com_v1beta1_singulars.py",
    ]
    done = run_pytest(package.folder, *tests)
    assert "6 passed" in done.stdout, done.stdout


BROKEN = [  # a mistake in the step, and what the generated tests say of it
    ("if singular == before[0]", "if singular != before[0]"),
    ("return [make(singular)] if singular else plural", "return plural"),
    ("return [make(singular)] if singular else None", "return plural"),
    ("return [make(singular)] if singular else None", "return [make(singular)]"),
    ("return before[1]", "return plural"),
    ("if first is None or first == singular", "if first is None or first == singular or not singular"),
    ("if first is None or first == singular", "if first is None or singular"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("right", "wrong"), BROKEN)
def test_generated_tests_detect_mistakes(package: Package, tmp_path: Path, right: str, wrong: str) -> None:
    shutil.copytree(package.folder / package.name, tmp_path / package.name)
    module = tmp_path / package.name / "runtime" / "singulars.py"
    text = module.read_text()
    assert right.removeprefix("if ") in text
    module.write_text(text.replace(right.removeprefix("if "), wrong.removeprefix("if ")))
    done = run_pytest(tmp_path, "-x", tmp_path / package.name / "tests" / "test_things_example_com_v1_singulars.py")
    assert done.returncode == 1, done.stdout
