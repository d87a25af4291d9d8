"""Compares recorded conversions of Go projects with those of the packages that are generated from specs.

Each project has a folder: `specs` and `handwritten` declare the conversions, `program` makes random objects and records what the
project's own conversions make of them, and `records.jsonl.gz` is a small share for CI. `python -m tests.go_conversions.agreement
kueue --write` builds the program of a project, checks 1,000 objects of each kind and direction, and writes the record
`tests/records/kueue.md` and the share.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.generating import generate_package

OLD, NEW = "v1beta1", "v1beta2"
SHARE_COUNT = 8
"""Objects of each kind and direction in the share."""

Object = dict[str, Any]


@dataclass(frozen=True)
class Project:
    """A project, what its record says first, and the annotation in which its conversions preserve what a version cannot hold."""

    name: str
    introduction: str
    annotation: str | None = None

    @property
    def folder(self) -> Path:
        """The folder with the specs, hand-written functions, program and share."""
        return Path(__file__).parent / self.name.replace("-", "_")

    @property
    def share(self) -> Path:
        """The recorded share."""
        return self.folder / "records.jsonl.gz"

    @property
    def record(self) -> Path:
        """The record of 1,000 objects of each kind and direction."""
        return Path(__file__).parent.parent / "records" / f"{self.name}.md"

    def shared(self) -> list[str]:
        """The lines of the recorded share."""
        with gzip.open(self.share, "rt", encoding="utf-8") as file:
            return file.readlines()

    def kinds(self) -> list[str]:
        """The kinds of the recorded share."""
        return sorted({json.loads(line)["kind"] for line in self.shared()})

    def hand_written_lines(self) -> int:
        """The lines of Python in `handwritten`, without blank ones."""
        texts = (path.read_text(encoding="utf-8") for path in (self.folder / "handwritten").rglob("*.py"))
        return sum(1 for text in texts for line in text.splitlines() if line.strip())


@dataclass
class Tally:
    """How many results of one kind and direction agree, how many a copy by name would reach, and examples of the others."""

    checked: int = 0
    agree: int = 0
    copied: int = 0
    differences: list[str] = field(default_factory=list)


Tallies = dict[tuple[str, str], Tally]


@contextmanager
def loaded(project: Project, folder: Path) -> Iterator[Any]:
    """The scheme of a package that is generated into a folder, from which it and the hand-written functions are imported."""
    by_hand = folder / f"{project.folder.name}_by_hand"
    shutil.copytree(project.folder / "handwritten", by_hand)
    package = generate_package(project.folder / "specs", folder, by_hand)
    for path in by_hand.rglob("*.py"):
        path.write_text(
            path.read_text(encoding="utf-8").replace("from generated.", f"from {package}."), encoding="utf-8"
        )
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module(f"{package}.scheme")
    finally:
        sys.path.remove(str(folder))


def compare(project: Project, scheme: Any, records: Iterable[str]) -> Tallies:
    """Convert the objects of all records, and count the results that are those of the project.

    `up` is an object of v1beta1 in v1beta2, `down` the reverse, apart from the annotation. `annotation` is what apigen
    writes there, `restored` what it makes of an object with the project's annotation, `complete` of one with its own.
    Without an annotation, `back` is what it makes of the project's object of v1beta1.
    """
    tallies: Tallies = {}
    for line in records:
        record = json.loads(line)
        for direction, made, wanted, source in _results(project, scheme, record):
            tally = tallies.setdefault((record["kind"], direction), Tally())
            tally.checked += 1
            tally.copied += source == wanted
            tally.agree += made == wanted
            if made != wanted and len(tally.differences) < 5:
                tally.differences.append(next(differences(made, wanted), "equal values of other types"))
    return tallies


def _results(project: Project, scheme: Any, record: Object) -> Iterator[tuple[str, Object, Object, Object]]:
    """The direction, what apigen makes, what is wanted, and the source as an object of the other version.

    `read` of a record is the object without the zero values that Go reads and does not write.
    """
    hub, theirs = record["read"], record["to"]
    if "up" in record:
        yield "up", _converted(scheme, record["up"], NEW), theirs, _copied(hub, NEW)
        return
    mine = _converted(scheme, record["down"], OLD)
    if project.annotation is None:
        yield "down", mine, theirs, _copied(hub, OLD)
        yield "back", _settled(scheme, _converted(scheme, theirs, NEW)), record["back"], hub
        return
    key = project.annotation
    yield "down", _without(mine, key), _without(theirs, key), _copied(hub, OLD)
    yield "complete", _settled(scheme, _converted(scheme, mine, NEW)), hub, record["back"]
    data, their_data = _annotation(mine, key), _annotation(theirs, key)
    restored = _settled(scheme, _converted(scheme, theirs, NEW))
    yield "restored", restored, hub if their_data else record["back"], record["back"]
    if data and their_data:
        del their_data["apiVersion"], their_data["kind"]
        yield "annotation", data, their_data, {}


def _converted(scheme: Any, source: Object, version: str) -> Object:
    group = source["apiVersion"].partition("/")[0]
    made = scheme.convert(scheme.from_dict(source, default=False), f"{group}/{version}")
    found: Object = json.loads(json.dumps(scheme.to_dict(made)))
    return found


def _settled(scheme: Any, source: Object) -> Object:
    """An object that was sent: a struct whose only value is an empty list is in JSON once, and is unset when it is read."""
    found: Object = json.loads(json.dumps(scheme.to_dict(scheme.from_dict(source, default=False))))
    return found


def _copied(source: Object, version: str) -> Object:
    return {**source, "apiVersion": f"{source['apiVersion'].partition('/')[0]}/{version}"}


def _annotation(source: Object, key: str) -> Object:
    text = source.get("metadata", {}).get("annotations", {}).get(key)
    return {} if text is None else json.loads(text)


def _without(source: Object, key: str) -> Object:
    """An object without an annotation."""
    metadata = dict(source.get("metadata", {}))
    annotations = {name: text for name, text in metadata.pop("annotations", {}).items() if name != key}
    return {**source, "metadata": {**metadata, **({"annotations": annotations} if annotations else {})}}


def differences(made: object, wanted: object, path: str = "") -> Iterator[str]:
    """Where two JSON values differ."""
    if isinstance(made, dict) and isinstance(wanted, dict):
        for key in sorted({*made, *wanted}):
            yield from differences(made.get(key), wanted.get(key), f"{path}.{key}")
    elif isinstance(made, list) and isinstance(wanted, list) and len(made) == len(wanted):
        for i, (one, other) in enumerate(zip(made, wanted, strict=True)):
            yield from differences(one, other, f"{path}[{i}]")
    elif made != wanted:
        yield f"{path}: {json.dumps(made)[:80]}, but the project has {json.dumps(wanted)[:80]}"


HEADER = "| equal | of | by copy |\n"


def record_of(project: Project, tallies: Tallies) -> str:
    """The record of 1,000 objects of each kind and direction."""
    by_direction: dict[str, Tally] = {}
    for (_, direction), tally in tallies.items():
        total = by_direction.setdefault(direction, Tally())
        total.checked, total.agree = total.checked + tally.checked, total.agree + tally.agree
        total.copied += tally.copied
    text = (
        project.introduction.replace("LINES", str(project.hand_written_lines()))
        + f"| direction {HEADER}|---|---|---|---|\n"
    )
    text += "".join(f"| {direction} {_figures(tally)}" for direction, tally in by_direction.items())
    text += f"\n## Objects by kind\n\n| kind | direction {HEADER}|---|---|---|---|---|\n"
    return text + "".join(f"| {kind} | {way} {_figures(tally)}" for (kind, way), tally in tallies.items())


def _figures(tally: Tally) -> str:
    return f"| {tally.agree:,} | {tally.checked:,} | {tally.copied:,} |\n"


def main() -> None:
    """Check objects of each kind and direction; with `--write`, write the record and the share."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("project", choices=PROJECTS)
    parser.add_argument("--write", action="store_true", help="write the record and the share")
    parser.add_argument("--count", type=int, default=1000, help="objects of each kind and direction")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    given = parser.parse_args()
    project = PROJECTS[given.project]
    if given.write and given.kinds:
        parser.error("--write needs all kinds")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "conversions"
        subprocess.run(["go", "build", "-o", str(program), "."], cwd=project.folder / "program", check=True)
        if given.write:
            command = [program, str(SHARE_COUNT), str(given.seed)]
            small = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
            project.share.write_bytes(gzip.compress(small, 9, mtime=0))
        all_tallies: Tallies = {}
        with loaded(project, Path(folder)) as scheme:
            for kind in given.kinds or project.kinds():
                command = [program, str(given.count), str(given.seed), kind]
                with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
                    assert process.stdout is not None
                    tallies = compare(project, scheme, process.stdout)
                assert process.returncode == 0
                all_tallies.update(tallies)
                for (_, direction), tally in tallies.items():
                    shown = "".join(f"    {one}\n" for one in tally.differences)
                    print(f"| {kind} | {direction} {_figures(tally)}{shown}", end="", flush=True)
        if given.write:
            project.record.write_text(record_of(project, all_tallies), encoding="utf-8")


