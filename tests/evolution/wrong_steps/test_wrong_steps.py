"""Each wrong step is refused, with its code, its place, a reason and a mend; the mend makes `lint` content.

A folder here is a step: `case.yaml`, and what `lint` says in `expected.txt` (`APIGEN_UPDATE=1` writes it).

    step: what is wrong, in a sentence
    base: gadgets                       a folder of `bases/`; left out: gadgets
    after: "1.12"                       the release that was recorded last
    release: "1.13"                     the one in the making; left out: the next one
    edits: [...]                        see `editing`
    code: AG1350
    at: gadgets.example.com/v1.yaml:12
    mend: [...]                         edits on top of the wrong ones
"""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from apigen.diagnostics import Diagnostic
from apigen.diagnostics.printers.text import render
from apigen.ir.lifecycle import parse_release
from apigen.ir.model import Release
from tests.evolution.editing import Edit, apply_all
from tests.evolution.recording import edits_of, lint, recorded_base

CASES = sorted(path.parent for path in Path(__file__).parent.glob("*/case.yaml"))
LEAST = 30


@dataclass(frozen=True, slots=True)
class Case:
    """A wrong step, and how it is mended."""

    step: str
    base: str
    after: Release
    release: Release
    edits: tuple[Edit, ...]
    code: str
    at: str
    mend: tuple[Edit, ...]
    expected: Path


def read(folder: Path) -> Case:
    written: dict[str, Any] = yaml.safe_load((folder / "case.yaml").read_text(encoding="utf-8"))
    after = parse_release(written.pop("after"))
    release = parse_release(written.pop("release", f"{after.major}.{after.minor + 1}"))
    edits, mend = edits_of(written.pop("edits")), edits_of(written.pop("mend"))
    base = written.pop("base", "gadgets")
    return Case(**written, base=base, after=after, release=release, edits=edits, mend=mend, expected=folder / "expected.txt")


def refused(case: Case, folder: Path) -> tuple[Diagnostic, str]:
    """What is said of the wrong step, as it is and as people see it."""
    specs = recorded_base(case.base, case.after, folder)
    apply_all(case.edits, specs)
    diagnostics = lint(specs, case.release).diagnostics
    shown = render(diagnostics)
    assert [d.code for d in diagnostics] == [case.code], shown
    return diagnostics[0], shown


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_the_step_is_refused(folder: Path, tmp_path: Path) -> None:
    case = read(folder)
    found, shown = refused(case, tmp_path)
    assert found.severity == "error"
    assert f"{found.place.file}:{found.place.line}" == case.at, shown
    assert found.hint, f"nothing says what to do:\n{shown}"
    if "APIGEN_UPDATE" in os.environ:
        case.expected.write_text(shown, encoding="utf-8")
    assert shown == case.expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_the_mend_makes_it_good(folder: Path, tmp_path: Path) -> None:
    case = read(folder)
    specs = recorded_base(case.base, case.after, tmp_path)
    apply_all((*case.edits, *case.mend), specs)
    found = lint(specs, case.release).diagnostics
    assert not found, render(found)


def test_there_are_many_and_each_is_of_another_kind() -> None:
    kinds = Counter(f"{(case := read(folder)).code} {_family(case)}" for folder in CASES)
    assert [kind for kind, count in kinds.items() if count > 1] == []
    assert len(kinds) >= LEAST


def _family(case: Case) -> str:
    """What is said first, without the names and numbers in it."""
    message = case.expected.read_text(encoding="utf-8").splitlines()[0].partition(": error ")[2]
    return re.sub(r"`[^`]*`|\b[0-9]+(\.[0-9]+)?\b", "…", message)
