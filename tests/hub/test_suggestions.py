"""`apigen lint --suggest`: printed lenses work when pasted, and declared fields are unchanged."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report
from apigen.diagnostics.printers.text import render
from apigen.hub.suggestions import Suggestion, suggestions

GROUP = "group: gym.example.com\nversions: {v1: {storage: true}, v1beta1: {}}\nhub: v1\nkinds: {Machine: {plural: machines}}\n"
V1 = """\
types:
  Machine:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
      timeout: {type: Duration, optional: true, protobuf: 2}
      displayName: {type: string, required: false, protobuf: 3}
      dimensions: {type: Dimensions, optional: true, protobuf: 4}
      labels: {type: "[]Label", omitEmpty: true, protobuf: 5}
      mode: {type: Mode, omitEmpty: true, protobuf: 6}
      owners: {type: "[]string", omitEmpty: true, protobuf: 7}
      weight: {type: int32, required: false, protobuf: 8}
  Dimensions:
    fields:
      width: {type: int32, required: false, protobuf: 1}
      height: {type: int32, required: false, protobuf: 2}
  Label:
    fields:
      name: {type: string, required: false, protobuf: 1}
      value: {type: string, required: false, protobuf: 2}
  Mode: {enum: {RollingUpdate: {}, Recreate: {}}}
"""
V1BETA1 = """\
types:
  Machine:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
      timeoutSeconds: {type: int32, optional: true, protobuf: 2}
      name: {type: string, required: false, protobuf: 3}
      width: {type: int32, required: false, protobuf: 4}
      height: {type: int32, required: false, protobuf: 5}
      labels: {type: "map[string]string", omitEmpty: true, protobuf: 6}
      mode: {type: Mode, omitEmpty: true, protobuf: 7}
      owner: {type: string, required: false, protobuf: 8}
      weight: {type: int32, required: false, protobuf: 9}
  Mode: {enum: {rolling-update: {}, recreate: {}}}
"""


def specs(folder: Path, v1: str, v1beta1: str) -> Path:
    """A spec folder with a kind in two versions."""
    group = folder / "api-specs" / "gym.example.com"
    group.mkdir(parents=True, exist_ok=True)
    for name, text in (("group.yaml", GROUP), ("v1.yaml", v1), ("v1beta1.yaml", v1beta1)):
        (group / name).write_text(text, encoding="utf-8")
    return folder / "api-specs"


def suggested(folder: Path) -> tuple[tuple[Suggestion, ...], Report]:
    """The suggestions for a spec folder, and what its check reports."""
    report = Report()
    checked = check(Sources(folder, None, folder), report, check_unselected=True)
    assert checked.api is not None, render(report.diagnostics)
    return suggestions(checked.api, checked.own), report


def pasted(text: str, found: tuple[Suggestion, ...]) -> str:
    """A version's file with the lenses at the lines that they are printed with."""
    lines = text.splitlines()
    for each in found:
        line = lines[each.place.line - 1]
        lines[each.place.line - 1] = re.sub(r"\}$", f", hub: {each.text}}}", line)
    return "\n".join(lines) + "\n"


def test_each_kind_of_difference_gets_a_lens(tmp_path: Path) -> None:
    found, _ = suggested(specs(tmp_path, V1, V1BETA1))
    assert {each.field: each.text for each in found} == {
        "timeoutSeconds": "{to: timeout, seconds: truncate, outOfRange: cap}",
        "name": "displayName",
        "width": "dimensions.width",
        "height": "dimensions.height",
        "labels": "{list: labels, key: name, value: value}",
        "mode": "{enum: {recreate: Recreate, rolling-update: RollingUpdate}}",
        "owner": '"owners[0]"',
    }
    assert {each.field for each in found if not each.losses} == {"name", "width", "height"}


def test_pasted_suggestions_resolve_all_errors(tmp_path: Path) -> None:
    found, before = suggested(specs(tmp_path, V1, V1BETA1))
    assert before.has_errors
    rest, after = suggested(specs(tmp_path, V1, pasted(V1BETA1, found)))
    assert not after.has_errors, render(after.diagnostics)
    assert rest == ()


def test_declared_fields_get_no_suggestion(tmp_path: Path) -> None:
    declared = V1BETA1.replace(
        "name: {type: string, required: false", "name: {hub: {drop: unused}, type: string, required: false"
    )
    found, _ = suggested(specs(tmp_path, V1, declared))
    assert "name" not in {each.field for each in found}


