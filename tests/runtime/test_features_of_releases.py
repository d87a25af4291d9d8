"""Feature gates over releases: minimum compatibility versions, removal, moving between releases, and odd settings."""

from __future__ import annotations

import copy
import pickle
import threading

import pytest

from apigen.runtime.features import FeatureError, FeatureGate, Features, FeatureStage

CAREFUL = FeatureGate(
    "Careful",
    (
        FeatureStage("1.34", "alpha"),
        FeatureStage("1.35", "beta"),
        FeatureStage("1.35", "beta", default=True, min_compatibility="1.35"),
        FeatureStage("1.36", "ga", default=True, locked=True),
    ),
)
GONE = FeatureGate(
    "Gone",
    (FeatureStage("1.30", "beta", default=True), FeatureStage("1.31", "ga", default=True, locked=True)),
    removed="1.34",
)
ENDED = FeatureGate("Ended", (FeatureStage("1.30", "alpha"),), removed="1.32")
CHAIN = (
    FeatureGate("Roof", (FeatureStage("1.30", "alpha"),), ("Wall",)),
    FeatureGate("Wall", (FeatureStage("1.30", "alpha"),), ("Floor", "Ladder")),
    FeatureGate("Floor", (FeatureStage("1.30", "alpha"),)),
    FeatureGate("Ladder", (FeatureStage("1.30", "beta", default=True),)),
)


def rejection(features: Features, text: str) -> str:
    """Return the errors of rejected settings; earlier settings must not change."""
    before = dict(features)
    with pytest.raises(FeatureError) as error:
        features.set_text(text)
    assert dict(features) == before
    return str(error.value)


@pytest.mark.parametrize(
    ("release", "least", "stage", "is_enabled"),
    [
        ("1.33", None, None, False),
        ("1.34", "1.34", "alpha", False),
        ("1.35", None, "beta", False),
        ("1.35", "1.33", "beta", False),
        ("1.35", "1.35", "beta", True),
        ("1.36", "1.34", "beta", False),
        ("1.36", None, "ga", True),
        ("1.40", "1.30", "beta", False),
        ("1.40", "1.35", "ga", True),
    ],
)
def test_stage_applies_from_its_min_compatibility_version(
    release: str, least: str | None, stage: str | None, is_enabled: bool
) -> None:
    """Applies to later stages, too, which inherit it."""
    features = Features([CAREFUL], release, min_compatibility=least)
    assert (features.stage("Careful"), features.enabled("Careful")) == (stage, is_enabled)


def test_min_compatibility_version_defaults_to_previous_minor() -> None:
    assert Features([], "1.36").min_compatibility == "1.35"
    assert Features([], "2.0").min_compatibility == "2.0"
    assert Features([], "1.36", min_compatibility="1.33").min_compatibility == "1.33"
    assert repr(Features([], "1.36", min_compatibility="1.33")) == (
        "Features(release='1.36', min_compatibility='1.33', set='')"
    )


def test_no_server_is_older_than_a_later_release() -> None:
    with pytest.raises(FeatureError, match=r"version 1\.37 is later than the emulated release 1\.36"):
        Features([], "1.36", min_compatibility="1.37")
    with pytest.raises(FeatureError, match="a release is written like"):
        Features([], "1.36", min_compatibility="newest")


def test_removed_gate_keeps_its_last_default() -> None:
    features = Features([GONE, ENDED], "1.34")
    assert dict(features) == {"Gone": True, "Ended": False}
    assert (features.stage("Gone"), features.settable("Gone")) == (None, False)
    assert rejection(features, "Gone=true") == (
        "cannot set feature gate Gone to true, it was removed in 1.34 and is always enabled"
    )
    assert rejection(features, "Ended=true") == (
        "cannot set feature gate Ended to true, it was removed in 1.32 and is always disabled"
    )
    features.set("AllAlpha", True)
    assert not features.enabled("Ended")
    assert Features([GONE], "1.33").set("Gone", True) == [
        "Setting GA feature gate Gone=true. It will be removed in a future release."
    ]


def test_all_missing_dependencies_are_reported_together() -> None:
    features = Features(CHAIN, "1.30")
    assert rejection(features, "Roof=true") == "Roof is enabled, but depends on features that are disabled: Wall, Floor"
    features.set_text("Roof=true,Wall=true,Floor=true")
    assert rejection(features, "Ladder=false") == "Wall is enabled, but depends on features that are disabled: Ladder"
    assert rejection(features, "Floor=false,Wall=false") == (
        "Roof is enabled, but depends on features that are disabled: Wall, Floor"
    )


