"""`preserve:` with annotations that clients wrote, and with hand-written functions of the kind."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.generating import generate_package
from tests.lenses.test_lens_cases import CASES, GROUP

KEY = "example.com/data"
BY_HAND = '''"""Conversions that mark what they have seen."""


def thing_to_hub(source, generated):
    """Convert, in a larger size."""
    result = generated(source)
    result.spec.size += 1
    return result


def thing_from_hub(hub, generated):
    """Convert, in a smaller size."""
    result = generated(hub)
    result.spec.size -= 1
    return result
'''


def load(folder: Path, hand_written: Path | None = None) -> Any:
    package = generate_package(CASES / "preserve" / "specs", folder, hand_written)
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module(f"{package}.scheme")
    finally:
        sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def scheme(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return load(tmp_path_factory.mktemp("preserved"))


def converted(scheme: Any, version: str, target: str, **document: Any) -> Any:
    text = json.dumps({"apiVersion": f"{GROUP}/{version}", "kind": "Thing", **document})
    return scheme.convert(scheme.decode(text), f"{GROUP}/{target}")


def test_infinite_number_is_rejected(scheme: Any) -> None:
    """Protobuf has such numbers, and the JSON of the annotation does not."""
    obj = scheme.decode(json.dumps({"apiVersion": f"{GROUP}/v1", "kind": "Thing"}))
    obj.spec.ratio = float("inf")
    with pytest.raises(ValueError, match="JSON cannot hold inf") as rejected:
        scheme.convert(obj, f"{GROUP}/v1beta1")
    assert type(rejected.value).__name__ == "ConversionError"


HOSTILE = {
    "deep lists": "[" * 100_000,
    "deep objects": '{"spec":' * 100_000,
    "number without end": '{"spec":{"size":1e999999}}',
    "many digits": '{"spec":{"size":' + "9" * 100_000 + "}}",
    "null byte": "\x00",
    "half of a pair": "\ud800",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_unreadable_annotation_does_not_reject_the_object(scheme: Any, text: str) -> None:
    made = converted(scheme, "v1beta1", "v1", metadata={"annotations": {KEY: text}}, spec={"size": 1})
    assert (made.spec.size, made.metadata.annotations) == (1, None)


def test_hand_written_functions_convert_below_preserve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "below_preserve" / "lens_example_com" / "v1beta1" / "conversions.py"
    module.parent.mkdir(parents=True)
    for folder in (module.parent, module.parent.parent, module.parent.parent.parent):
        (folder / "__init__.py").write_text("")
    module.write_text(BY_HAND, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))  # for the functions, which are imported from where they are
    scheme = load(tmp_path, tmp_path / "below_preserve")
    old = converted(scheme, "v1", "v1beta1", spec={"size": 5, "color": "red"})
    assert old.spec.size == 4
    assert json.loads(old.metadata.annotations[KEY]) == {"spec": {"size": 5, "color": "red"}}
    old.spec.size = 7
    new = scheme.convert(old, f"{GROUP}/v1")
    assert (new.spec.size, new.spec.color) == (8, "red")
