"""Makes the test data of this folder from the folder `kubernetes` that lies beside the project (`../shared`).

    python tests/data/kubernetes/refresh.py [path to shared/kubernetes]

It keeps what the specs under `api-specs/kubernetes` need: the kinds in `KINDS`, in every version that the reference
release has. Records and files are copied as they are; the same input gives the same bytes. What another tool put
here (`vectors/codec`, `LICENSE`) is left alone.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
import sys
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SHARED = HERE.parents[3] / "shared" / "kubernetes"

RELEASE = "v0.36.6"
FIXTURE_SETS = ("v1.33.0", "v1.34.0", "v1.35.0", "v1.36.0")
OWN_SET = "v1.36.0"
"""The fixtures that the reference release itself wrote."""

KINDS = {
    "apps": ("Scale",),
    "autoscaling": ("HorizontalPodAutoscaler", "Scale"),
    "core": ("ConfigMap",),
    "extensions": ("Ingress", "Scale"),
    "flowcontrol.apiserver.k8s.io": ("FlowSchema", "PriorityLevelConfiguration"),
    "networking.k8s.io": ("Ingress", "IngressClass"),
}
"""By group. In the vectors the group is the one that owns the internal type: Scale of apps stands in autoscaling."""

PACKAGES = (
    "apimachinery.pkg.apis.meta.v1",
    "apps.v1beta1",
    "apps.v1beta2",
    "autoscaling.v1",
    "autoscaling.v2",
    "core.v1",
    "extensions.v1beta1",
    "flowcontrol.v1",
    "flowcontrol.v1beta1",
    "flowcontrol.v1beta2",
    "flowcontrol.v1beta3",
    "networking.v1",
    "networking.v1beta1",
)
WHOLE = re.compile(r"apimachinery|autoscaling|flowcontrol")
"""Packages of which every type is kept: the types of metrics, for instance, are reached through annotations only."""

RECORDS = {"conversions": 2640, "defaults": 260, "strategies": 469}
"""What has to come out; another number means that the source or the kinds changed."""


def main(arguments: list[str]) -> None:
    """Copy everything anew."""
    source = Path(arguments[0]) if arguments else SHARED
    pack_facts(source / "facts" / RELEASE)
    facts = keep_facts(source / "facts" / RELEASE)
    for kind_of_record, expected in RECORDS.items():
        count = keep_records(source / "vectors" / kind_of_record, HERE / "vectors" / kind_of_record)
        if count != expected:
            raise SystemExit(f"{kind_of_record}: {count} records, not {expected}")
        print(f"{kind_of_record}: {count} records")
    keep_strategies(source / "vectors" / "strategies", HERE / "all-vectors" / "strategies")
    keep_gates(source / "vectors" / "strategies", HERE / "vectors" / "strategies", facts)
    print(f"fixtures: {keep_fixtures(source / 'fixtures', facts)} files")


# --- facts ------------------------------------------------------------------------------------------------------------


def pack_facts(source: Path) -> None:
    """All packages as they are, in one archive: the same input gives the same bytes."""
    with tarfile.open(HERE / "facts" / f"{RELEASE}.tar.xz", "w:xz", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(source.glob("*.json")):
            member = tarfile.TarInfo(f"{RELEASE}/{path.name}")
            member.size = path.stat().st_size
            with path.open("rb") as stream:
                archive.addfile(member, stream)


def keep_facts(source: Path) -> dict[str, Any]:
    """Copy the packages, reduced to the types in use. Returns what was kept, by file name."""
    packages = {name: read_json(source / f"{name}.json") for name in PACKAGES}
    used = used_types(packages)
    target = clean(HERE / "facts" / RELEASE)
    for name, package in packages.items():
        package.pop("constants", None)
        package["types"] = [type_ for type_ in package["types"] if (package["package"], type_["go"]) in used]
        (target / f"{name}.json").write_text(facts_text(package), encoding="utf-8")
        print(f"facts: {name}: {len(package['types'])} types")
    return packages


def used_types(packages: dict[str, Any]) -> set[tuple[str, str]]:
    """The types of the kinds, of their lists, and whatever those refer to, as (package, Go name)."""
    types = {(p["package"], t["go"]): t for p in packages.values() for t in p["types"]}
    todo = [
        (package["package"], type_["go"])
        for name, package in packages.items()
        for type_ in package["types"]
        if WHOLE.search(name) or type_["go"].removesuffix("List") in KINDS[package["group"] or "core"]
    ]
    used = set(todo)
    while todo:
        package_name, go = todo.pop()
        for field in types[package_name, go].get("fields", ()):
            reference = referred(field, package_name)
            if reference in types and reference not in used:
                used.add(reference)
                todo.append(reference)
    return used


def referred(field: dict[str, Any], package: str) -> tuple[str, str]:
    """The package and name of a field's type, below pointers, lists and maps."""
    base = re.sub(r"^(\*|\[\]|map\[string\])+", "", field.get("resolved") or field["type"])
    path, _, name = base.rpartition(".")
    return (path or package, name)


