"""How enums may grow from release to release: what each rule rejects and accepts, and its fix."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from apigen.lint.evolution import EVOLUTION_RULES
from apigen.review.rules.registry import all_rules
from tests.enums.steps import CODES, GROUP, frobber, spec_files, step

DECLARED = "{unknown: Never, enum: {Always: {}, Never: {}}}"


class Case(NamedTuple):
    """A step that is rejected: what 1.11 shipped, what 1.12 would ship, the location, the message, and the fix."""

    code: str
    before: str
    now: str
    line: str
    says: str
    fixed: str


def grown(value: str, declared: str = "unknown: Never, ", others: str = "Always: {}, Never: {}, ") -> str:
    return f"{{{declared}enum: {{{others}{value}}}}}"


REJECTED = {
    "a new value at once": Case(
        "enum-value-added-to-growing",
        frobber(DECLARED),
        frobber(grown("Weekly: {}")),
        "Weekly",
        "value `Weekly` was added to enum `Policy`, whose older clients read unknown values as `Never`",
        frobber(grown('Weekly: {tolerated: "1.12", introduced: "1.13"}')),
    ),
    "a value said to have been tolerated that was not": Case(
        "enum-value-added-to-growing",
        frobber(DECLARED),
        frobber(grown('Weekly: {tolerated: "1.11", introduced: "1.12"}')),
        "Weekly",
        "was added",
        frobber(grown('Weekly: {tolerated: "1.12", introduced: "1.13"}')),
    ),
    "a value that old objects could not keep": Case(
        "enum-value-gate-changed",
        frobber(grown("Weekly: {featureGate: {gate: Late, inUse: never}}")),
        frobber(grown("Weekly: {}")),
        "Weekly",
        "it is now accepted by default",
        frobber(grown('Weekly: {tolerated: "1.12", introduced: "1.13"}')),
    ),
    "a gate that is new and on": Case(
        "enum-value-enabled-at-once",
        frobber(DECLARED),
        frobber(grown("Weekly: {featureGate: Early}")),
        "Weekly",
        "and its feature gate `Early` is enabled at once",
        frobber(grown("Weekly: {featureGate: Late}")),
    ),
    "a gate that was on before": Case(
        "enum-value-enabled-at-once",
        frobber(DECLARED),
        frobber(grown("Weekly: {featureGate: {any: [Late, Long]}}")),
        "Weekly",
        "its feature gate `Long` is enabled at once",
        frobber(grown("Weekly: {featureGate: {all: [Late, Long]}}")),
    ),
    "an enum that said nothing grows": Case(
        "enum-growth-undeclared",
        frobber("{enum: {Always: {}, Never: {}}}"),
        frobber(grown('Weekly: {tolerated: "1.12"}', "")),
        "Weekly",
        "which does not declare that it may grow",
        frobber("{enum: {Always: {}, Never: {}}}"),
    ),
    "an enum that said nothing grows at once": Case(
        "enum-value-added",
        frobber("{enum: {Always: {}, Never: {}}}"),
        frobber(grown("Weekly: {}", "")),
        "Weekly",
        "which does not declare that it may grow",
        frobber("{enum: {Always: {}, Never: {}}}"),
    ),
    "an enum that said nothing grows behind an alpha gate": Case(
        "enum-growth-undeclared",
        frobber("{enum: {Always: {}, Never: {}}}"),
        frobber(grown("Weekly: {featureGate: Late}", "")),
        "Weekly",
        "which does not declare that it may grow; it is accepted if Late is enabled",
        frobber("{enum: {Always: {}, Never: {}}}"),
    ),
    "a closed enum grows": Case(
        "enum-growth-undeclared",
        frobber("{open: false, enum: {Always: {}, Never: {}}}"),
        frobber(grown("Weekly: {featureGate: Late}", "open: false, ")),
        "Weekly",
        "which declares `open: false`; it is accepted if Late is enabled",
        frobber("{open: false, enum: {Always: {}, Never: {}}}"),
    ),
    "a new enum says nothing": Case(
        "AG1333",
        "Frobber: {fields: {name: {type: string, protobuf: 2}}}",
        frobber("{enum: {Always: {}, Never: {}}}"),
        "Policy",
        "is new in 1.12 and does not declare how clients handle unknown values",
        frobber(DECLARED),
    ),
    "another value for unknown ones": Case(
        "unknown-value-changed",
        frobber(DECLARED),
        frobber("{unknown: Always, enum: {Always: {}, Never: {}}}"),
        "Policy",
        "changed from as `Never` to as `Always`",
        frobber(DECLARED),
    ),
    "no value for unknown ones any more": Case(
        "unknown-value-changed",
        frobber(DECLARED),
        frobber("{enum: {Always: {}, Never: {}}}"),
        "Policy",
        "changed from as `Never` to as each client chooses",
        frobber(DECLARED),
    ),
    "an open enum is open no more": Case(
        "enum-closed",
        frobber("{open: true, enum: {Always: {}}}"),
        frobber("{open: false, enum: {Always: {}}}"),
        "Policy",
        "enum `Policy` changed from open to closed",
        frobber("{open: true, enum: {Always: {}}}"),
    ),
    "an enum is opened": Case(
        "enum-opened",
        frobber("{enum: {Always: {}}}"),
        frobber("{open: true, enum: {Always: {}}}"),
        "Policy",
        "enum `Policy` changed from closed to open",
        frobber("{open: false, enum: {Always: {}}}"),
    ),
    "an accepted value gets a gate": Case(
        "enum-value-gate-changed",
        frobber(grown("Weekly: {}")),
        frobber(grown("Weekly: {featureGate: Late}")),
        "Weekly",
        "it is now rejected by default",
        frobber(grown("Weekly: {}")),
    ),
}


@pytest.mark.parametrize("name", REJECTED)
def test_rejected_changes_and_their_fixes(name: str, tmp_path: Path) -> None:
    case = REJECTED[name]
    before = ("1.11", spec_files(case.before))
    (found,) = step(tmp_path, before, now=spec_files(case.now))
    assert found.code == case.code
    assert case.says in found.message
    assert found.hint
    assert found.place.file == "things.example.com/v1.yaml"
    text = spec_files(case.now)["things.example.com/v1.yaml"].splitlines()[found.place.line - 1]
    assert text[found.place.column - 1 :].startswith(case.line) or case.line in text
    assert list(step(tmp_path / "fixed", before, now=spec_files(case.fixed))) == []


PASSES = {
    "a value tolerated, then accepted": (
        frobber(grown('Weekly: {tolerated: "1.11", introduced: "1.12"}')),
        frobber(grown('Weekly: {tolerated: "1.11", introduced: "1.12"}')),
    ),
    "the roll-out is over": (
        frobber(grown('Weekly: {tolerated: "1.11", introduced: "1.12"}')),
        frobber(grown('Weekly: {introduced: "1.12"}')),
    ),
    "a gate that was off goes with the release after": (
        frobber(grown("Weekly: {featureGate: Late}")),
        frobber(grown("Weekly: {}")),
    ),
    "an open enum gets a value": (
        frobber("{open: true, enum: {Always: {}}}"),
        frobber("{open: true, enum: {Always: {}, Weekly: {}}}"),
    ),
    "declared later, and not growing": (frobber("{enum: {Always: {}, Never: {}}}"), frobber(DECLARED)),
    "a tolerated value goes": (
        frobber(grown('Weekly: {tolerated: "1.11"}')),
        frobber("{unknown: Never, enum: {Always: {}, Never: {}}, tombstones: {Weekly: {reason: never came}}}"),
    ),
    "a gated value goes": (
        frobber(grown("Weekly: {featureGate: Late}")),
        frobber("{unknown: Never, enum: {Always: {}, Never: {}}, tombstones: {Weekly: {reason: never came}}}"),
    ),
    "nothing changes": (frobber(DECLARED, ", default: Never"), frobber(DECLARED, ", default: Never")),
    "a default moves to what was accepted": (
        frobber(DECLARED, ", default: Never"),
        frobber(DECLARED, ", default: Always"),
    ),
}


@pytest.mark.parametrize("name", PASSES)
def test_accepted_changes(name: str, tmp_path: Path) -> None:
    before, now = PASSES[name]
    assert list(step(tmp_path, ("1.11", spec_files(before)), now=spec_files(now))) == []


def test_value_of_gate_enabled_in_next_release_is_tolerated(tmp_path: Path) -> None:
    gated = spec_files(frobber(grown("Weekly: {featureGate: Late}")))
    assert list(step(tmp_path, ("1.12", gated), now=gated, release="1.13")) == []
    new = spec_files(frobber(DECLARED))
    (found,) = step(tmp_path / "later", ("1.12", new), now=gated, release="1.13")
    assert found.code == "enum-value-enabled-at-once"


def test_enum_is_compared_with_its_first_release(tmp_path: Path) -> None:
    first = ("1.10", spec_files(frobber("{enum: {Always: {}, Never: {}}}")))
    second = ("1.11", spec_files(frobber(DECLARED)))
    now = spec_files(frobber(grown('Weekly: {tolerated: "1.12"}')))
    (found,) = step(tmp_path, first, second, now=now)
    assert found.code == "enum-growth-undeclared"
    assert "which did not declare in 1.10, its first release, that it may grow" in found.message
    assert list(step(tmp_path / "declared", second, now=now)) == []


def test_next_release_defaults_to_successor_of_last_record(tmp_path: Path) -> None:
    before = ("1.11", spec_files(frobber(DECLARED)))
    for introduced, codes in (("1.13", []), ("1.12", ["enum-value-added-to-growing"])):
        now = spec_files(frobber(grown(f'Weekly: {{tolerated: "1.11", introduced: "{introduced}"}}')))
        assert [d.code for d in step(tmp_path / introduced, before, now=now, release=None)] == codes


def test_api_without_history_or_next_release_is_not_checked(tmp_path: Path) -> None:
    now = spec_files(frobber("{enum: {Always: {}, Never: {}}}", ", default: Never"))
    header = f"{GROUP}/group.yaml"
    assert '"1.8"' in now[header]
    assert list(step(tmp_path, now=now, release=None)) == []
    for introduced, codes in (("1.8", []), ("1.10", ["AG1333"])):  # what was served before is not new
        files = {**now, header: now[header].replace('"1.8"', f'"{introduced}"')}
        assert [d.code for d in step(tmp_path / introduced, now=files, release="1.10")] == codes


@pytest.mark.parametrize("name", REJECTED)
def test_alpha_versions_are_not_checked(name: str, tmp_path: Path) -> None:
    case = REJECTED[name]
    before = ("1.11", spec_files(case.before, "v1alpha1"))
    assert list(step(tmp_path, before, now=spec_files(case.now, "v1alpha1"))) == []


UNION = """
    Frobber:
      fields:
        type: {{type: {type}, required: false, protobuf: 1}}
        a: {{type: Part, optional: true, protobuf: 2}}
        {b}
      unions: [{{discriminator: type, members: {{{members}}}, empty: [{empty}]}}]
    Part: {{fields: {{name: {{type: string, protobuf: 1}}}}}}
    Policy: {{unknown: None, enum: {{{values}}}}}
    """


@pytest.mark.parametrize(
    ("before", "now", "says"),
    [
        (
            {"type": "Policy", "members": "A: a", "empty": "None, B", "values": "A: {}, B: {}, None: {}"},
            {"type": "Policy", "members": "A: a, B: b", "empty": "None", "values": "A: {}, B: {}, None: {}"},
            "for discriminator value `B`, which selected no member before",
        ),
        (
            {"type": "string", "members": "A: a", "empty": "None", "values": "None: {}"},
            {"type": "string", "members": "A: a, B: b", "empty": "None", "values": "None: {}"},
            "for discriminator value `B`, which selected no member before",
        ),
        (
            {"type": "Policy", "members": "A: a", "empty": "None", "values": "A: {}, None: {}"},
            {
                "type": "Policy",
                "members": "A: a, B: b",
                "empty": "None",
                "values": 'A: {}, B: {tolerated: "1.12"}, None: {}',
            },
            None,
        ),
    ],
    ids=["a value that went with no member", "plain text", "a new value"],
)
def test_discriminators_gain_members(
    before: dict[str, str], now: dict[str, str], says: str | None, tmp_path: Path
) -> None:
    shipped = ("1.11", spec_files(UNION.format_map({**before, "b": ""})))
    field = "b: {type: Part, optional: true, protobuf: 3, featureGate: Late}"
    found = step(tmp_path, shipped, now=spec_files(UNION.format_map({**now, "b": field})))
    assert [d.code for d in found if d.code == "union-member-added"] == ([] if says is None else ["union-member-added"])
    assert all(says is not None and says in d.message and d.related for d in found)


def test_every_rule_has_a_case() -> None:
    codes = {rule.code for rule in EVOLUTION_RULES} | {rule.id for rule in all_rules()}
    assert codes & set(CODES) == {case.code for case in REJECTED.values()} | {"union-member-added"}
