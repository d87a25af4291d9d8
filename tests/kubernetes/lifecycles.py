"""Lifecycles and storage versions in apigen, compared with those of Kubernetes' own code.

`lifecycles_of` compares the four facts (introduced, deprecated, removed, replacement) of every kind in every version with the
methods that Kubernetes generates; the two that markers omit follow from the rule for versions before GA. `storage_of`
compares the version in which a kind is stored, for every release that is emulated and four minimum compatibility versions,
with the choice of Kubernetes' API server.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from apigen.diagnostics import Report
from apigen.ir.model import Api, Group, Release, Struct
from apigen.ir.resolve import resolve
from apigen.ir.series import releases_of
from apigen.language.load import load_api
from apigen.language.releases import parse_release
from apigen.runtime.features import Features
from apigen.runtime.kinds import KindVersion
from apigen.runtime.lifecycle import served, stored, version_priority
from tests.kubernetes.lifecycle_data import DATA

NEWEST_OF_STORAGE = "v0.37.2"
"""The release whose server was asked for storage versions: 1.36 still has a simpler rule."""


_LIST = "specs say nothing of the lists that kinds bring: they live as long as their kinds"
KNOWN = {
    "apps/v1beta1/DeploymentRollback replacement": "`apps/v1` has no such kind: the import says so, and leaves it out",
    "coordination.k8s.io/v1/LeaseList introduced": _LIST,
    "discovery.k8s.io/v1beta1/EndpointSliceList replacement": _LIST,
    "networking.k8s.io/v1/NetworkPolicyList introduced": _LIST,
    "storage.k8s.io/v1beta1/CSINodeList replacement": _LIST,
}
"""What differs on purpose, and why."""


@dataclass(frozen=True, slots=True)
class Compared:
    """How many records agree, how many there are, and how many agree by themselves, with nothing done.

    `differences` are those without an explanation, `known` the number of explained ones. `without_meaning`: records
    that say nothing, and are not among the others.
    """

    what: str
    agreed: int
    total: int
    idle: int
    differences: tuple[str, ...] = ()
    known: int = 0
    without_meaning: int = 0


def api_of(specs: Path) -> Api:
    """The API of a folder of specs that has no errors."""
    report = Report()
    api = resolve(load_api(specs, report), report)
    assert not report.has_errors, [diagnostic.message for diagnostic in report.diagnostics]
    return api


def lifecycles_of(api: Api, release: str) -> Compared:
    """Every fact of every kind and list of a release. Doing nothing says nothing of any of them."""
    truth: Mapping[str, list[str]] = json.loads((DATA / f"{release}.json").read_text(encoding="utf-8"))
    ours = {key: facts for group in api.groups for key, facts in _facts(group, api)}
    words = ("introduced", "deprecated", "removed", "replacement")
    agreed = idle = total = known = 0
    differences = []
    for key, theirs in truth.items():
        mine = ours.get(key, ("no such kind",) * 4)
        for word, expected, found in zip(words, theirs, mine, strict=True):
            total += 1
            idle += not expected
            if found == expected:
                agreed += 1
            elif f"{key} {word}" in KNOWN:
                known += 1
            else:
                differences.append(f"{key} {word}: {found or 'nothing'}, and Kubernetes has {expected or 'nothing'}")
    return Compared(f"lifecycles of {release}", agreed, total, idle, tuple(differences), known)


def storage_of(api: Api) -> Compared:
    """The storage version of every kind, as each release from 1.1 to 1.37 and none to three minors back.

    Doing nothing always stores in the version that the newest release stores in. Where the emulated release does not have
    the kind at all, nothing is stored: there Kubernetes names the first version of the group, be the kind in it or not.
    """
    truth: Mapping[str, list[list[str]]] = json.loads((DATA / "storage.json").read_text(encoding="utf-8"))
    kinds: dict[str, list[KindVersion]] = {}
    for group in api.groups:
        for struct, version in _roots(group, api):
            if struct.kind is not None:
                kinds.setdefault(f"{group.name}/{struct.id.name}", []).append(version)
    newest = releases_of(api)[""]
    agreed = idle = total = unserved = 0
    differences = []
    for key, rows in truth.items():
        versions = _as_kubernetes_stores(kinds.get(key, []))
        for back, emulated, expected in _unrolled(rows, newest):
            if versions and not served((_with(v, removed="") for v in versions), str(emulated)):
                unserved += 1
                continue
            total += 1
            said = stored(versions, None)
            idle += said is not None and said.version == expected
            found = stored(versions, _features(emulated, back))
            if found is not None and found.version == expected:
                agreed += 1
            else:
                mine = "nothing" if found is None else found.version
                differences.append(f"{key} as {emulated}, {back} back: {mine}, and Kubernetes has {expected}")
    return Compared("storage versions", agreed, total, idle, tuple(differences), without_meaning=unserved)


def _facts(group: Group, api: Api) -> Iterator[tuple[str, tuple[str, ...]]]:
    for struct, version in _roots(group, api):
        replaced = struct.lifecycle.replacement
        replacement = f"{replaced.group} {replaced.version} {replaced.kind}" if replaced else ""
        facts = (version.introduced, version.deprecated, version.removed, replacement)
        yield f"{group.name}/{struct.id.version}/{struct.id.name}", facts


def _roots(group: Group, api: Api) -> Iterator[tuple[Struct, KindVersion]]:
    for version in group.versions:
        for struct in api.structs(group.folder, version.name):
            if struct.is_root:
                life = struct.lifecycle
                yield (
                    struct,
                    KindVersion(
                        group=group.name,
                        version=version.name,
                        kind=struct.id.name,
                        package="",
                        functions="",
                        hub="",
                        introduced=str(life.introduced or ""),
                        deprecated=str(life.deprecated or ""),
                        removed=str(life.removed or ""),
                    ),
                )


def _with(version: KindVersion, **facts: object) -> KindVersion:
    changed = copy(version)
    for name, fact in facts.items():
        setattr(changed, name, fact)
    return changed


def _as_kubernetes_stores(versions: list[KindVersion]) -> list[KindVersion]:
    """The versions of a kind, of which the highest is what the binary stores: overrides of single kinds omitted."""
    highest = max((version_priority(v.version) for v in versions), default=None)
    return [_with(v, storage=version_priority(v.version) == highest) for v in versions]


def _unrolled(rows: list[list[str]], newest: Release) -> Iterator[tuple[int, Release, str]]:
    """Each release of each run of rows."""
    for number, (back, first, version) in enumerate(rows):
        start = parse_release(first)
        following = rows[number + 1] if number + 1 < len(rows) else None
        end = newest.minor if following is None or following[0] != back else parse_release(following[1]).minor - 1
        for minor in range(start.minor, end + 1):
            yield int(back), Release(start.major, minor), version


@cache
def _features(emulated: Release, back: int) -> Features:
    return Features((), str(emulated), min_compatibility=f"{emulated.major}.{emulated.minor - back}")
