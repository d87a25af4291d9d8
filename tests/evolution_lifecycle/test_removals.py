"""Fields and values go when they may, and what returns is what it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evolution_lifecycle.steps import codes, found, frobber, group

DEPTH = "depth: {type: int32, optional: true, protobuf: 4%s}"
GONE_FIELD = "field-removed-with-tombstone"
GONE = "tombstones: {depth: {protobuf: 4}}"
MODE = "mode: {type: Mode, omitEmpty: true, protobuf: 5}"


def specs(version: str, file: str) -> dict[str, str]:
    return {"group.yaml": group(f"{version}: {{storage: true}}", hub=version), f"{version}.yaml": file}


@pytest.mark.parametrize(
    ("version", "field", "release", "expected"),
    [
        ("v1", "", "1.12", [GONE_FIELD]),
        ("v1", ', deprecated: "1.3"', "1.12", [GONE_FIELD]),
        ("v1", ", featureGate: Off", "1.12", []),
        ("v1", ", featureGate: On", "1.12", [GONE_FIELD]),
        ("v1", ", featureGate: Once", "1.12", [GONE_FIELD]),
        ("v1", ", featureGate: {all: [On, Off]}", "1.12", []),
        ("v1", ", featureGate: {any: [On, Off]}", "1.12", [GONE_FIELD]),
        ("v1", ", featureGate: {gate: Off, during: []}", "1.12", [GONE_FIELD]),
        ("v1beta1", "", "1.12", [GONE_FIELD]),
        ("v1beta1", ', deprecated: "1.12"', "1.12", [GONE_FIELD]),  # not out yet
        ("v1beta1", ', deprecated: "1.10"', "1.12", [GONE_FIELD]),
        ("v1beta1", ', deprecated: "1.9"', "1.12", []),
        ("v1beta1", ', deprecated: "1.9"', None, []),
        ("v1beta1", ", featureGate: Off", "1.12", []),
        ("v1alpha1", "", "1.12", []),
    ],
)
def test_removed_field(tmp_path: Path, version: str, field: str, release: str | None, expected: list[str]) -> None:
    before = {"1.11": specs(version, frobber(DEPTH % field))}
    assert codes(tmp_path, before, specs(version, frobber(more=GONE)), release) == expected


@pytest.mark.parametrize(
    ("version", "field", "expected"),
    [
        ("v1", ', deprecated: "1.9", removed: "1.20"', ["removal-before-window"]),
        ("v1", ', deprecated: "1.9"', []),
        ("v1", ', removed: "1.20", featureGate: Off', []),
        ("v1", ', removed: "1.20", featureGate: Once', ["removal-before-window"]),
        ("v1beta1", ', removed: "1.20", featureGate: Off', []),
        ("v1beta1", ', removed: "1.20"', ["removal-before-window"]),
        ("v1beta1", ', deprecated: "1.12", removed: "1.14"', ["removal-before-window"]),
        ("v1beta1", ', deprecated: "1.12", removed: "1.15"', []),
        ("v1beta1", ', deprecated: "1.12", removed: "2.0"', []),
        ("v1alpha1", ', removed: "1.12"', []),
    ],
)
@pytest.mark.parametrize("release", ["1.11", None])
def test_field_with_planned_removal(
    tmp_path: Path, version: str, field: str, expected: list[str], release: str | None
) -> None:
    assert codes(tmp_path, {}, specs(version, frobber(DEPTH % field)), release) == expected


@pytest.mark.parametrize(
    ("version", "value", "expected"),
    [
        ("v1", "{}", ["enum-value-removed"]),
        ("v1", "{featureGate: Off}", []),
        ("v1beta1", "{}", ["enum-value-removed"]),
        ("v1beta1", '{deprecated: "1.10"}', ["enum-value-removed"]),
        ("v1beta1", '{deprecated: "1.8"}', []),
        ("v1alpha1", "{}", []),
    ],
)
def test_removed_enum_value(tmp_path: Path, version: str, value: str, expected: list[str]) -> None:
    was = f"Mode: {{enum: {{Flat: {{}}, Round: {value}}}, unknown: Flat}}"
    now = "Mode: {enum: {Flat: {}}, unknown: Flat, tombstones: {Round: {}}}"
    before = {"1.11": specs(version, frobber(MODE, types=was))}
    assert codes(tmp_path, before, specs(version, frobber(MODE, types=now)), "1.12") == expected


def test_diagnostic_has_both_locations_and_the_fix(tmp_path: Path) -> None:
    before = {"1.11": specs("v1", frobber(DEPTH % ""))}
    [diagnostic] = found(tmp_path, before, specs("v1", frobber(more=GONE)), "1.12")
    assert diagnostic.message == (
        "v1 `Frobber.depth` was removed with a tombstone: stable elements must be kept for all of 1.x"
    )
    assert diagnostic.hint == (
        'restore `depth`; to phase it out, declare `deprecated: "1.12"` and `replacement:`, and omit it from the next version'
        " of the API"
    )
    assert str(diagnostic.place).startswith("things.example.com/v1.yaml:4:18")
    assert [related.message for related in diagnostic.related] == ["in release 1.11"]


RETURNED = ', returned: "1.12"'
WITHOUT = frobber(more=GONE)


@pytest.mark.parametrize(
    ("was", "now", "expected"),
    [
        (DEPTH % "", DEPTH % RETURNED, []),
        (DEPTH % "", "depth: {type: string, optional: true, protobuf: 4, returned: '1.12'}", ["AG1323"]),
        (DEPTH % "", "depth: {type: int32, omitEmpty: true, protobuf: 4, returned: '1.12'}", ["AG1323"]),
        (DEPTH % "", "depth: {type: int32, optional: true, protobuf: 7, returned: '1.12'}", ["AG1323"]),
        (DEPTH % "", "depth: {type: bool, nullable: true, protobuf: 7, returned: '1.12'}", ["AG1323"] * 3),
        ("width: {type: int32, protobuf: 9}", DEPTH % RETURNED, ["AG1324"]),  # never there
        (DEPTH % "", DEPTH % ', returned: "1.13"', ["AG1324"]),  # another release
    ],
)
def test_restored_field(tmp_path: Path, was: str, now: str, expected: list[str]) -> None:
    before = {"1.10": specs("v1alpha1", frobber(was)), "1.11": specs("v1alpha1", WITHOUT)}
    assert codes(tmp_path, before, specs("v1alpha1", frobber(now)), "1.12") == expected


def test_returned_on_field_never_removed_is_rejected(tmp_path: Path) -> None:
    before = {"1.11": specs("v1", frobber(DEPTH % ""))}
    assert codes(tmp_path, before, specs("v1", frobber(DEPTH % RETURNED)), "1.12") == ["AG1324"]


def test_field_returned_in_earlier_release_is_not_checked(tmp_path: Path) -> None:
    before = {
        "1.10": specs("v1alpha1", frobber(DEPTH % "")),
        "1.11": specs("v1alpha1", WITHOUT),
        "1.12": specs("v1alpha1", frobber(DEPTH % RETURNED)),
    }
    assert codes(tmp_path, before, specs("v1alpha1", frobber(DEPTH % RETURNED)), "1.13") == []


WIDTH = "width: {type: int32, optional: true, protobuf: 6%s}"
DROPPED = "hubOnly: {width: {drop: not needed}}"


@pytest.mark.parametrize(
    ("versions", "v1", "v2", "expected"),
    [
        ("v1: {storage: true}\nv2: {}", WIDTH % "", DROPPED, ["lossy-conversion"]),
        ("v1: {storage: true}\nv2: {}", DROPPED, WIDTH % "", ["lossy-conversion"]),
        (
            "v1: {storage: true}\nv2: {}",
            WIDTH % "",
            "",
            [],
        ),  # the planner of conversions reports this loss
        ("v1: {storage: true}\nv2: {}", WIDTH % "", WIDTH % "", []),
        ("v1: {storage: true}\nv2: {served: false}", WIDTH % "", "", []),
        ("v1: {storage: true}\nv2: {}", WIDTH % ", hub: height", "", []),  # declared otherwise
    ],
)
def test_a_new_field_is_in_all_versions(tmp_path: Path, versions: str, v1: str, v2: str, expected: list[str]) -> None:
    def file(fields: str) -> str:
        return frobber(more=fields) if fields == DROPPED else frobber(fields)

    def both(one: str, two: str) -> dict[str, str]:
        return {"group.yaml": group(versions), "v1.yaml": file(one), "v2.yaml": file(two)}

    assert codes(tmp_path, {"1.11": both("", "")}, both(v1, v2), "1.12") == expected
    assert codes(tmp_path / "known", {"1.11": both(v1, v2)}, both(v1, v2), "1.12") == []


def test_hub_only_field_counts_as_present_in_version(tmp_path: Path) -> None:
    versions = group("v1: {storage: true}\nv2: {}")
    old = {"group.yaml": versions, "v1.yaml": frobber(), "v2.yaml": frobber()}
    carried = frobber(more="hubOnly: {width: {annotation: things.example.com/width}}")
    now = {"group.yaml": versions, "v1.yaml": frobber(WIDTH % ""), "v2.yaml": carried}
    assert codes(tmp_path, {"1.11": old}, now, "1.12") == []
    dropped = frobber(more="hubOnly: {width: {drop: who cares}}")
    assert codes(tmp_path / "dropped", {"1.11": old}, {**now, "v2.yaml": dropped}, "1.12") == ["lossy-conversion"]


def test_unverified_default_of_nested_field_is_an_error(tmp_path: Path) -> None:
    part = "  Part: {fields: {size: {type: int32, optional: true, protobuf: 1}}}"

    def sized(size: int) -> dict[str, str]:
        field = "part: {type: Part, optional: true, protobuf: 4}"
        return specs("v1", frobber(field, f"defaults: {{part.size: {size}}}", part.strip()))

    assert codes(tmp_path, {"1.11": sized(3)}, sized(4), "1.12") == ["default-changed"]
    assert codes(tmp_path / "same", {"1.11": sized(3)}, sized(3), "1.12") == []
