"""Properties of the strategies of any gated spec, tested with random specs and objects."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.generating import generate_package
from tests.strategies.randomized import GATES, Document, Gated, MadeSpec, made_specs, without

VERSION = "things.example.com/v1"
_RELEASE = "1.12"


class Package:
    """What was compiled from a random spec."""

    def __init__(self, spec: MadeSpec, folder: Path) -> None:
        for path, text in spec.files().items():
            file = folder / "specs" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        name = generate_package(folder / "specs", folder)
        sys.path.insert(0, str(folder))
        try:
            importlib.invalidate_caches()
            self.scheme: Any = importlib.import_module(f"{name}.scheme")
            self._strategy = self.scheme.strategy("Frobber")
            self.hub({})  # loads the modules of the version while they are found
        finally:
            sys.path.remove(str(folder))

    def features(self, on: frozenset[str]) -> Any:
        features = self.scheme.features(release=_RELEASE)
        features.set_map({gate: gate in on for gate in GATES})
        return features

    def hub(self, spec: Document) -> Any:
        whole = {"apiVersion": VERSION, "kind": "Frobber", "spec": spec}
        return self.scheme.convert(self.scheme.decode(json.dumps(whole), "application/json", default=False), "hub")

    def spec(self, obj: Any) -> Document:
        found: Document = json.loads(self.scheme.encode(self.scheme.convert(obj, VERSION), "application/json"))["spec"]
        return found

    def prepared(self, new: Document, old: Document | None, on: frozenset[str]) -> tuple[Document, dict[str, str]]:
        """What a new or changed object becomes, and what was dropped: twice, as the second time must change nothing."""
        obj, features = self.hub(new), self.features(on)
        before = None if old is None else self.hub(old)
        dropped = self._prepare(obj, before, features)
        found = self.spec(obj)
        assert before is None or before == self.hub(old or {}), "the old object was changed"
        assert self._prepare(obj, before, features) == []
        assert self.spec(obj) == found
        paths = [each.path for each in dropped]
        assert len(paths) == len(set(paths)), "reported twice"
        return found, {each.path: each.gate for each in dropped}

    def _prepare(self, obj: Any, old: Any, features: Any) -> Any:
        if old is None:
            return self._strategy.prepare_for_create(obj, features=features)
        return self._strategy.prepare_for_update(obj, old, features=features)


def is_let_in(place: Gated, used: list[Gated], on: frozenset[str]) -> bool:
    """The rule: its gate is on, or the old object uses the gate, or that very field."""
    if place.field.gate in on:
        return True
    match place.field.in_use:
        case "never":
            return False
        case "field":
            return any((one.owner, one.field.name) == (place.owner, place.field.name) for one in used)
    return any(one.field.gate == place.field.gate for one in used)


@pytest.mark.slow(one_in=16)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(spec=made_specs(), data=st.data())
def test_gated_data_is_kept_or_dropped_for_any_spec(
    tmp_path_factory: pytest.TempPathFactory, spec: MadeSpec, data: st.DataObject
) -> None:
    """With a disabled gate that the old object does not use, all gated data is dropped; otherwise it is kept.
    All drops are reported, with path and gate, and nothing else is."""
    package = Package(spec, tmp_path_factory.mktemp("made-up"))
    for _ in range(8):
        on = frozenset(data.draw(st.sets(st.sampled_from(GATES)), label="on"))
        new = package.spec(package.hub(data.draw(spec.documents(), label="new")))
        old = data.draw(st.none() | spec.documents(), label="old")
        used = [] if old is None else list(spec.gated(old))
        after, dropped = package.prepared(new, old, on)
        there = {place.path: place for place in spec.gated(new)}
        left = {place.path: place for place in spec.gated(after)}
        assert all(is_let_in(place, used, on) for place in left.values())
        for path, gate in dropped.items():
            assert there[path].field.gate == gate
            assert not is_let_in(there[path], used, on)
        assert without(new, [there[path].steps for path in dropped]) == after
