"""The reader says of Kubernetes' Go sources what the facts say, which another parser took from the same sources.

Every file, every member, of five releases. The facts lie in `shared`, next to the project; the Go modules in Go's module
cache, or are downloaded with `APIGEN_GO_MODULES=download`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import pytest

from apigen.diagnostics import Report
from apigen.inputs.go.model import GoPackage
from apigen.inputs.go.packages import read_packages
from tests.inputs.go.facts_shape import package_facts
from tests.inputs.go.facts_summary import summary
from tests.inputs.go.kubernetes_modules import (
    API,
    DOWNLOAD,
    MACHINERY,
    RELEASES,
    SHARED,
    module,
    read_facts,
    roots_of_facts,
)
from tests.inputs.go.modules import MissingModule

MEMBERS = {"v0.33.0": 63_793, "v0.34.0": 65_980, "v0.35.0": 66_836, "v0.36.6": 67_497, "v0.37.2": 74_612}
"""So many members are compared: nothing falls out unseen."""


@functools.cache
def read_release(release: str) -> tuple[dict[str, Any], dict[str, Any], Report]:
    """The facts of a release, what the reader makes of its sources in the same shape, and its report; or skip."""
    facts = read_facts(release)
    if not facts:
        pytest.skip(f"the facts are not here: {SHARED / release}")
    found = [module(name, release) for name in (API, MACHINERY)]
    missing = [str(one) for one in found if isinstance(one, MissingModule)]
    if missing:
        pytest.skip(f"{'; '.join(missing)} ({DOWNLOAD}=download lets the tests download it)")
    api, machinery = (one for one in found if not isinstance(one, MissingModule))
    files = {name: file for name, file in facts.items() if name != "summary.json"}
    told = sorted(file["package"] for file in files.values())
    report = Report()
    packages = read_packages(roots_of_facts(api, machinery, told), report, packages=told)
    read = {file_name(package): shown(package, release) for package in packages if not package.referred}
    return facts, {**read, "summary.json": summary(release, read)}, report


def file_name(package: GoPackage) -> str:
    """`core.v1.json`, `apimachinery.pkg.runtime.json`."""
    below = package.path.removeprefix(f"{API}/").replace("k8s.io/", "")
    return f"{below.replace('/', '.')}.json"


def shown(package: GoPackage, release: str) -> dict[str, Any]:
    return package_facts(package, release, API if package.path.startswith(f"{API}/") else MACHINERY)


def members(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """All values in a JSON value by path; lists also by length, so that a missing element is one difference."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from members(part, f"{path}.{key}")
    elif isinstance(value, list):
        yield f"{path}.length", len(value)
        for position, part in enumerate(value):
            yield from members(part, f"{path}[{position}]")
    else:
        yield path, value


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
def test_reader_matches_the_facts(release: str) -> None:
    facts, read, _ = read_release(release)
    assert sorted(read) == sorted(facts)
    compared = 0
    different: list[str] = []
    for name, file in facts.items():
        expected, found = dict(members(file)), dict(members(read[name]))
        compared += len(expected)
        paths = [path for path in {**expected, **found} if expected.get(path) != found.get(path)]
        different += [f"{name}{path}: {expected.get(path)!r}, read: {found.get(path)!r}" for path in paths]
    print(f"{release}: {len(facts)} files, {compared:,} members, {len(different)} different")
    assert not different, "\n".join(different[:50])
    assert facts == read
    assert compared == MEMBERS[release]


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
def test_all_kubernetes_sources_are_readable(release: str) -> None:
    _, _, report = read_release(release)
    assert [str(diagnostic) for diagnostic in report.diagnostics] == []


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
def test_version_packages_are_found_automatically(release: str) -> None:
    """All of k8s.io/api; referenced types are found in the other module."""
    facts, _, _ = read_release(release)
    found = [module(name, release) for name in (API, MACHINERY)]
    api, machinery = (one for one in found if not isinstance(one, MissingModule))
    packages = read_packages([api.root(), machinery.root(is_reference=True)], Report())
    own = {file["package"] for name, file in facts.items() if name != "summary.json" and file["module"] == API}
    assert {package.path for package in packages if not package.referred} == own
    referred = {package.path.removeprefix(f"{MACHINERY}/pkg/") for package in packages if package.referred}
    assert {"apis/meta/v1", "api/resource", "util/intstr", "runtime", "types"} <= referred
    names = {constant.go: constant.value for package in packages for constant in package.constants}
    assert names["PoolNameMaxLength"] == 253, "followed into a package that the facts do not have"
