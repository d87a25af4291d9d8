"""Compares recorded conversions of cluster-api with those of the package that is generated from the specs next to this file.

`program` makes random objects and records what cluster-api's own conversions make of them; `records.jsonl.gz` is a small share for
CI. `python -m tests.cluster_api.agreement --write` builds the program, checks 1,000 objects of each kind and direction, and writes
the record `tests/records/cluster-api.md` and the share.
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

import yaml

from tests.generating import generate_package

FOLDER = Path(__file__).parent
SHARE = FOLDER / "records.jsonl.gz"
RECORD = FOLDER.parent / "records" / "cluster-api.md"
ANNOTATION = "cluster.x-k8s.io/conversion-data"
OLD, NEW = "v1beta1", "v1beta2"
SHARE_COUNT = 8
"""Objects of each kind and direction in the share."""

Object = dict[str, Any]


@dataclass
class Tally:
    """How many results of one kind and direction agree, how many a copy by name would reach, and examples of the others."""

    checked: int = 0
    agree: int = 0
    copied: int = 0
    differences: list[str] = field(default_factory=list)


Tallies = dict[tuple[str, str], Tally]


@contextmanager
def loaded(folder: Path) -> Iterator[Any]:
    """The scheme of a package that is generated into a folder, from which it and the hand-written functions are imported."""
    by_hand = folder / "cluster_api_by_hand"
    shutil.copytree(FOLDER / "handwritten", by_hand)
    package = generate_package(FOLDER / "specs", folder, by_hand)
    for path in by_hand.rglob("*.py"):
        path.write_text(
            path.read_text(encoding="utf-8").replace("from generated.", f"from {package}."), encoding="utf-8"
        )
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module(f"{package}.scheme")
    finally:
        sys.path.remove(str(folder))


def compare(scheme: Any, records: Iterable[str]) -> Tallies:
    """Convert the objects of all records, and count the results that are those of cluster-api.

    `up` is an object of v1beta1 in v1beta2, `down` the reverse, apart from the annotation. `annotation` is what apigen
    writes there, `restored` what it makes of an object with cluster-api's annotation, `complete` of one with its own.
    """
    tallies: Tallies = {}
    for line in records:
        record = json.loads(line)
        for direction, made, wanted, source in _results(scheme, record):
            tally = tallies.setdefault((record["kind"], direction), Tally())
            tally.checked += 1
            tally.copied += source == wanted
            tally.agree += made == wanted
            if made != wanted and len(tally.differences) < 5:
                tally.differences.append(next(differences(made, wanted), "equal values of other types"))
    return tallies


def _results(scheme: Any, record: Object) -> Iterator[tuple[str, Object, Object, Object]]:
    """The direction, what apigen makes, what is wanted, and the source as an object of the other version.

    `read` of a record is the object without the zero values that Go reads and does not write.
    """
    hub, theirs = record["read"], record["to"]
    if "up" in record:
        yield "up", _converted(scheme, record["up"], NEW), theirs, _copied(hub, NEW)
        return
    mine = _converted(scheme, record["down"], OLD)
    yield "down", _without_annotation(mine), _without_annotation(theirs), _copied(hub, OLD)
    yield "complete", _settled(scheme, _converted(scheme, mine, NEW)), hub, record["back"]
    data, their_data = _annotation(mine), _annotation(theirs)
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


def _annotation(source: Object) -> Object:
    text = source.get("metadata", {}).get("annotations", {}).get(ANNOTATION)
    return {} if text is None else json.loads(text)


def _without_annotation(source: Object) -> Object:
    metadata = dict(source.get("metadata", {}))
    annotations = {key: text for key, text in metadata.pop("annotations", {}).items() if key != ANNOTATION}
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
        yield f"{path}: {json.dumps(made)[:80]}, but cluster-api has {json.dumps(wanted)[:80]}"


def share() -> list[str]:
    """The recorded share."""
    with gzip.open(SHARE, "rt", encoding="utf-8") as file:
        return file.readlines()


def hand_written_lines() -> int:
    """The lines of Python in `handwritten`, without blank ones."""
    texts = (path.read_text(encoding="utf-8") for path in (FOLDER / "handwritten").rglob("*.py"))
    return sum(1 for text in texts for line in text.splitlines() if line.strip())


INTRODUCTION = """\
# Conversions of cluster-api

Random objects of cluster-api v1.13.6, converted by the package that is generated from `tests/cluster_api/specs`, and by cluster-api's
own Go functions: 1,000 of each kind and direction. *By copy* is the number of objects that the same fields under the same names
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
HEADER = "| equal | of | by copy |\n"


def record_of(tallies: Tallies) -> str:
    """The record of 1,000 objects of each kind and direction."""
    by_direction: dict[str, Tally] = {}
    for (_, direction), tally in tallies.items():
        total = by_direction.setdefault(direction, Tally())
        total.checked, total.agree = total.checked + tally.checked, total.agree + tally.agree
        total.copied += tally.copied
    text = INTRODUCTION.replace("LINES", str(hand_written_lines())) + f"| direction {HEADER}|---|---|---|---|\n"
    text += "".join(f"| {direction} {_figures(tally)}" for direction, tally in by_direction.items())
    text += f"\n## Objects by kind\n\n| kind | direction {HEADER}|---|---|---|---|---|\n"
    return text + "".join(f"| {kind} | {way} {_figures(tally)}" for (kind, way), tally in tallies.items())


def _figures(tally: Tally) -> str:
    return f"| {tally.agree:,} | {tally.checked:,} | {tally.copied:,} |\n"


def kinds() -> list[str]:
    """The kinds of the specs that cluster-api converts."""
    groups = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in FOLDER.glob("specs/*/group.yaml")]
    return sorted(kind for group in groups for kind in group["kinds"])


def main() -> None:
    """Check objects of each kind and direction; with `--write`, write the record and the share."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the record and the share")
    parser.add_argument("--count", type=int, default=1000, help="objects of each kind and direction")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    given = parser.parse_args()
    if given.write and given.kinds:
        parser.error("--write needs all kinds")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "conversions"
        subprocess.run(["go", "build", "-o", str(program), "."], cwd=FOLDER / "program", check=True)
        all_tallies: Tallies = {}
        with loaded(Path(folder)) as scheme:
            for kind in given.kinds or kinds():
                command = [program, str(given.count), str(given.seed), kind]
                with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
                    assert process.stdout is not None
                    tallies = compare(scheme, process.stdout)
                assert process.returncode == 0
                all_tallies.update(tallies)
                for (_, direction), tally in tallies.items():
                    shown = "".join(f"    {one}\n" for one in tally.differences)
                    print(f"| {kind} | {direction} {_figures(tally)}{shown}", end="", flush=True)
        if given.write:
            RECORD.write_text(record_of(all_tallies), encoding="utf-8")
            small = subprocess.run(
                [program, str(SHARE_COUNT), str(given.seed)], stdout=subprocess.PIPE, check=True
            ).stdout
            SHARE.write_bytes(gzip.compress(small, 9, mtime=0))


if __name__ == "__main__":
    main()
