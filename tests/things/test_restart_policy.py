"""An enum value behind a gate: rejected, unless the gate is on or the old object has it."""

from __future__ import annotations

import pytest

from tests.things.frobbers import Document, Frobbers

GATE = "FrobberRestartPolicyOnTuesday"

REJECTED = (
    'restartPolicy: Invalid value: "OnTuesday": only allowed if the FrobberRestartPolicyOnTuesday feature is enabled'
)
UNKNOWN = 'restartPolicy: Unsupported value: "Daily": supported values: "Always", "Never"'
UNKNOWN_WITH_TUESDAY = f'{UNKNOWN}, "OnTuesday"'

OFF = {"alpha": ("1.12", ""), "switched off": ("1.14", f"{GATE}=false"), "not there yet": ("1.11", "")}
ON = {"beta": ("1.14", ""), "switched on": ("1.12", f"{GATE}=true")}

CASES = [
    # policy, that of the old object (None: a creation), error with the gate off, with the gate on
    ("OnTuesday", None, REJECTED, None),
    ("OnTuesday", "Always", REJECTED, None),
    ("OnTuesday", "Daily", REJECTED, None),
    ("OnTuesday", "OnTuesday", None, None),
    ("Daily", None, UNKNOWN, UNKNOWN_WITH_TUESDAY),
    ("Daily", "Always", UNKNOWN, UNKNOWN_WITH_TUESDAY),
    ("Daily", "OnTuesday", UNKNOWN_WITH_TUESDAY, UNKNOWN_WITH_TUESDAY),
    ("Daily", "Daily", None, None),  # an unchanged old value is not validated
    ("Always", None, None, None),
    ("Never", "OnTuesday", None, None),
    (None, None, None, None),  # defaulted
    (None, "OnTuesday", None, None),
]


def errors(frobbers: Frobbers, policy: str | None, old: str | None, release: str, settings: str) -> list[str]:
    features = frobbers.features(release, settings)
    strategy = frobbers.scheme.strategy("Frobber")
    obj = frobbers.hub(frobber(policy))
    if old is None:
        return [str(error) for error in strategy.validate(obj, features=features)]
    before = frobbers.hub({**frobber(old), "height": 1})
    return [str(error) for error in strategy.validate_update(obj, before, features=features)]


def frobber(policy: str | None) -> Document:
    return {"height": 2, **({} if policy is None else {"restartPolicy": policy})}


@pytest.mark.parametrize("state", [*OFF, *ON])
@pytest.mark.parametrize(("policy", "old", "off", "on"), CASES)
def test_validation(
    frobbers: Frobbers, state: str, policy: str | None, old: str | None, off: str | None, on: str | None
) -> None:
    release, settings = {**OFF, **ON}[state]
    wanted = off if state in OFF else on
    assert errors(frobbers, policy, old, release, settings) == ([] if wanted is None else [wanted])


def test_errors_are_values(frobbers: Frobbers) -> None:
    (error,) = frobbers.scheme.strategy("Frobber").validate(
        frobbers.hub(frobber("OnTuesday")), features=frobbers.features("1.12")
    )
    assert (error.type, error.path, error.value) == ("FieldValueInvalid", "restartPolicy", "OnTuesday")


def test_gated_values_are_not_dropped(frobbers: Frobbers) -> None:
    """They are a matter of validation: creation leaves them, so that the user hears of it as an error."""
    obj = frobbers.hub(frobber("OnTuesday"))
    assert frobbers.scheme.strategy("Frobber").prepare_for_create(obj, features=frobbers.features("1.12")) == []
    assert obj.restart_policy == "OnTuesday"


OTHERS: dict[str, tuple[Document, str]] = {
    # member of the document: error
    "height": ({"height": -1}, "height: Invalid value: -1: must be greater than or equal to 0"),
    "width": ({"width": -1}, "width: Invalid value: -1: must be greater than or equal to 0"),
    "name of a knob": ({"knobs": [{"name": ""}]}, "knobs[0].name: Too short: must be at least 1 character"),
    "long name": ({"knobs": [{"name": "k" * 64}]}, "knobs[0].name: Too long: may not be more than 63 characters"),
    "position": (
        {"knobs": [{"name": "a", "position": 12}]},
        "knobs[0].position: Invalid value: 12: must be less than or equal to 11",
    ),
    "same knob twice": ({"knobs": [{"name": "a"}, {"name": "a"}]}, 'knobs[1]: Duplicate value: {"name":"a"}'),
    "width of the template": (
        {"template": {"width": -7}},
        "template.width: Invalid value: -7: must be greater than or equal to 0",
    ),
}


@pytest.mark.parametrize("what", OTHERS)
def test_other_constraints(frobbers: Frobbers, what: str) -> None:
    members, wanted = OTHERS[what]
    strategy, features = frobbers.scheme.strategy("Frobber"), frobbers.features("1.14")
    obj = frobbers.hub(members)
    assert [str(error) for error in strategy.validate(obj, features=features)] == [wanted]
    changed = frobbers.hub({**members, "param": "changed"})
    assert strategy.validate_update(changed, obj, features=features) == [], "an unchanged old value is not validated"


def test_all_errors_are_reported_together(frobbers: Frobbers) -> None:
    obj = frobbers.hub({"height": -1, "restartPolicy": "Daily", "knobs": [{"name": "", "position": -1}]})
    found = frobbers.scheme.strategy("Frobber").validate(obj, features=frobbers.features("1.14"))
    assert [error.path for error in found] == ["height", "restartPolicy", "knobs[0].name", "knobs[0].position"]
