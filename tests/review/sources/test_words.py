"""Conditions, defaults and lenses as text: what means the same says the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.inputs.source import Setting
from apigen.ir.surface import Keyword
from apigen.review.changes.change import Altered
from apigen.review.changes.comparing import compare
from tests.review.sources.things import TYPES, loaded, struct, write_things

THING = """\
types:
  Thing:
    fields:
      metadata: {{type: meta/v1.ObjectMeta, required: false, protobuf: 1}}
      mode: {{type: string, optional: true, protobuf: 3}}
      size: {{type: int32, optional: true, protobuf: 2, {more}}}
"""


def said(tmp_path: Path, more: str, name: str = "specs") -> object:
    """The default of a field, as the surface has it."""
    surface = loaded(name, Setting(write_things(tmp_path / name, THING.format(more=more)).parent))
    default = struct(surface, "Thing").fields["size"].slot.default
    return None if default is None else default.text


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("default: 3", "3"),
        ("default: {value: 3}", "3"),
        ("default: {value: 3, when: {mode: a}}", '3 when mode is "a"'),
        ("default: {value: 3, when: {mode: [a, b]}}", '3 when mode is "a" or "b"'),
        ("default: {value: 3, when: {set: mode}}", "3 when mode is set"),
        ("default: {value: 3, when: {unset: mode}}", "3 when mode is not set"),
        (
            "default: [{value: 3, when: {any: [{set: mode}, {mode: x}]}}, {value: 4}]",
            '3 when mode is set or mode is "x"; else 4',
        ),
        ("default: {value: 3, overwrite: true}", "3, whatever is there"),
    ],
)
def test_defaults(written: str, text: str, tmp_path: Path) -> None:
    assert said(tmp_path, written) == text


def test_equivalent_default_is_not_a_change(tmp_path: Path) -> None:
    said(tmp_path, "default: 3", "old")
    said(tmp_path, "default: {value: 3}", "new")
    assert not list(compare(*(loaded(side, Setting(tmp_path)) for side in ("old", "new"))))


def test_keyword_without_effect_is_ignored(tmp_path: Path) -> None:
    said(tmp_path, "immutable: false", "old")
    said(tmp_path, "minimum: 1", "new")
    changes = list(compare(*(loaded(side, Setting(tmp_path)) for side in ("old", "new"))))
    assert [change.keyword for change in changes if isinstance(change, Altered)] == [Keyword.MINIMUM]


def test_default_by_path_is_a_change_of_its_field(tmp_path: Path) -> None:
    write_things(tmp_path / "old")
    write_things(tmp_path / "new", TYPES + "    defaults:\n      metadata.name: {value: x}\n")
    (change,) = compare(*(loaded(side, Setting(tmp_path)) for side in ("old", "new")))
    assert isinstance(change, Altered) and change.element.path == "metadata.name"
    assert (change.before, getattr(change.after, "text", "")) == (None, '"x"')


@pytest.mark.slow
def test_specs_are_equal_to_themselves() -> None:
    """All of Kubernetes' API, read twice."""
    root = Path(__file__).resolve().parents[3]
    old, new = (loaded(side, Setting(root)) for side in ("api-specs", "specs:api-specs"))
    assert list(compare(old, new)) == []
