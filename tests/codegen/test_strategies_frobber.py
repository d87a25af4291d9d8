"""The Frobber of the design: what gates, creation, updates and status updates do to it."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.codegen.gated_packages import Gated, build, specs

GATES = """
    Frobber2D:
      owner: sig-frob
      stages: [{release: "1.11", stage: alpha}, {release: "1.13", stage: beta, default: true}]
    FrobberRestartPolicyOnTuesday:
      owner: sig-frob
      stages: [{release: "1.11", stage: alpha}, {release: "1.13", stage: beta, default: true}]
    """
TYPES = """
    Frobber:
      fields:
        metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
        height:   {type: int32, protobuf: 2, minimum: 0}
        param:    {type: string, protobuf: 3}
        width:    {type: int32, optional: true, protobuf: 6, featureGate: Frobber2D}
        restartPolicy: {type: RestartPolicy, required: false, protobuf: 5, default: Always}
        knobs:    {type: "[]Knob", omitEmpty: true, protobuf: 8, listType: map, listMapKeys: [name]}
        template: {type: FrobTemplate, optional: true, protobuf: 9}
        status:   {type: FrobberStatus, required: false, protobuf: 7}
      tombstones:
        depth: {protobuf: 4, removed: "1.12", reason: replaced by width}
    Knob:
      fields:
        name:  {type: string, protobuf: 1}
        width: {type: int32, optional: true, protobuf: 2, featureGate: Frobber2D}
    FrobTemplate:
      fields:
        label: {type: string, omitEmpty: true, protobuf: 1}
        width: {type: int32, optional: true, protobuf: 2, featureGate: Frobber2D}
    FrobberStatus:
      fields:
        frobs: {type: int64, omitEmpty: true, protobuf: 1}
        measuredWidth: {type: int32, optional: true, protobuf: 2, featureGate: Frobber2D}
    RestartPolicy:
      enum:
        Always: {}
        Never: {}
        OnTuesday: {featureGate: FrobberRestartPolicyOnTuesday}
      unknown: Never
    """

OFF = [("1.13", "Frobber2D=false"), ("1.11", ""), ("1.10", "")]
"""The gate set to off, at its default in an older release, and not there yet in a still older one."""
ON = [("1.13", ""), ("1.11", "Frobber2D=true")]


@pytest.fixture(scope="module")
def frobbers(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with pytest.MonkeyPatch.context() as monkeypatch:
        yield build(specs(TYPES, GATES), tmp_path_factory.mktemp("frobbers"), monkeypatch)


def make(frobbers: Gated, place: str | None, value: int = 7) -> Any:
    """A Frobber with a width at a place, or with none."""
    types = frobbers.types
    obj = types.Frobber(
        param="p", knobs=[types.Knob(name="a"), types.Knob(name="b")], template=types.FrobTemplate(label="x")
    )
    match place:
        case "width":
            obj.width = value
        case "knobs[1].width":
            obj.knobs[1].width = value
        case "template.width":
            obj.template.width = value
    return obj


PLACES = ["width", "knobs[1].width", "template.width"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("release", "text"), OFF)
def test_create_with_disabled_gate_drops_fields(frobbers: Gated, place: str, release: str, text: str) -> None:
    obj = make(frobbers, place)
    dropped = frobbers.strategy("Frobber").prepare_for_create(obj, features=frobbers.features(release, text))
    assert [str(warning) for warning in dropped] == [f"{place}: dropped because the Frobber2D feature is disabled"]
    wanted = make(frobbers, None)
    wanted.metadata.generation = 1
    assert obj == wanted


@pytest.mark.parametrize("place", [*PLACES, None])
@pytest.mark.parametrize(("release", "text"), ON)
def test_create_with_enabled_gate_keeps_fields(frobbers: Gated, place: str | None, release: str, text: str) -> None:
    obj = make(frobbers, place)
    assert frobbers.strategy("Frobber").prepare_for_create(obj, features=frobbers.features(release, text)) == []
    wanted = make(frobbers, place)
    wanted.metadata.generation = 1
    assert obj == wanted


@pytest.mark.parametrize("in_new", [*PLACES, None])
@pytest.mark.parametrize("in_old", [*PLACES, None])
@pytest.mark.parametrize(("release", "text"), [*OFF, *ON])
def test_update_drops_fields_that_the_old_object_does_not_use(
    frobbers: Gated, in_old: str | None, in_new: str | None, release: str, text: str
) -> None:
    """Use is determined for the whole object: any of the three places keeps all of them."""
    old, obj = make(frobbers, in_old), make(frobbers, in_new, 8)
    features = frobbers.features(release, text)
    dropped = frobbers.strategy("Frobber").prepare_for_update(obj, old, features=features)
    kept = (release, text) in ON or in_old is not None
    assert [warning.path for warning in dropped] == ([in_new] if in_new and not kept else [])
    wanted = make(frobbers, in_new if kept else None, 8)
    wanted.metadata.generation = 0 if wanted == old else 1
    assert obj == wanted
    assert old == make(frobbers, in_old)


def test_all_field_paths_are_dropped_together(frobbers: Gated) -> None:
    obj = make(frobbers, "width")
    obj.knobs[0].width = obj.template.width = 1
    dropped = frobbers.strategy("Frobber").prepare_for_create(obj, features=frobbers.features("1.11"))
    assert [warning.path for warning in dropped] == ["width", "knobs[0].width", "template.width"]


def test_generation_starts_at_one_regardless_of_the_request(frobbers: Gated) -> None:
    obj = make(frobbers, None)
    obj.metadata.generation = 41
    frobbers.strategy("Frobber").prepare_for_create(obj, features=frobbers.features())
    assert obj.metadata.generation == 1


def test_generation_changes_with_fields_outside_metadata_status(frobbers: Gated) -> None:
    update = frobbers.strategy("Frobber").prepare_for_update
    old = make(frobbers, None)
    old.metadata.generation = 4
    for change, generation in (
        (lambda obj: setattr(obj, "height", 3), 5),
        (lambda obj: obj.knobs.reverse(), 5),
        (lambda obj: setattr(obj, "template", None), 5),
        (lambda obj: obj.metadata.__setattr__("labels", {"a": "b"}), 4),
        (lambda obj: setattr(obj.status, "frobs", 9), 4),
        (lambda obj: setattr(obj, "width", 9), 4),  # dropped, so not changed
        (lambda obj: None, 4),
    ):
        obj = copy.deepcopy(old)
        change(obj)
        update(obj, old, features=frobbers.features("1.11"))
        assert obj.metadata.generation == generation


def test_unset_and_empty_are_equal(frobbers: Gated) -> None:
    old, obj = frobbers.types.Frobber(knobs=[]), frobbers.types.Frobber(knobs=None)
    frobbers.strategy("Frobber").prepare_for_update(obj, old, features=frobbers.features())
    assert obj.metadata.generation == 0


def test_status_is_reset_on_create_and_kept_on_update(frobbers: Gated) -> None:
    types = frobbers.types
    strategy = frobbers.strategy("Frobber")
    obj = types.Frobber(status=types.FrobberStatus(frobs=3, measured_width=2))
    strategy.prepare_for_create(obj, features=frobbers.features())
    assert obj.status == types.FrobberStatus()
    old = types.Frobber(status=types.FrobberStatus(frobs=3))
    obj = types.Frobber(status=types.FrobberStatus(frobs=4))
    strategy.prepare_for_update(obj, old, features=frobbers.features())
    assert obj.status == old.status and obj.status is not old.status


def test_status_update_changes_only_status_and_copies_it(frobbers: Gated) -> None:
    types = frobbers.types
    old = make(frobbers, "knobs[1].width")
    old.metadata.generation = 5
    obj = types.Frobber(height=9, width=9, status=types.FrobberStatus(frobs=4))
    obj.metadata.generation = 5
    frobbers.strategy("Frobber", "status").prepare_for_update(obj, old, features=frobbers.features())
    wanted = copy.deepcopy(old)
    wanted.status.frobs = 4
    assert obj == wanted
    obj.knobs[1].width = 1
    obj.template.label = "changed"
    assert (old.knobs[1].width, old.template.label) == (7, "x")


@pytest.mark.parametrize("old_place", ["status", "width", None])
def test_gated_status_fields_follow_the_rule_on_status_updates(frobbers: Gated, old_place: str | None) -> None:
    types = frobbers.types
    old = types.Frobber(width=1 if old_place == "width" else None)
    old.status.measured_width = 1 if old_place == "status" else None
    obj = copy.deepcopy(old)
    obj.status.measured_width = 2
    strategy = frobbers.strategy("Frobber", "status")
    dropped = strategy.prepare_for_update(obj, old, features=frobbers.features("1.11"))
    if old_place is None:
        assert [warning.path for warning in dropped] == ["status.measuredWidth"]
        assert obj.status.measured_width is None
    else:
        assert dropped == [] and obj.status.measured_width == 2


def test_subresources_cannot_be_created(frobbers: Gated) -> None:
    with pytest.raises(ValueError, match="Frobber/status cannot be created, only updated"):
        frobbers.strategy("Frobber", "status").prepare_for_create(
            frobbers.types.Frobber(), features=frobbers.features()
        )


ON_TUESDAY = (
    'restartPolicy: Invalid value: "OnTuesday": only allowed if the FrobberRestartPolicyOnTuesday feature is enabled'
)


@pytest.mark.parametrize(
    ("policy", "old_policy", "gate", "error"),
    [
        ("OnTuesday", None, "false", ON_TUESDAY),
        ("OnTuesday", "Always", "false", ON_TUESDAY),
        ("OnTuesday", "OnTuesday", "false", None),
        ("OnTuesday", None, "true", None),
        ("OnTuesday", "Always", "true", None),
        ("Never", None, "false", None),
        ("", None, "false", None),
        ("Daily", None, "false", 'restartPolicy: Unsupported value: "Daily": supported values: "Always", "Never"'),
        (
            "Daily",
            None,
            "true",
            'restartPolicy: Unsupported value: "Daily": supported values: "Always", "Never", "OnTuesday"',
        ),
        (
            "Daily",
            "OnTuesday",
            "false",
            'restartPolicy: Unsupported value: "Daily": supported values: "Always", "Never", "OnTuesday"',
        ),
        ("Daily", "Daily", "false", None),
    ],
)
def test_enum_values_behind_a_gate(
    frobbers: Gated, policy: str, old_policy: str | None, gate: str, error: str | None
) -> None:
    strategy = frobbers.strategy("Frobber")
    features = frobbers.features("1.13", f"FrobberRestartPolicyOnTuesday={gate}")
    obj = frobbers.types.Frobber(restart_policy=policy)
    if old_policy is None:
        errors = strategy.validate(obj, features=features)
    else:
        old = frobbers.types.Frobber(restart_policy=old_policy, height=1)
        errors = strategy.validate_update(obj, old, features=features)
    assert [str(e) for e in errors] == ([error] if error else [])


def test_enum_is_unavailable_in_an_older_release(frobbers: Gated) -> None:
    obj = frobbers.types.Frobber(restart_policy="OnTuesday")
    errors = frobbers.strategy("Frobber").validate(obj, features=frobbers.features("1.10"))
    assert [str(e) for e in errors] == [ON_TUESDAY]
