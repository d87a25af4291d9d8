"""Feature gates: what is on at a release, and what may be set."""

from __future__ import annotations

import pytest

from apigen.runtime.features import FeatureError, FeatureGate, Features, FeatureStage

GATES = (
    FeatureGate(
        "Frobber2D",
        (
            FeatureStage("1.11", "alpha"),
            FeatureStage("1.13", "beta", default=True),
            FeatureStage("1.16", "ga", default=True, locked=True),
        ),
    ),
    FeatureGate("OnTuesday", (FeatureStage("1.12", "alpha"),), depends_on=("Frobber2D",)),
    FeatureGate("OldWay", (FeatureStage("1.9", "beta", default=True), FeatureStage("1.12", "deprecated"))),
)


def test_gate_has_the_default_of_its_current_stage() -> None:
    values = {
        release: Features(GATES, release).enabled("Frobber2D") for release in ("1.9", "1.11", "1.12", "1.13", "1.40")
    }
    assert values == {"1.9": False, "1.11": False, "1.12": False, "1.13": True, "1.40": True}


def test_releases_are_ordered_as_numbers() -> None:
    assert Features(GATES, "1.9").enabled("OldWay")
    assert not Features(GATES, "1.10").at_least("1.11")
    assert Features(GATES, "1.10").at_least("1.9")
    assert Features(GATES, "2.0").at_least("1.99")


@pytest.mark.parametrize(
    "release", ["", "1", "1.", ".1", "v1.2", "1.2.3", "1.x", "1.-2", "1.²", "1.010", "01.1", "1." + "9" * 5000]
)
def test_a_release_is_two_numbers(release: str) -> None:
    with pytest.raises(FeatureError, match=r"a release is written like 1\.11"):
        Features(GATES, release)


def test_an_unknown_gate_is_an_error_with_a_suggestion() -> None:
    features = Features(GATES, "1.13")
    with pytest.raises(FeatureError) as error:
        features.enabled("Frobber2d")
    assert str(error.value) == "unrecognized feature gate: Frobber2d, did you mean Frobber2D?"
    with pytest.raises(FeatureError) as error:
        features.set("Zebra", True)
    assert str(error.value) == "unrecognized feature gate: Zebra"


def test_locked_gate_accepts_only_its_default() -> None:
    features = Features(GATES, "1.16")
    assert not features.settable("Frobber2D")
    with pytest.raises(FeatureError) as error:
        features.set("Frobber2D", False)
    assert str(error.value) == "cannot set feature gate Frobber2D to false, feature is locked to true since 1.16"
    assert features.set("Frobber2D", True) == [
        "Setting GA feature gate Frobber2D=true. It will be removed in a future release."
    ]


def test_gate_of_a_later_release_is_disabled_and_not_settable() -> None:
    features = Features(GATES, "1.10")
    assert not features.enabled("Frobber2D")
    assert features.stage("Frobber2D") is None
    assert not features.settable("Frobber2D")
    with pytest.raises(FeatureError) as error:
        features.set("Frobber2D", True)
    assert str(error.value) == (
        "cannot set feature gate Frobber2D to true, release 1.10 does not have it yet (introduced in 1.11 as alpha)"
    )


def test_dependencies_are_checked_after_all_settings() -> None:
    features = Features(GATES, "1.12")
    with pytest.raises(FeatureError) as error:
        features.set("OnTuesday", True)
    assert str(error.value) == "OnTuesday is enabled, but depends on features that are disabled: Frobber2D"
    assert not features.enabled("OnTuesday")
    features.set_map({"OnTuesday": True, "Frobber2D": True})
    with pytest.raises(FeatureError):
        features.set("Frobber2D", False)
    assert features.enabled("Frobber2D") and features.enabled("OnTuesday")


def test_rejected_change_is_atomic_and_reports_all_errors() -> None:
    features = Features(GATES, "1.12")
    with pytest.raises(FeatureError) as error:
        features.set_text("OldWay=true,Frober2D=true,A=true")
    assert str(error.value) == (
        "unrecognized feature gate: Frober2D, did you mean Frobber2D?; unrecognized feature gate: A"
    )
    assert not features.enabled("OldWay")


def test_text_sets_gates() -> None:
    features = Features(GATES, "1.12")
    warnings = features.set_text(" Frobber2D=true, OldWay=T ,")
    assert warnings == ["Setting deprecated feature gate OldWay=true. It will be removed in a future release."]
    assert dict(features) == {"Frobber2D": True, "OnTuesday": False, "OldWay": True}
    assert repr(features) == "Features(release='1.12', set='Frobber2D=true,OldWay=true')"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Frobber2D", "missing bool value for feature gate Frobber2D"),
        ("Frobber2D=yes", "invalid value of feature gate Frobber2D=yes, expected true or false"),
        ("=true", "unrecognized feature gate: "),
    ],
)
def test_text_without_settings(text: str, problem: str) -> None:
    with pytest.raises(FeatureError) as error:
        Features(GATES, "1.12").set_text(text)
    assert str(error.value) == problem


def test_all_alpha_and_all_beta_keep_explicit_settings() -> None:
    features = Features(GATES, "1.12")
    features.set("AllAlpha", True)
    assert dict(features) == {"Frobber2D": True, "OnTuesday": True, "OldWay": False}
    features.set_text("AllAlpha=true,OnTuesday=false")
    assert dict(features) == {"Frobber2D": True, "OnTuesday": False, "OldWay": False}
    assert features.stage("AllAlpha") == "alpha"
    at_beta = Features(GATES, "1.13")
    at_beta.set("AllBeta", False)
    assert not at_beta.enabled("Frobber2D")
    locked = Features((FeatureGate("Kept", (FeatureStage("1.1", "beta", default=True, locked=True),)),), "1.1")
    locked.set("AllBeta", False)
    assert locked.enabled("Kept")


def test_copies_are_independent_and_can_emulate_releases() -> None:
    features = Features(GATES, "1.12")
    features.set("Frobber2D", True)
    copied = features.copy()
    copied.set("Frobber2D", False)
    assert features.enabled("Frobber2D")
    assert features.at_release("1.11").enabled("Frobber2D")
    with pytest.raises(FeatureError):
        features.at_release("1.10")