def test_a_field_with_a_lens_of_its_value_keeps_its_hub_field(tmp_path: Path) -> None:
    v1 = V1.replace("weight: {type: int32, required: false", "weight: {type: int32, optional: true")
    weights = "required: false, protobuf: 9}\n"
    nested = "      old: {type: Old, required: false, protobuf: 10}\n  Old:\n    fields:\n      weight: {type: int32, required: false, protobuf: 1}\n"
    declared = V1BETA1.replace(weights, f"hub: {{absent: 0}}, {weights}{nested}")
    found, _ = suggested(specs(tmp_path, v1, declared))
    assert "old" not in {each.field for each in found}


def test_dissimilar_fields_get_no_suggestion(tmp_path: Path) -> None:
    v1 = V1.replace("displayName: {type: string", "paint: {type: string")
    v1beta1 = V1BETA1.replace("      name: {type: string", "      zone: {type: string")
    found, _ = suggested(specs(tmp_path, v1, v1beta1))
    assert "zone" not in {each.field for each in found}


def test_struct_with_fields_inlined_in_its_parent_is_flattened(tmp_path: Path) -> None:
    found, _ = suggested(specs(tmp_path, V1BETA1, V1))
    assert {each.field: each.text for each in found}["dimensions"] == "."


NESTED_V1 = """\
      replicas: {type: int32, optional: true, protobuf: 2}
      paused: {type: bool, omitEmpty: true, protobuf: 3}
      zone: {type: string, optional: true, protobuf: 4}
      deletion: {type: Deletion, omitEmpty: true, protobuf: 5}
      names: {type: "[]string", nullable: true, protobuf: 6}
      mode: {type: Mode, optional: true, protobuf: 7}
      minReady: {type: int32, optional: true, protobuf: 8}
      size: {type: Size, optional: true, protobuf: 9}
      wait: {type: Duration, required: false, protobuf: 10}
  Deletion:
    fields:
      drainTimeoutSeconds: {type: int32, optional: true, protobuf: 1}
      inner: {type: Inner, optional: true, protobuf: 2}
  Inner:
    fields:
      volumeTimeoutSeconds: {type: int32, omitEmpty: true, protobuf: 1}
  Mode: {enum: {A: {}, B: {}}}
  Size:
    fields:
      width: {type: int32, required: false, protobuf: 1}
"""
NESTED_V1BETA1 = """\
      replicas: {type: int32, required: false, protobuf: 2}
      paused: {type: bool, optional: true, protobuf: 3}
      zone: {type: string, omitEmpty: true, protobuf: 4}
      drainTimeout: {type: Duration, optional: true, protobuf: 5}
      volumeTimeout: {type: Duration, optional: true, protobuf: 6}
      names: {type: "[]string", omitEmpty: true, protobuf: 7}
      mode: {type: Mode, omitEmpty: true, protobuf: 8}
      minReadySeconds: {type: int32, required: false, protobuf: 9}
      size: {type: Size, required: false, protobuf: 10}
      waitSeconds: {type: int32, optional: true, protobuf: 11}
  Mode: {enum: {A: {}, B: {}}}
  Size:
    fields:
      width: {type: int32, required: false, protobuf: 1}
"""


def test_unset_values_and_nested_seconds_get_lenses(tmp_path: Path) -> None:
    head = V1.partition("      timeout:")[0]
    found, _ = suggested(specs(tmp_path, head + NESTED_V1, head + NESTED_V1BETA1))
    assert {each.field: each.text for each in found} == {
        "replicas": "{absent: 0}",
        "paused": "{absent: false}",
        "zone": '{absent: ""}',
        "drainTimeout": "{to: deletion.drainTimeoutSeconds, seconds: truncate, outOfRange: cap}",
        "volumeTimeout": "{to: deletion.inner.volumeTimeoutSeconds, seconds: truncate, outOfRange: cap, absent: 0}",
        "mode": '{absent: ""}',
        "minReadySeconds": "{to: minReady, absent: 0}",
        "size": "{absent: {}}",
        "waitSeconds": "{to: wait, seconds: truncate, outOfRange: cap, absent: 0s}",
    }
    rest, after = suggested(specs(tmp_path, head + NESTED_V1, pasted(head + NESTED_V1BETA1, found)))
    assert not after.has_errors, render(after.diagnostics)
    assert rest == ()