CLUSTER_API = """\
# Conversions of cluster-api

Random objects of cluster-api v1.13.6, converted by the package that is generated from `tests/go_conversions/cluster_api/specs`, and
by cluster-api's own Go functions: 1,000 of each kind and direction. *By copy* is the number of objects that the same fields under the same names
would reach. One in ten of the values of each object is set to its zero value (an empty string, list, map or object, `0`, `false`), and
one in six of the unset fields, also where Go omits zero values.

Hand-written code: LINES lines of Python without blank ones. That of cluster-api is 4,311 lines of Go in the files `conversion.go` of
`api/core`, `api/bootstrap/kubeadm` and `api/controlplane/kubeadm`: 4,121 of v1beta1 and 190 of v1beta2, with blank lines and
comments, without the generated `zz_generated.conversion.go`.

`up` is v1beta1 to v1beta2, `down` the reverse without the annotation `cluster.x-k8s.io/conversion-data`. `annotation` compares its
content where both write one. `complete` is v1beta2 to v1beta1 and back; *by copy* is then what cluster-api itself restores.
`restored` is the way back from the object that cluster-api wrote; without its annotation, it is compared with what cluster-api
makes of it. These two compare objects after they are read once more: Go writes a struct whose only value is an empty list as `{}`,
and reads that as an unset struct.

## Objects by direction

"""

