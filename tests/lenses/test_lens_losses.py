"""What a conversion in a round trip changes is named by the proof, field by field, for every case of every lens."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.lenses.test_lens_cases import GROUP, directions, document, folders, load_scheme
from tests.yaml_files import read_yaml


@pytest.mark.parametrize("folder", folders(), ids=lambda path: path.name)
def test_changed_values_are_listed_in_the_proof(folder: Path, tmp_path: Path) -> None:
    scheme = load_scheme(folder, tmp_path)
    for case in read_yaml((folder / "cases.yaml").read_text(encoding="utf-8")):
        for source, given, _, _ in directions(case):
            obj = scheme.decode(document(source, given), "application/yaml", default=False)
            try:
                hub = scheme.convert(obj, "hub")
                back = scheme.convert(hub, f"{GROUP}/{source}")
            except scheme.errors.ConversionError:
                continue
            unnamed = changed(scheme, obj, back) - named(scheme, source, obj, hub, back)
            assert not unnamed, f"{folder.name}: {source} {given} changed {sorted(unnamed)} in the round trip"


def changed(scheme: ModuleType, obj: Any, back: Any) -> set[str]:
    """The fields of a document that are other ones; empty and absent are different here.

    What a part says of its own type is no field of it: conversions set it, and never copy it.
    """
    before, after = (untyped(json.loads(scheme.encode(value, "application/json"))) for value in (obj, back))
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def untyped(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: untyped(item) for name, item in value.items() if name not in ("apiVersion", "kind")}
    return [untyped(item) for item in value] if isinstance(value, list) else value


def named(scheme: ModuleType, version: str, obj: Any, hub: Any, back: Any) -> set[str]:
    """The fields in which the proof sees a loss."""
    package = scheme.__name__.removesuffix(".scheme")
    try:
        losses: Any = importlib.import_module(f"{package}.{GROUP.replace('.', '_')}.{version}.losses")
    except ModuleNotFoundError:  # it loses nothing
        return set()
    found = getattr(losses, "thing_losses", lambda *_: ())(obj, hub, back)
    return {re.split(r"[.\[]", place, maxsplit=1)[0] for place in found}
