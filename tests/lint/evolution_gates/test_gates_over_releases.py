"""Changes of a feature gate from release to release: what each rule rejects and accepts, and its fix."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Diagnostic, Report
from apigen.history.model import History
from apigen.language.releases import parse_release
from apigen.lint.evolution import Evolution, run_evolution_rules
from apigen.review.release_step import UNRECORDED, report_errors, review_step
from apigen.review.sources.api.surface_of import Own, surface_of
from tests.ir.resolving import META, resolved

CODES = {f"AG131{digit}" for digit in range(10)} | {
    "gate-added-to-field",
    "gate-mark-removed",
    "gate-removed",
    "gate-enabled-too-early",
    "gate-history-changed",
    "gated-field-always-present",
}
HEADER = "group: things.example.com\nversions: {%s: {storage: true}}\nkinds: {Frobber: {list: false}}\n"
Specs = tuple[str, str]
"""features.yaml, and the fields of Frobber besides its name."""

ALPHA = 'A: {stages: [{release: "1.11", stage: alpha}]}\n'
ALPHA_12 = 'A: {stages: [{release: "1.12", stage: alpha}]}\n'
BETA_12 = 'A: {stages: [{release: "1.12", stage: beta, default: true}]}\n'
BETA = 'A: {stages: [{release: "1.11", stage: alpha}, {release: "1.12", stage: beta, default: true}]}\n'
LOCKED = (
    'A: {stages: [{release: "1.11", stage: alpha}, {release: "1.13", stage: beta, default: true},'
    ' {release: "1.16", stage: ga, default: true, locked: true}]%s}\n'
)
GA_OPEN = 'A: {stages: [{release: "1.11", stage: beta, default: true}, {release: "1.13", stage: ga, default: true}]}\n'
FIELD = "width: {type: int32, optional: true%s}"
MARKED = FIELD % ", featureGate: A"
FREE = FIELD % ""


def found(
    folder: Path,
    now: Specs,
    release: str,
    *releases: tuple[str, Specs],
    version: str = "v1",
    gates: set[str] | None = None,
) -> list[Diagnostic]:
    """Return the findings of the rules about gates for the specs of the next release, after shipped ones."""
    apis = {}
    for name, (features, fields) in [*releases, ("now", now)]:
        kind = f"types: {{Frobber: {{fields: {{name: {{type: string, omitEmpty: true}}{', ' if fields else ''}{fields}}}}}}}\n"
        files = {"features.yaml": features, "group.yaml": HEADER % version, f"{version}.yaml": kind, **META}
        apis[name] = resolved(folder / name, files)
    history = History(map(parse_release, apis.keys() - {"now"}), lambda each: apis[str(each)])
    groups = frozenset({"things.example.com"})
    own = None if gates is None else frozenset(gates)
    report = Report()
    evolution = Evolution(apis["now"], history, parse_release(release), groups, own)
    run_evolution_rules(evolution, report)
    reviewed = Own(groups, frozenset("AB") if own is None else own)
    base = UNRECORDED
    if evolution.before is not None:
        base = surface_of(evolution.before, "base", "specs", evolution.newest, reviewed)
    report_errors(review_step(base, surface_of(apis["now"], "now", "specs", evolution.release, reviewed)), report)
    return [d for d in report.diagnostics if d.code in CODES]


def codes(diagnostics: list[Diagnostic]) -> list[str]:
    return [d.code for d in diagnostics]


# --- when a gate may be removed ---------------------------------------------------------------------------------------

SHIPPED = (("1.15", ((LOCKED % ""), MARKED)), ("1.16", ((LOCKED % ""), MARKED)), ("1.17", ((LOCKED % ""), MARKED)))


def test_locked_gate_is_kept_for_three_releases(tmp_path: Path) -> None:
    (rejected,) = found(tmp_path, ("{}", FREE), "1.18", *SHIPPED)
    assert (rejected.code, rejected.severity) == ("gate-removed", "error")
    assert rejected.message == (
        "feature gate `A` was removed in 1.18: it was locked in 1.16 and must be kept for three releases, until 1.19"
        " removes it"
    )
    assert rejected.hint is not None and "and remove it in 1.19: `A: {stages:" in rejected.hint
    assert [related.message for related in rejected.related] == ["in release 1.17"]


def test_restored_gate_from_the_hint_has_no_findings(tmp_path: Path) -> None:
    (rejected,) = found(tmp_path / "wrong", ("{}", FREE), "1.18", *SHIPPED)
    assert rejected.hint is not None
    gate = rejected.hint.partition("`")[2].rstrip("`") + "\n"
    assert found(tmp_path / "fixed", (gate, FREE), "1.18", *SHIPPED) == []


def test_locked_gate_can_be_removed_in_the_fourth_release(tmp_path: Path) -> None:
    shipped = (*SHIPPED, ("1.18", (LOCKED % "", MARKED)))
    assert found(tmp_path, ("{}", FREE), "1.19", *shipped) == []
    assert found(tmp_path / "announced", (LOCKED % ', removed: "1.19"', MARKED), "1.18", *SHIPPED) == []


def test_early_removal_announcement_is_rejected(tmp_path: Path) -> None:
    assert codes(found(tmp_path, (LOCKED % ', removed: "1.18"', MARKED), "1.17", *SHIPPED[:2])) == ["AG1313"]
    early = LOCKED % ', removed: "1.18"'
    assert codes(found(tmp_path / "reached", (early, MARKED), "1.18", *SHIPPED)) == ["gate-removed"]


@pytest.mark.parametrize(
    ("gate", "release", "expected"),
    [
        (ALPHA, "1.12", []),
        (BETA, "1.13", ["gate-removed"]),
        (BETA, "1.40", ["gate-removed"]),
        (GA_OPEN, "1.20", ["gate-removed"]),
        ('A: {stages: [{release: "1.9", stage: beta}, {release: "1.12", stage: deprecated}]}\n', "1.13", []),
        ('A: {stages: [{release: "1.9", stage: alpha}, {release: "1.12", stage: deprecated}]}\n', "1.13", []),
        ('A: {stages: [{release: "1.0", stage: ga, default: true}, {release: "1.9", stage: deprecated}]}\n', "1.13", ["gate-removed"]),
        (
            'A: {stages: [{release: "1.0", stage: ga, default: true}, {release: "1.9", stage: deprecated},'
            ' {release: "1.10", stage: deprecated, locked: true}]}\n',
            "1.12",
            ["gate-removed"],
        ),
        (
            'A: {stages: [{release: "1.0", stage: ga, default: true}, {release: "1.9", stage: deprecated},'
            ' {release: "1.10", stage: deprecated, locked: true}]}\n',
            "1.13",
            [],
        ),
    ],
)  # fmt: skip
def test_removable_gates(tmp_path: Path, gate: str, release: str, expected: list[str]) -> None:
    shipped = f"1.{int(release[2:]) - 1}"
    assert codes(found(tmp_path, ("{}", ""), release, (shipped, (gate, "")))) == expected


def test_gates_of_other_projects_can_be_removed_at_any_time(tmp_path: Path) -> None:
    assert found(tmp_path, ("{}", ""), "1.13", ("1.12", (BETA, "")), gates={"B"}) == []
    assert codes(found(tmp_path / "own", ("{}", ""), "1.13", ("1.12", (BETA, "")), gates={"A"})) == ["gate-removed"]


# --- released stages --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gate", "expected"),
    [
        (BETA, []),
        (BETA.replace("]}", ', {release: "1.14", stage: ga, default: true}]}'), []),
        (BETA.replace(", default: true", ""), ["stage 1.12 of feature gate `A` changed from beta, enabled to beta, disabled, but it is released"]),
        (BETA.replace("1.11", "1.10"), ["stage 1.11 of feature gate `A` was removed, but it is released: alpha, disabled; "
                                        "stage 1.10 of feature gate `A` is new, but 1.10 was released without it"]),
        (ALPHA, ["stage 1.12 of feature gate `A` was removed, but it is released: beta, enabled"]),
        (BETA.replace(", {", ', {release: "1.12", stage: alpha, default: true}, {', 1).replace('"1.12", stage: beta, default: true', '"1.13", stage: beta'),
         ["stage 1.12 of feature gate `A` changed from beta, enabled to alpha, enabled, but it is released"]),
    ],
)  # fmt: skip
def test_released_stages_must_be_kept(tmp_path: Path, gate: str, expected: list[str]) -> None:
    said = found(tmp_path, (gate, ""), "1.13", ("1.12", (BETA, "")))
    assert [d.message for d in said if d.code == "gate-history-changed"] == expected
    assert all(d.hint and d.related for d in said if d.code == "gate-history-changed")
    for each in said:
        if each.code == "gate-history-changed" and each.hint is not None:
            fixed = f"A: {{{each.hint.partition('`')[2].rstrip('`')}}}\n"
            assert found(tmp_path / "fixed", (fixed, ""), "1.13", ("1.12", (BETA, ""))) == []


def test_planned_stages_can_change(tmp_path: Path) -> None:
    planned = BETA.replace("]}", ', {release: "1.15", stage: ga, default: true}]}')
    later = BETA.replace("]}", ', {release: "1.17", stage: ga, default: true, locked: true}]}')
    assert found(tmp_path, (later, ""), "1.13", ("1.12", (planned, ""))) == []


def test_released_min_compatibility_must_be_kept(tmp_path: Path) -> None:
    shipped = (
        'A: {stages: [{release: "1.12", stage: beta},'
        ' {release: "1.12", stage: beta, default: true, minCompatibility: "1.12"}]}\n'
    )
    assert found(tmp_path, (shipped, ""), "1.13", ("1.12", (shipped, ""))) == []
    changed = shipped.replace('minCompatibility: "1.12"', 'minCompatibility: "1.11"')
    assert codes(found(tmp_path / "changed", (changed, ""), "1.13", ("1.12", (shipped, "")))) == [
        "gate-history-changed"
    ]


def test_new_gate_has_no_released_stages(tmp_path: Path) -> None:
    (rejected,) = found(tmp_path, (ALPHA, ""), "1.13", ("1.12", ("{}", "")))
    assert rejected.code == "gate-history-changed"
    assert rejected.message == "feature gate `A` is new, but 1.11 was released without it"
    assert rejected.hint == 'let the gate begin in the next release: `stages: [{release: "1.13", stage: alpha}]`'
    tells = 'A: {stages: [{release: "1.0", stage: ga, default: true}, {release: "1.13", stage: deprecated}]}\n'
    assert found(tmp_path / "tells", (tells, ""), "1.13", ("1.12", ("{}", ""))) == []


# --- new fields -------------------------------------------------------------------------------------------------------


def test_new_field_with_enabled_gate_is_rejected(tmp_path: Path) -> None:
    (rejected,) = found(tmp_path, (BETA_12, MARKED), "1.12", ("1.11", ("{}", "")))
    assert rejected.code == "gate-enabled-too-early"
    assert rejected.message == ("v1 `Frobber.width` is new, and `A` is enabled by default in 1.12")
    assert (
        rejected.hint is not None
        and 'begin as alpha, and enable it in a later release: `stages: [{release: "1.12"' in rejected.hint
    )


@pytest.mark.parametrize(
    ("type_", "default", "hint"),
    [
        ("int32", "5", "`default: {value: 5, when: {gate: A}}`"),
        ("bool", "true", "`default: {value: true, when: {gate: A}}`"),
        ("string", '"5"', '`default: {value: "5", when: {gate: A}}`'),
        ("string", "five", "`default: {value: five, when: {gate: A}}`"),
        ('"[]string"', "{value: [five]}", "add `when: {gate: A}` to it"),
    ],
)
def test_fix_of_a_default_of_a_gated_field_is_its_value(tmp_path: Path, type_: str, default: str, hint: str) -> None:
    field = f"width: {{type: {type_}, omitEmpty: true, featureGate: A, default: {default}}}"
    reported = found(tmp_path, (ALPHA_12, field), "1.12", ("1.11", ("{}", "")))
    assert [each.hint for each in reported if each.code == "AG1318"] == [f"make the default conditional: {hint}"]


@pytest.mark.parametrize(
    ("now", "before", "expected"),
    [
        ((ALPHA_12, MARKED), ("{}", ""), []),
        ((BETA, MARKED), (ALPHA, MARKED), []),
        ((BETA, MARKED), (ALPHA, ""), ["gate-enabled-too-early"]),
        ((ALPHA_12, FIELD % ", featureGate: {gate: A, during: []}"), ("{}", ""), ["gate-enabled-too-early"]),
        ((BETA_12 + "B" + ALPHA_12[1:], FIELD % ", featureGate: {all: [A, B]}"), ("{}", ""), []),
        (
            (BETA_12 + "B" + ALPHA_12[1:], FIELD % ", featureGate: {any: [A, B]}"),
            ("{}", ""),
            ["gate-enabled-too-early"],
        ),
    ],
)
def test_new_fields(tmp_path: Path, now: Specs, before: Specs, expected: list[str]) -> None:
    assert codes(found(tmp_path, now, "1.12", ("1.11", before))) == expected


def test_alpha_versions_and_new_kinds_are_not_checked(tmp_path: Path) -> None:
    assert found(tmp_path, (BETA_12, MARKED), "1.12", ("1.11", ("{}", "")), version="v1alpha1") == []


# --- marks -----------------------------------------------------------------------------------------------------------


def test_feature_gate_can_be_removed_from_field_once_locked(tmp_path: Path) -> None:
    before = ("1.12", (BETA, MARKED))
    (rejected,) = found(tmp_path, (BETA, FREE), "1.13", before)
    assert (rejected.code, len(rejected.related)) == ("gate-mark-removed", 1)
    assert "was removed from v1 `Frobber.width`, but is not GA and locked in 1.13" in rejected.message
    locked = BETA.replace("]}", ', {release: "1.14", stage: ga, default: true, locked: true}]}')
    assert found(tmp_path / "locked", (locked, FREE), "1.14", before) == []
    assert codes(found(tmp_path / "early", (locked, FREE), "1.13", before)) == ["gate-mark-removed"]
    open_ = BETA.replace("]}", ', {release: "1.14", stage: ga, default: true}]}')
    assert codes(found(tmp_path / "open", (open_, FREE), "1.14", before)) == ["gate-mark-removed"]
    assert codes(found(tmp_path / "gone", ("{}", FREE), "1.13", ("1.12", (ALPHA, MARKED)))) == ["gate-mark-removed"]
    assert found(tmp_path / "both gone", ("{}", ""), "1.13", ("1.12", (ALPHA, MARKED))) == []


TWO = ALPHA + "B" + ALPHA[1:]


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ("{all: [A, B]}", "{all: [B, A]}", []),
        ("{all: [A, B]}", "A", ["gate-mark-removed"]),
        ("{any: [A, B]}", "A", []),
        ("A", "{all: [A, B]}", []),  # behind a disabled alpha gate in the previous release as well
        ("A", "{any: [A, B]}", []),
        ("A", "B", []),
        ("A", "{gate: A, during: []}", ["gate-mark-removed"]),
        ("{gate: A, during: []}", "A", ["gate-added-to-field"]),
    ],
)
def test_marks_of_several_gates(tmp_path: Path, before: str, now: str, expected: list[str]) -> None:
    old, new = FIELD % f", featureGate: {before}", FIELD % f", featureGate: {now}"
    assert codes(found(tmp_path, (TWO, new), "1.12", ("1.11", (TWO, old)))) == expected


def test_ungated_field_must_stay_ungated(tmp_path: Path) -> None:
    (rejected,) = found(tmp_path, (ALPHA_12, MARKED), "1.12", ("1.11", ("{}", FREE)))
    assert rejected.code == "gate-added-to-field"
    assert "was put behind `A`, which is disabled by default in 1.12" in rejected.message


def test_gate_for_removal_of_a_field_starts_enabled(tmp_path: Path) -> None:
    begun = 'A: {stages: [{release: "%s", stage: ga, default: true}, {release: "1.13", stage: deprecated}]}\n'
    shipped = [("1.10", ("{}", FREE)), ("1.11", ("{}", FREE))]
    assert found(tmp_path, (begun % "1.0", MARKED), "1.12", *shipped) == []
    assert codes(found(tmp_path / "off", (begun % "1.0", MARKED), "1.13", *shipped)) == ["gate-added-to-field"]


# --- AG1319: names ----------------------------------------------------------------------------------------------------


def test_name_of_removed_gate_is_not_reused(tmp_path: Path) -> None:
    shipped = [("1.11", (ALPHA, "")), ("1.12", ("{}", ""))]
    again = 'A: {stages: [{release: "1.13", stage: alpha}]}\n'
    (rejected,) = found(tmp_path, (again, ""), "1.13", *shipped)
    assert (rejected.code, rejected.message) == (
        "AG1319",
        "feature gate `A` reuses the name of a gate that 1.11 had; existing settings of the old gate would change the new one",
    )
    assert found(tmp_path / "other", ("B" + again[1:], ""), "1.13", *shipped) == []


# --- AG1310 to AG1312 with a history ----------------------------------------------------------------------------------


def test_released_stages_are_not_reported(tmp_path: Path) -> None:
    short = (
        'A: {stages: [{release: "1.11", stage: beta, default: true}, {release: "1.12", stage: ga, default: true}]}\n'
    )
    assert codes(found(tmp_path, (short, ""), "1.12", ("1.11", ("{}", "")))) == ["gate-history-changed", "AG1312"]
    assert found(tmp_path / "shipped", (short, ""), "1.13", ("1.12", (short, ""))) == []
    begun = 'A: {stages: [{release: "1.11", stage: beta, default: true}]}\n'
    (rejected,) = found(tmp_path / "hurried", (short, ""), "1.12", ("1.11", (begun, "")))
    assert (rejected.code, rejected.severity) == ("AG1312", "error")
    (warned,) = found(tmp_path / "no history", (short, ""), "1.12")
    assert (warned.code, warned.severity) == ("AG1312", "warning")
    eager = 'A: {stages: [{release: "1.12", stage: alpha, default: true}]}\n'
    assert found(tmp_path / "eager", (eager, ""), "1.13", ("1.12", (eager, ""))) == []
    assert codes(found(tmp_path / "new", (eager, ""), "1.12", ("1.11", ("{}", "")))) == ["AG1310"]


def test_gate_of_fields_without_history_starts_disabled(tmp_path: Path) -> None:
    (warned,) = found(tmp_path, (BETA_12, MARKED), "1.12")
    assert (warned.code, warned.severity) == ("AG1311", "warning")
    assert found(tmp_path / "unused", (BETA_12, FREE), "1.12") == []
    assert found(tmp_path / "others", (BETA_12, MARKED), "1.12", gates=set()) == []
    assert codes(found(tmp_path / "history", (BETA_12, MARKED), "1.12", ("1.11", ("{}", "")))) == [
        "gate-enabled-too-early"
    ]