KUEUE = """\
# Conversions of kueue

Random objects of kueue v0.17.0, converted by the package that is generated from `tests/go_conversions/kueue/specs`, and by kueue's
own Go functions `ConvertTo` and `ConvertFrom`: 1,000 of each kind and direction. *By copy* is the number of objects that the same
fields under the same names would reach. One in ten of the values of each object is set to its zero value, and one in six of the unset
fields, also where Go omits zero values. Topology assignments are valid ones, because kueue's conversions panic for others. A pod
spec has no `workloadRef`, which was alpha in Kubernetes 1.35 and which apigen's own types, those of 1.36, do not have.

`up` is v1beta1 to v1beta2, `down` the reverse. `back` is what both make of the v1beta1 object that kueue wrote, after it is read once
more; *by copy* is then the number of objects of v1beta2 that it preserves. kueue has no annotation for the rest.

Hand-written code: LINES lines of Python without blank ones. That of kueue is 417 lines of Go in the files `*_conversion.go` of
`apis/kueue/v1beta1`, and functions of `pkg/util/tas/tas_assignment.go` (328 lines), with blank lines and comments, without the
generated `zz_generated.conversion.go`.

## Declarations

| difference | declared as |
|---|---|
| `cohort` is `cohortName`, `flavorUsage` is `flavorsUsage`, and a spelling mistake | `hub: cohortName` |
| `clusterProfileRef` is in `clusterSource` | `hub: clusterSource.clusterProfileRef` |
| the fair sharing status of a local queue has a type of its own | `hubType: LocalQueueFairSharingStatus` |
| `Borrow` and `Preempt` become `MayStopSearch`, which v1beta1 has, too | `hub: {enum: {Borrow: MayStopSearch}}` |
| fields that one version does not have | `hubOnly: {preemptionGates: {drop: new in v1beta2}}` |
| lists that are `null` in v1beta1 and omitted in v1beta2 | nothing: presence differs |
| `kubeConfig` without a `location` is absent in v1beta2 | a function: `absent: {}` compares all fields, also `locationType` |
| `admissionChecks` is `admissionChecksStrategy`, one way | a function: no lens makes structs of strings, or converts in one direction only |
| `priorityClassSource` and `priorityClassName` are `priorityClassRef` | a function: a source determines two fields, `group` and `kind` |
| domains of a topology assignment are compressed into slices | a function: an algorithm |

## Objects by direction

"""

PROJECTS = {
    project.name: project
    for project in (Project("cluster-api", CLUSTER_API, "cluster.x-k8s.io/conversion-data"), Project("kueue", KUEUE))
}

if __name__ == "__main__":
    main()
