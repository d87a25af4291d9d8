"""Of what Kubernetes writes by hand, what is declared here, what vanished, and what is still written by hand."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.kubernetes import hand_written
from tests.kubernetes.hand_written import HAND_WRITTEN, HOWS, Entry, NoSuchPlace, entries, functions, lines_of, text_of
from tests.kubernetes.whole.shared import SHARED

NOTES = SHARED.parent / "research" / "manual-conversions.md"
MAPPING = {
    "conversions": re.compile(r"\b(hub|lenses|hubOnly|absent)\b"),
    "defaults": re.compile(r"\bdefaults?\b"),
}
"""What a declaration says, on its lines or on those of the keys above it."""

every_entry = pytest.mark.parametrize("entry", entries(), ids=lambda entry: f"{entry.package}.{entry.name}")


def by_verdict(kind: str, results: tuple[str, ...]) -> dict[tuple[str, str, str], str]:
    """The result of each function with this outcome."""
    wanted = {function.key for function in functions() if function.kind == kind and function.result in results}
    return {entry.key: entry.how for entry in entries() if entry.key in wanted}


def test_every_function_has_one_entry() -> None:
    listed, entered = Counter(f.key for f in functions()), Counter(e.key for e in entries())
    assert max(listed.values()) == 1
    assert {key: number for key, number in entered.items() if number > 1} == {}, "twice"
    assert sorted(listed.keys() - entered.keys()) == [], "without an entry"
    assert sorted(entered.keys() - listed.keys()) == [], "no function of Kubernetes"


def test_line_counts_match_the_list() -> None:
    lines = {function.key: function.lines for function in functions()}
    assert [e.key for e in entries() if e.key in lines and e.lines != lines[e.key]] == []


@every_entry
def test_locations_exist(entry: Entry) -> None:
    assert entry.how in HOWS
    assert bool(entry.places) == (entry.how in ("declared", "handWritten"))
    for place in entry.places:
        assert lines_of(place)
    by_hand = [place for place in entry.places if str(place[0]).startswith(HAND_WRITTEN)]
    declared = [place for place in entry.places if place not in by_hand]
    assert by_hand or entry.how != "handWritten"
    assert declared or entry.how != "declared", "a declared function may have a rest by hand, and not only that"
    said = [
        " ".join([str(key) for key in place[1:]] + [text_of(line) for line in lines_of(place)]) for place in declared
    ]
    assert not declared or any(MAPPING[entry.kind].search(each) for each in said), f"no declaration: {said}"


def test_plumbing_functions_are_not_needed() -> None:
    assert len(by_verdict("conversions", ("plumbing",))) == 18
    assert {key for key, how in by_verdict("conversions", ("plumbing",)).items() if how != "vanished"} == set()


def test_conversions_expressible_by_lenses_use_lenses() -> None:
    """At least 90 of 94."""
    found = by_verdict("conversions", ("lens", "primitive"))
    assert len(found) == 94
    assert sum(how == "declared" for how in found.values()) >= 90, [k for k, how in found.items() if how != "declared"]
    assert set(found.values()) <= {"declared", "handWritten"}


def test_declarable_defaults_are_declared() -> None:
    """At least 114 of 122. One that only makes an absent map an empty one shows nowhere, and may vanish."""
    found = {entry.key: entry.how for entry in entries() if entry.kind == "defaults"}
    by_hand = [key for key, how in found.items() if how not in ("declared", "vanished")]
    assert len(found) == 122
    assert sum(how == "vanished" for how in found.values()) <= 1
    assert len(found) - len(by_hand) >= 114, by_hand
    assert set(found.values()) <= {"declared", "vanished", "handWritten"}


def test_two_functions_belong_to_no_api_of_the_specs() -> None:
    assert sorted(e.package for e in entries() if e.how == "noApi") == ["abac/v0", "abac/v1beta1"]


@pytest.mark.skipif(not NOTES.is_file(), reason=f"the notes on Kubernetes' functions are not at {NOTES}")
def test_list_matches_the_notes() -> None:
    assert sorted(_noted(NOTES)) == sorted((*f.key, f.lines, f.result) for f in functions())


def _noted(path: Path) -> list[tuple[str, str, str, int, str]]:
    found, section = [], ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line[3]
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        match section, cells:
            case "2", [name, package, lines, _, _, result] if lines.isdigit():
                found.append(("conversions", package, name, int(lines), result))
            case "4", [package, name, lines, result, _] if lines.isdigit():
                found.append(("defaults", package, name, int(lines), result))
    return found


SPEC = """\
types:
  Thing:
    fields:
      a: {type: string, hub: b}
      c:
        type: string
        hub:  # why
          to: d
          when: x
      e: {type: string,
          hub: f}
    hubOnly:
      g:
      - one
      - {two: 2,
         three: 3}
    doc: |
      one
      two
    lenses: {h: i}
"""


def test_lines_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_written, "ROOT", tmp_path)
    monkeypatch.setattr(hand_written, "SPECS", tmp_path / "specs")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "v1.yaml").write_text(SPEC)
    (tmp_path / "handwritten").mkdir()
    (tmp_path / "handwritten" / "f.py").write_text("import x\n\n@x.y\ndef f():\n    return 1\n\n\ndef g():\n    pass\n")

    def numbers(*place: str | int) -> list[int]:
        return sorted(number for _, number in lines_of(place))

    assert numbers("v1.yaml", "Thing", "fields", "a", "hub") == [4]
    assert numbers("v1.yaml", "Thing", "fields", "c", "hub") == [7, 8, 9]
    assert numbers("v1.yaml", "Thing", "fields", "c", "hub", "to") == [8]
    assert numbers("v1.yaml", "Thing", "fields", "e", "hub") == [11]
    assert numbers("v1.yaml", "Thing", "fields", "e") == [10, 11]
    assert numbers("v1.yaml", "Thing", "hubOnly", "g") == [13, 14, 15, 16]
    assert numbers("v1.yaml", "Thing", "hubOnly", "g", 1) == [15, 16]
    assert numbers("v1.yaml", "Thing", "hubOnly", "g", 1, "three") == [16]
    assert numbers("v1.yaml", "Thing", "doc") == [17, 18, 19]
    assert numbers("v1.yaml", "Thing", "lenses") == [20]
    assert numbers("handwritten/f.py", "f") == [3, 4, 5]
    assert numbers("handwritten/f.py") == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    for place in (
        ("v1.yaml", "Thing", "fields", "z"),
        ("v1.yaml", "Thing", "hubOnly", "g", 2),
        ("v2.yaml", "Thing"),
        ("handwritten/f.py", "h"),
        ("handwritten/g.py",),
    ):
        with pytest.raises(NoSuchPlace):
            lines_of(place)
