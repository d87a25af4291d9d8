"""What a choice of groups and kinds leads to, as text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.pipeline import Checked, Sources, check
from apigen.diagnostics import Report
from apigen.diagnostics.printers import PRINTERS
from tests.yaml_files import read_yaml


def checked_case(folder: Path, report: Report, *, everything: bool = False) -> Checked:
    """Check a case: `specs`, what is chosen of them (`choice.yaml`), and hand-written functions, if it has any."""
    choice = read_yaml((folder / "choice.yaml").read_text(encoding="utf-8"))
    lists = {key: None if key not in choice else tuple(choice[key]) for key in ("groups", "kinds")}
    sources = Sources(folder / "specs", folder / "handwritten", folder, lists["groups"], kinds=lists["kinds"])
    return check(sources, report, check_unselected=everything)


def outcome(folder: Path) -> str:
    """What is kept of a case, and the diagnostics."""
    report = Report()
    backend_input = checked_case(folder, report).backend_input
    text = "" if backend_input is None else "".join(f"{line}\n" for line in kept(backend_input))
    return text + PRINTERS["text"](report.diagnostics)


def kept(backend_input: BackendInput) -> Iterator[str]:
    """A line for each version and hub with its types, of which kinds that are served have a star; and the gates."""
    api = backend_input.api
    types: dict[tuple[str, str], list[str]] = {(g.folder, v.name): [] for g in api.groups for v in g.versions}
    for id_ in backend_input.types:
        served = id_.version != "hub" and api.group(id_.group).kind(id_.name) is not None
        types.setdefault((id_.group, id_.version), []).append(f"{id_.name}{'*' if served else ''}")
    for (group, version), names in sorted(types.items()):
        yield f"{group}/{version}: {' '.join(sorted(names))}"
    yield f"gates: {' '.join(sorted(feature.name for feature in api.features)) or 'none'}"
    for (id_, role), _ in sorted(backend_input.hand_written.functions.items(), key=str):
        yield f"by hand: {id_.group}/{id_.version}.{id_.name} {role}"
