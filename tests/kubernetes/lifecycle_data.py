"""Makes `tests/data/kubernetes/lifecycles`: what Kubernetes' own generated code says of lifecycles and storage versions.

    python -m tests.kubernetes.lifecycle_data v0.36.6 PATH_OF_k8s.io/api
    python -m tests.kubernetes.lifecycle_data storage OUTPUT_OF_THE_PROGRAM_IN_oracle

The first reads `zz_generated.prerelease-lifecycle.go` of every package, the second what `oracle/main.go` prints: the choice
of Kubernetes' API server for each kind, emulated release and minimum compatibility version. Only figures and names are kept.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data" / "kubernetes" / "lifecycles"

_METHOD = re.compile(r"func \(in \*(\w+)\) APILifecycle(\w+)\(\)[^{]*\{\s*return ([^\n]+)\n")
_KIND = re.compile(r'Group: "([^"]*)", Version: "([^"]*)", Kind: "([^"]*)"')
_GROUP = re.compile(r'GroupName\s*=\s*"([^"]*)"')
_WORDS = ("Introduced", "Deprecated", "Removed", "Replacement")


def main(arguments: list[str]) -> int:
    """Write one file of the data."""
    what, source = arguments[0], Path(arguments[1])
    DATA.mkdir(parents=True, exist_ok=True)
    if what == "storage":
        found = _storage(json.loads(source.read_text(encoding="utf-8")))
    else:
        found = dict(sorted(_lifecycles(source)))
    lines = (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in found.items())
    (DATA / f"{what}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    return 0


def _lifecycles(module: Path) -> Iterator[tuple[str, list[str]]]:
    """`group/version/Kind` with its three releases and its replacement; empty without one."""
    for path in module.glob("**/zz_generated.prerelease-lifecycle.go"):
        register = (path.parent / "register.go").read_text(encoding="utf-8")
        group = _GROUP.search(register)
        version = path.parent.name
        found: dict[str, dict[str, str]] = {}
        for kind, word, value in _METHOD.findall(path.read_text(encoding="utf-8")):
            replaced = _KIND.search(value)
            said = " ".join(replaced.groups()) if replaced else ".".join(re.findall(r"\d+", value))
            found.setdefault(kind, {})[word] = said
        for kind, said in found.items():
            yield f"{group[1] if group else ''}/{version}/{kind}", [said.get(word, "") for word in _WORDS]


def _storage(rows: list[dict[str, str]]) -> dict[str, list[list[str]]]:
    """`group/Kind` with [how many minors the minimum compatibility version lies back, emulated release, version]: a row for
    each change, from release to release.
    """
    found: dict[str, list[list[str]]] = {}
    for row in rows:
        emulated, oldest = (int(row[word].partition(".")[2]) for word in ("Emulation", "MinCompatibility"))
        found.setdefault(f"{row['Group']}/{row['Kind']}", []).append(
            [str(emulated - oldest), row["Emulation"], row["Storage"]]
        )
    for key, of_kind in found.items():
        of_kind.sort(key=lambda row: (int(row[0]), int(row[1].partition(".")[2])))
        runs = (next(run) for _, run in groupby(of_kind, key=lambda row: (row[0], row[2])))
        found[key] = list(runs)
    return dict(sorted(found.items()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
