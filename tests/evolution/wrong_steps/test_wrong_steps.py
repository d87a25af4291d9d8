"""Each wrong step is rejected, with its code, its location, a reason and a fix; after the fix, `lint` reports nothing.

A folder here is a step: `case.yaml`, and what `lint` says in `expected.txt` (`APIGEN_UPDATE=1` writes it).

    step: what is wrong, in a sentence
    like: number-changed           another case of the same kind; omitted: it is a kind of its own
    base: gadgets                  a folder of `bases/`; omitted: gadgets
    after: "1.12"                  the release that was recorded last; the specs are those of the next one
    record: "1.12"                 the step is to record this release; omitted: to go on to the next one
    edits: [...]                   see `editing`
    code: field-added              the code of the first diagnostic, and of each element that is wrong
    also: [AG0701]                 other codes that are reported
    severity: warning              omitted: error
    at: api-specs/features.yaml:7
    fix: [...]                    edits on top of the wrong ones
    fix_record: "1.13"            the release to record instead
"""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from apigen.diagnostics import Report
from apigen.diagnostics.printers.text import render
from apigen.language.releases import Release, parse_release
from tests.evolution.editing import Edit, apply_all, edits_of
from tests.evolution.recording import Bases, copied, lint, try_to_record
from tests.yaml_files import read_yaml

CASES = sorted(path.parent for path in Path(__file__).parent.glob("*/case.yaml"))
LEAST = 30


@dataclass(frozen=True, slots=True)
class Case:
    """A wrong step, and its fix."""

    step: str
    after: Release
    edits: tuple[Edit, ...]
    code: str
    at: str
    fix: tuple[Edit, ...]
    like: str = ""
    base: str = "gadgets"
    record: Release | None = None
    also: tuple[str, ...] = ()
    severity: str = "error"
    fix_record: Release | None = None


def read(folder: Path) -> Case:
    written: dict[str, Any] = read_yaml((folder / "case.yaml").read_text(encoding="utf-8"))
    for name, how in (("edits", edits_of), ("fix", edits_of), ("also", tuple)):
        written[name] = how(written.get(name, ()))
    for name in {"after", "record", "fix_record"} & written.keys():
        written[name] = parse_release(written[name])
    return Case(**written)


def evaluated(specs: Path, record: Release | None) -> Report:
    """Return the diagnostics of a step: to the next release, or to the one that it records."""
    return lint(specs) if record is None else try_to_record(specs, record)


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_wrong_step_is_rejected_and_its_fix_is_accepted(folder: Path, bases: Bases, tmp_path: Path) -> None:
    case, expected = read(folder), folder / "expected.txt"
    original = bases.folder(case.base, case.after)
    specs = copied(original, tmp_path / "api-specs")
    apply_all(case.edits, specs, original)
    found = evaluated(specs, case.record).diagnostics
    shown = render(found)
    if "APIGEN_UPDATE" in os.environ:
        expected.write_text(shown, encoding="utf-8")
    assert found and found[0].code == case.code and {d.code for d in found} == {case.code, *case.also}, shown
    assert {d.severity for d in found} == {case.severity}
    place = found[0].place
    assert (f"{place.file}:{place.line}" if place.line else place.file) == case.at, shown
    assert all(d.hint for d in found if d.code == case.code), f"nothing says what to do:\n{shown}"
    assert shown == expected.read_text(encoding="utf-8")
    apply_all(case.fix, specs, original)
    left = evaluated(specs, case.fix_record).diagnostics
    assert not left, render(left)


def test_wrong_steps_are_many_and_distinct() -> None:
    cases = {folder: read(folder) for folder in CASES}
    kinds = Counter(_kind(folder) for folder, case in cases.items() if case.severity == "error" and not case.like)
    assert all(_kind(folder.parent / case.like) == _kind(folder) for folder, case in cases.items() if case.like)
    assert [kind for kind, count in kinds.items() if count > 1] == []
    assert len(kinds) >= LEAST


def _kind(folder: Path) -> str:
    """The id of a rule, or a code with its message, without the names and numbers in it."""
    code = read(folder).code
    if not code.startswith("AG"):
        return code
    first = (folder / "expected.txt").read_text(encoding="utf-8").splitlines()[0]
    severity_and_message = first.partition(": error ")[2]
    return re.sub(r"`[^`]*`|\b[0-9]+(\.[0-9]+)?\b", "…", severity_and_message)