def facts_text(package: dict[str, Any]) -> str:
    """The layout of the source: one field, constant or tombstone per line."""
    head = [f"  {compact(key)}: {compact(value)}," for key, value in package.items() if key != "types"]
    types = ",\n".join(type_text(type_) for type_ in package["types"])
    return "\n".join(["{", *head, '  "types": [', types, "  ]", "}", ""])


def type_text(type_: dict[str, Any]) -> str:
    """One type: its own members in the first line, then the lines of its parts."""
    parts = [key for key in ("fields", "tombstones", "constants") if key in type_]
    own = compact({key: value for key, value in type_.items() if key not in parts})
    if not parts:
        return f"    {own}"
    blocks = ",\n".join(
        f"      {compact(key)}: [\n" + ",\n".join(f"        {compact(line)}" for line in type_[key]) + "\n      ]"
        for key in parts
    )
    return f"    {own[:-1]},\n{blocks}\n    }}"


# --- vectors ----------------------------------------------------------------------------------------------------------


def keep_records(source: Path, target: Path) -> int:
    """Copy the records of the kinds, group by group; a group without any gets no file. Returns how many."""
    clean(target)
    count = 0
    for group, kinds in KINDS.items():
        path = source / f"{group}.jsonl.gz"
        lines = [line for line in read_lines(path) if json.loads(line)["kind"] in kinds] if path.exists() else []
        if lines:
            write_lines(target / path.name, lines)
        count += len(lines)
    return count


def keep_strategies(source: Path, target: Path) -> None:
    """Copy all records of strategies, of every kind."""
    clean(target)
    count = 0
    for path in sorted(source.glob("*.jsonl.gz")):
        lines = read_lines(path)
        write_lines(target / path.name, lines)
        count += len(lines)
    print(f"strategies of all kinds: {count} records")


def keep_gates(source: Path, target: Path, facts: dict[str, Any]) -> None:
    """Copy the marked fields of the types in use, and all gates."""
    types = {f"{package['package']}.{type_['go']}" for package in facts.values() for type_ in package["types"]}
    markers = [m for m in read_json(source / "markers.json") if m["field"].rpartition(".")[0] in types]
    write_json(target / "markers.json", markers)
    gates = read_json(source / "gates.json")
    write_json(target / "gates.json", gates)
    print(f"gates: {len(gates['gates'])}")


# --- fixtures ---------------------------------------------------------------------------------------------------------


def keep_fixtures(source: Path, facts: dict[str, Any]) -> int:
    """Copy the files of the kinds that the reference release has, set by set. Returns how many.

    The `.after_roundtrip.` files of the source say what v0.37.2 writes. What v0.36.6 writes is its own set: where a
    frozen file equals the one there, reading and writing it gives the same bytes. That holds for all of these kinds.
    """
    names = sorted(fixture_names(facts))
    count = 0
    for fixture_set in FIXTURE_SETS:
        target = clean(HERE / "fixtures" / fixture_set)
        for name in names:
            frozen = source / fixture_set / name
            if not frozen.exists():
                continue
            if frozen.read_bytes() != (source / OWN_SET / name).read_bytes():
                raise SystemExit(f"{frozen}: {RELEASE} writes something else, so an .after_roundtrip. file is due")
            shutil.copyfile(frozen, target / name)
            count += 1
    return count


def fixture_names(facts: dict[str, Any]) -> Iterator[str]:
    """The three files of every kind in every version; those of some groups (extensions) do not exist."""
    for package in facts.values():
        group = package["group"] or "core"
        for type_ in package["types"]:
            if type_["go"] in KINDS.get(group, ()):
                yield from (f"{group}.{package['version']}.{type_['go']}.{form}" for form in ("json", "pb", "yaml"))


# --- files ------------------------------------------------------------------------------------------------------------


def clean(folder: Path) -> Path:
    """The folder, empty."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def compact(value: object) -> str:
    """JSON in one line, as in the facts."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def read_json(path: Path) -> Any:
    """A JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


def write_json(path: Path, value: object) -> None:
    """JSON with an indentation of two."""
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read_lines(path: Path) -> list[str]:
    """The lines of a compressed file, without their ends."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return [line.removesuffix("\n") for line in file]


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """A compressed file without name and time in it."""
    data = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(data, 9, mtime=0))


if __name__ == "__main__":
    main(sys.argv[1:])
