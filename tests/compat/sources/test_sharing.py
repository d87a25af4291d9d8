"""Both sides of a comparison that share what they say are what each of them is by itself, to the last place."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from apigen.compat.sources.loading import load
from apigen.compat.sources.sharing import Sharing
from apigen.compat.sources.source import Setting
from apigen.compat.surface.surface import Surface
from apigen.diagnostics import Diagnostic, Place, Report
from tests.compat.cases import SHORTHAND, Case, all_cases, write_specs

_PLACE = re.compile(r"Place\(file='([^']*)', line=(\d+), column=(\d+)\)")

Loaded = tuple[str, tuple[Diagnostic, ...]]

THING = """\
types:
  Thing:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
      spec: {type: ThingSpec, protobuf: 2}
  ThingSpec:
    defaults:
      size: 3
    fields:
      shape: {type: Shape, inline: true, protobuf: 1}
      mode: {type: Mode, protobuf: 2}
      names: {type: Names, nullable: true, protobuf: 3}
      size: {type: int32, protobuf: 4, enforcedByHand: {minimum: 1}}
      other: {type: other/v1.Part, protobuf: 5}
  Shape:
    fields:
      kind: {type: Form, protobuf: 1}
      circle: {type: string, optional: true, protobuf: 2}
      square: {type: string, optional: true, protobuf: 3}
    unions:
      - {discriminator: kind, members: {Circle: circle, Square: square}}
  Form:
    enum: {Circle: {}, Square: {}}
  Mode:
    enum: {On: {}, Off: {}}
  Names:
    is: "[]Name"
  Name:
    is: string
    maxLength: 10
"""
PART = "types:\n  Part:\n    fields:\n      width: {type: int32, protobuf: 1}\n"
GROUP = "group: things.example.com\nversions: {v1: {storage: true}}\nkinds: {Thing: {scope: Namespaced}}\n"
OTHER = "group: other.example.com\nversions: {v1: {storage: true}}\n"
FILES = {"things/group.yaml": GROUP, "things/v1.yaml": THING, "other/group.yaml": OTHER, "other/v1.yaml": PART}

EDITS = {
    "nothing": ("things/v1.yaml", "", ""),
    "a line above": ("things/v1.yaml", "  Mode:", "  # more\n  Mode:"),
    "the first line": ("things/v1.yaml", "types:", "# all of them\ntypes:"),
    "a type between": ("things/v1.yaml", "  Form:", "  Extra:\n    is: string\n  Form:"),
    "a type less": ("things/v1.yaml", "  Mode:\n    enum: {On: {}, Off: {}}\n", ""),
    "inline": ("things/v1.yaml", "circle: {type: string,", "circle: {type: bytes,"),
    "a value of the discriminator": ("things/v1.yaml", "Circle: {}, Square: {}", "Circle: {}, Square: {}, Oval: {}"),
    "an alias": ("things/v1.yaml", "is: string", "is: int32"),
    "an enum is a text": ("things/v1.yaml", "enum: {On: {}, Off: {}}", "is: string"),
    "a type of another group": ("other/v1.yaml", "int32", "int64"),
    "a type of another group is an alias": (
        "other/v1.yaml",
        "    fields:\n      width: {type: int32, protobuf: 1}",
        "    is: string",
    ),
    "another group's name": ("other/group.yaml", "other.example.com", "parts.example.com"),
    "no defaults": ("things/group.yaml", "storage: true", "storage: true, defaulted: false"),
    "the life of a version": ("things/group.yaml", "storage: true", "storage: true, introduced: '1.2'"),
    "no kind": ("things/group.yaml", "kinds: {Thing: {scope: Namespaced}}\n", ""),
    "no type meta": ("things/group.yaml", "scope: Namespaced", "scope: Namespaced, typeMeta: false"),
    "a kind more": ("things/group.yaml", "kinds: {", "kinds: {ThingSpec: {list: false}, "),
    "an error": ("things/v1.yaml", "maxLength: 10", "maxLenght: 10"),
    "a name that is not there": ("things/v1.yaml", "  Form:", "  Sort:"),
    "the same name twice": ("things/v1.yaml", "  Name:\n", "  Mode:\n"),
    "text that looks like a type": (
        "things/v1.yaml",
        "  Mode:",
        '  Text:\n    doc: "over\n  several:\n    lines"\n    is: string\n  Mode:',
    ),
    "braces that are not closed": ("things/v1.yaml", "Square: {}}\n", "Square: {}\n"),
    "an anchor": ("things/v1.yaml", "    is: string\n", "    is: &text string\n    doc: *text\n"),
    "another line break": ("things/v1.yaml", "\n", "\r\n"),
    "the last line": ("things/v1.yaml", "maxLength: 10\n", "maxLength: 10"),
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("is_turned", [False, True], ids=["edited", "mended"])
def test_an_edit_makes_the_same_difference(edit: str, is_turned: bool, tmp_path: Path) -> None:
    name, was, is_now = EDITS[edit]
    write(tmp_path / "old", FILES)
    write(tmp_path / "new", {**FILES, name: FILES[name].replace(was, is_now) if was else FILES[name]})
    hold_together(*(("new", "old") if is_turned else ("old", "new")), tmp_path)


def is_of_specs(path: Path) -> bool:
    said = yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else None
    return isinstance(said, dict) and set(said) <= SHORTHAND


CASES = [
    case for case in all_cases()[::40] if all(is_of_specs(case.folder / f"{name}.yaml") for name in ("old", "new"))
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_sides_of_a_case_are_what_they_are_alone(case: Case, tmp_path: Path) -> None:
    for name in ("old", "new"):
        write_specs(yaml.safe_load((case.folder / f"{name}.yaml").read_text(encoding="utf-8")), tmp_path / name)
    hold_together("old", "new", tmp_path)


def test_what_is_the_same_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "old", FILES)
    write(tmp_path / "new", {**FILES, "things/v1.yaml": THING.replace("maxLength: 10", "maxLength: 11")})
    setting = Setting(tmp_path, sharing=Sharing())
    old, new = load("old", setting, Report()), load("new", setting, Report())
    assert old is not None and new is not None
    mine, theirs = (side.groups["things.example.com"].versions["v1"].types for side in (old, new))
    assert [name for name in mine if mine[name] is not theirs[name]] == ["ThingSpec", "Name"]
    assert new.shown(theirs["Mode"].place) == Place("new/things/v1.yaml", theirs["Mode"].place.line, 3)


def test_a_folder_within_the_other_is_read_by_itself(tmp_path: Path) -> None:
    write(tmp_path / "old", {f"{folder}/{name}": text for folder in ("a", "b") for name, text in FILES.items()})
    write(tmp_path / "new", FILES)
    hold_together("old/a", "old/a", tmp_path)
    hold_together("old/a", "old", tmp_path)
    hold_together("old", "new", tmp_path)


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def hold_together(old: str, new: str, folder: Path) -> None:
    """Both sides by themselves are what they are when they share."""
    alone, together = Setting(folder), Setting(folder, sharing=Sharing())
    for side in (old, new):
        assert loaded(side, together) == loaded(side, alone), f"{old} to {new}"


def loaded(said: str, setting: Setting) -> Loaded:
    report = Report()
    found = load(said, setting, report)
    return ("nothing" if found is None else text_of(found)), report.diagnostics


def text_of(surface: Surface) -> str:
    """All of a surface, with the places that are shown, in the order in which it is written."""

    def shown(match: re.Match[str]) -> str:
        return repr(surface.shown(Place(match[1], int(match[2]), int(match[3]))))

    return _PLACE.sub(shown, repr(replace(surface, moved=None)))