REPLACED_V1 = """\
      readyReplicas: {type: int32, optional: true, protobuf: 2}
      conditions: {type: "[]string", omitEmpty: true, protobuf: 3}
      deprecated: {type: Deprecated, optional: true, protobuf: 4}
  Deprecated: {fields: {v1beta1: {type: Old, optional: true, protobuf: 1}}}
  Old:
    fields:
      readyReplicas: {type: int32, required: false, protobuf: 1}
      updatedReplicas: {type: int32, required: false, protobuf: 2}
      conditions: {type: "[]int32", omitEmpty: true, protobuf: 3}
"""
REPLACED_V1BETA1 = """\
      readyReplicas: {type: int32, required: false, protobuf: 2}
      updatedReplicas: {type: int32, required: false, protobuf: 3}
      conditions: {type: "[]int32", omitEmpty: true, protobuf: 4}
      v1: {type: New, optional: true, protobuf: 5}
  New:
    fields:
      readyReplicas: {type: int32, optional: true, protobuf: 1}
      conditions: {type: "[]string", omitEmpty: true, protobuf: 2}
"""


def test_field_with_a_new_meaning_is_moved(tmp_path: Path) -> None:
    head = V1.partition("      timeout:")[0]
    found, _ = suggested(specs(tmp_path, head + REPLACED_V1, head + REPLACED_V1BETA1))
    assert {each.field: each.text for each in found} == {
        "readyReplicas": "deprecated.v1beta1.readyReplicas",
        "updatedReplicas": "deprecated.v1beta1.updatedReplicas",
        "conditions": "deprecated.v1beta1.conditions",
        "v1": ".",
    }
    rest, after = suggested(specs(tmp_path, head + REPLACED_V1, pasted(head + REPLACED_V1BETA1, found)))
    assert not after.has_errors, render(after.diagnostics)
    assert rest == ()


FIELDS = {
    "string": ("string", "string", "required: false"),
    "renamed": ("int64", "int64", "required: false"),
    "seconds": ("int32", "Duration", "optional: true"),
    "single": ("string", '"[]string"', None),
    "map": ('"map[string]string"', '"[]Label"', "omitEmpty: true"),
}
"""By kind of difference: the type in v1beta1, the type in v1, and the presence, if it is the same in both."""


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(
            st.sampled_from(sorted(FIELDS)),
            st.sampled_from(["delay", "quotaLimit", "pathPrefix", "zone", "ratio", "shard"]),
        ),
        unique_by=lambda each: each[1],
        min_size=1,
    ),
    st.booleans(),
)
def test_random_versions(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[str, str]], is_reversed: bool
) -> None:
    """Whatever differs, a suggestion that is pasted causes no error of its own."""
    sides: tuple[list[str], list[str]] = ([], [])
    for number, (kind, name) in enumerate(drawn, 2):
        old, new, presence = FIELDS[kind]
        names = {"seconds": (f"{name}Seconds", name), "single": (name, f"{name}s")}.get(
            kind, (f"{name}Old", f"{name}New")
        )
        presences = (presence, presence) if presence else ("required: false", "omitEmpty: true")
        for side, field, type_, how in zip(sides, names, (old, new), presences, strict=True):
            side.append(f"      {field}: {{type: {type_}, {how}, protobuf: {number}}}\n")
    head, tail = V1.partition("      timeout:")[0], V1[V1.index("  Label:") : V1.index("  Mode:")]
    texts = [head + "".join(side) + tail for side in sides]
    v1beta1, v1 = reversed(texts) if is_reversed else texts
    folder = tmp_path_factory.mktemp("random")
    found, before = suggested(specs(folder, v1, v1beta1))
    _, after = suggested(specs(folder, v1, pasted(v1beta1, found)))
    lines = {each.place.line for each in found}
    wrong = [each for each in after.diagnostics if each.severity == "error" and each.place.line in lines]
    assert not [each for each in wrong if each.place.file.endswith("v1beta1.yaml")], render(wrong)
    if not is_reversed:
        assert not after.has_errors, render(after.diagnostics)
    assert len(after.diagnostics) <= len(before.diagnostics)