def test_all_alpha_respects_dependencies() -> None:
    features = Features(CHAIN, "1.30")
    assert rejection(features, "AllAlpha=true,Ladder=false") == (
        "Wall is enabled, but depends on features that are disabled: Ladder"
    )
    features.set_text("AllAlpha=true")
    assert all(value for _, value in features)
    assert rejection(features, "AllBeta=false") == "Wall is enabled, but depends on features that are disabled: Ladder"
    features.set("AllAlpha", False)
    assert not features.enabled("Roof"), "the earlier setting has no effect"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Careful=true=false", "invalid value of feature gate Careful=true=false, expected true or false"),
        ("Careful=", "invalid value of feature gate Careful=, expected true or false"),
        ("Careful=TrUe", "invalid value of feature gate Careful=TrUe, expected true or false"),
        ("Careful true", "missing bool value for feature gate Careful true"),
        ("Careful=true;Gone=true", "invalid value of feature gate Careful=true;Gone=true, expected true or false"),
        ("A,B=2", "missing bool value for feature gate A; invalid value of feature gate B=2, expected true or false"),
    ],
)
def test_malformed_text(text: str, problem: str) -> None:
    assert rejection(Features([CAREFUL], "1.35"), text) == problem


def test_blanks_and_repeated_names() -> None:
    features = Features([CAREFUL], "1.35")
    assert features.set_text("\n Careful = 1 ,, Careful=T,") == []
    assert features.enabled("Careful")
    assert features.set_text("Careful=true,Careful=false") == [
        "Feature gate Careful is set to both values. The last one applies: false."
    ]
    assert not features.enabled("Careful")
    assert features.set_text("") == features.set_text(" , ") == []


@pytest.mark.parametrize("value", ["false", 0, 1, None])
def test_non_boolean_value_is_rejected(value: object) -> None:
    """Text that says `false` would be true."""
    features = Features([CAREFUL], "1.35")
    with pytest.raises(FeatureError, match="is set to True or False, not"):
        features.set("Careful", value)  # type: ignore[arg-type]
    assert not features.enabled("Careful")


def test_non_string_name_is_rejected() -> None:
    features = Features([CAREFUL], "1.35")
    with pytest.raises(FeatureError, match="a feature gate has a name, which 7 is not"):
        features.set_map({7: True})  # type: ignore[dict-item]


def test_another_release_is_emulated_with_the_same_settings() -> None:
    features = Features([CAREFUL, *CHAIN], "1.35", "Careful=true,Floor=true")
    assert features.emulate("1.36") == ["Setting GA feature gate Careful=true. It will be removed in a future release."]
    assert (features.release, features.min_compatibility, features.enabled("Floor")) == ("1.36", "1.35", True)
    assert features.emulate("1.35", "1.35") == []
    assert features.min_compatibility == "1.35"


def test_changed_value_of_a_queried_gate_is_reported() -> None:
    features = Features([CAREFUL, GONE], "1.34")
    features.enabled("Careful")
    assert features.emulate("1.36") == ["Feature gate Careful was read before and changes from false to true."]
    assert features.emulate("1.34") == [], "the gate was not read since"


def test_release_that_rejects_the_settings_is_not_emulated() -> None:
    features = Features([CAREFUL], "1.35", "Careful=false")
    with pytest.raises(FeatureError, match=r"locked to true since 1\.36"):
        features.emulate("1.36")
    with pytest.raises(FeatureError, match=r"release 1\.33 does not have it yet"):
        features.emulate("1.33")
    assert (features.release, dict(features)) == ("1.35", {"Careful": False})


def test_copies_keep_the_minimum_compatibility_version() -> None:
    features = Features([CAREFUL], "1.35", min_compatibility="1.35")
    assert features.copy().enabled("Careful")
    assert features.copy().min_compatibility == "1.35"
    assert not features.at_release("1.35").enabled("Careful")
    for other in (copy.deepcopy(features), pickle.loads(pickle.dumps(features))):
        other.set("Careful", False)
        assert features.enabled("Careful")


def test_concurrent_readers_see_consistent_states() -> None:
    """Both gates are always set together, so no reader may see one without the other."""
    gates = [FeatureGate(name, (FeatureStage("1.30", "alpha"),)) for name in ("Left", "Right")]
    features = Features(gates, "1.30")
    odd: list[dict[str, bool]] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen = dict(features)
            if seen["Left"] != seen["Right"]:
                odd.append(seen)

    reader = threading.Thread(target=read)
    reader.start()
    for turn in range(3000):
        features.set_map({"Left": turn % 2 == 0, "Right": turn % 2 == 0})
    done.set()
    reader.join()
    assert odd == []
