"""Measures what generated code costs, in rounds in which all take turns."""

from __future__ import annotations

from benchmarks.figures import Figures, least
from benchmarks.generated.contenders import APIGEN, PYTHON_PEERS, contenders, memory_of, times_of, times_of_go
from benchmarks.generated.first_use import USES, first_use
from benchmarks.generated.importing import (
    VERSIONS,
    import_of_everything,
    import_of_lightkube,
    import_of_package,
    import_of_types,
    import_of_version,
    import_of_version_types,
    import_within_reach,
)
from benchmarks.peers.places import PYTHON
from benchmarks.progress import tell

WITH_MEMORY = (APIGEN[0], next(peer for peer in PYTHON_PEERS if peer.name == "msgspec"))


def measure(rounds: int) -> Figures:
    """The best of several rounds; nothing where the peers' environment cannot be had."""
    if not PYTHON.exists():
        return {}
    found: dict[str, float] = {}
    for number in range(rounds):
        found = least(found, _round(number))
    for contender in WITH_MEMORY:
        found |= memory_of(contender)
    return found


def _round(number: int) -> Figures:
    found = dict(times_of_go())
    for contender in contenders():
        tell(f"generated code, round {number + 1}: {contender.name}")
        found |= times_of(contender)
    found |= _imports()
    return found


def _imports() -> Figures:
    found = {"apigen/import": import_of_everything(), "lightkube/import": import_of_lightkube()}
    found |= {"apigen/import/types": import_of_types(), "apigen/import/package": import_of_package()}
    for version in VERSIONS:
        found[f"apigen/import/{version}"] = import_of_version(version)
        found[f"apigen/import/{version}/types"] = import_of_version_types(version)
        found[f"apigen/import/{version}/package"] = import_within_reach(version)
    for use in USES:
        found[f"apigen/first/{use}"] = first_use(use)
    return {name: seconds for name, seconds in found.items() if seconds is not None}
