"""What `encode`, `convert`, `copy` and `default` say of each sort of wrong value; `wrong_values.yaml` has the cases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from generated import scheme
from generated.meta.v1.types import ObjectMeta
from generated.runtime import ApiError, ConversionError, EncodeError, Quantity, RawExtension, Time
from generated.things_example_com.v6 import types as v6
from tests.yaml_files import read_yaml

CASES = read_yaml(Path(__file__).with_name("wrong_values.yaml").read_text())
MEDIA = {
    "json": "application/json",
    "yaml": "application/yaml",
    "protobuf": "application/vnd.kubernetes.protobuf",
}
NAMES: dict[str, Any] = {
    **{name: getattr(v6, name) for name in v6.__all__},
    **{each.__name__: each for each in (ObjectMeta, Quantity, RawExtension, Time, datetime)},
    "nan": float("nan"),
}


def frobber(text: str) -> Any:
    """The object of a case, whose fields are written as Python."""
    return eval(f"Frobber({text})", NAMES)


@pytest.mark.parametrize("media", MEDIA.values(), ids=MEDIA)
@pytest.mark.parametrize("case", CASES["wrong"], ids=lambda case: case["object"])
def test_wrong_value_is_an_error_with_its_path(case: dict[str, str], media: str) -> None:
    with pytest.raises(EncodeError) as caught:
        scheme.encode(frobber(case["object"]), media)
    assert str(caught.value) == case["error"]


@pytest.mark.parametrize("media", MEDIA.values(), ids=MEDIA)
@pytest.mark.parametrize("case", CASES["right"], ids=lambda case: case["object"])
def test_valid_values_round_trip(case: dict[str, str], media: str) -> None:
    obj = frobber(case["object"])
    assert scheme.equal(scheme.decode(scheme.encode(obj, media), media, default=False), obj)


def test_an_error_with_indentation_has_a_path() -> None:
    with pytest.raises(EncodeError, match=r"^knobs\[0\]\.name: expected a string, found 7$"):
        scheme.encode(frobber("knobs=[Knob(name=7)]"), indent=2)


@pytest.mark.parametrize("media", MEDIA.values(), ids=MEDIA)
def test_datetime_is_encoded_as_time(media: str) -> None:
    moment = datetime(2024, 2, 29, 13, 30, 15, 999_999, timezone(timedelta(hours=1)))
    wanted = Time.from_datetime(moment)
    assert str(wanted) == "2024-02-29T12:30:15Z"
    written = [
        scheme.encode(v6.Frobber(status=v6.FrobberStatus(last_frob_time=time)), media)  # type: ignore[arg-type]
        for time in (moment, wanted)
    ]
    assert written[0] == written[1]


def test_a_datetime_passes_through_conversions_and_copies() -> None:
    moment = datetime(2024, 2, 29, tzinfo=UTC)
    obj = v6.Frobber(status=v6.FrobberStatus(last_frob_time=moment))  # type: ignore[arg-type]
    assert scheme.copy(obj).status.last_frob_time is moment
    assert scheme.convert(obj, "hub").status.last_frob_time is moment


@pytest.mark.parametrize("case", CASES["stops"], ids=lambda case: case["object"])
def test_invalid_value_in_other_operations_is_an_error(case: dict[str, str]) -> None:
    operations = {
        "convert": lambda obj: scheme.convert(obj, "things.example.com/v7alpha1"),
        "copy": scheme.copy,
        "default": lambda items: scheme.default(v6.FrobberList(items=items)),
    }
    for name, message in case["errors"].items():  # type: ignore[attr-defined]
        with pytest.raises(ApiError) as caught:
            operations[name](frobber(case["object"]))
        assert str(caught.value) == message
        assert isinstance(caught.value, ConversionError) == (name == "convert")


def test_strategy_error_has_the_path_of_the_value() -> None:
    hub: Any = scheme.convert(v6.Frobber(metadata=ObjectMeta(name="a")), "hub")
    hub.metadata = "a"
    with pytest.raises(ApiError, match=r"^metadata: expected an ObjectMeta, found the string 'a'$"):
        scheme.strategy("Frobber").validate(hub, features=scheme.features())
