"""An enum value over two releases: servers of both, with the code generated for each, write the same stored object."""

from __future__ import annotations

import importlib
import json
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from tests.generating import generate_package

GROUP, OTHER = "things.example.com", "settings.example.com"

TYPES = """\
    types:
      Frobber:
        fields:
          height: {{type: int32, omitEmpty: true, protobuf: 1}}
          policy: {{type: Policy, required: false, default: Always, protobuf: 2}}
          policies: {{type: "[]Policy", omitEmpty: true, listType: atomic, protobuf: 3}}
          byName: {{type: "map[string]Policy", omitEmpty: true, protobuf: 4}}
          byPolicy: {{type: "map[Policy]string", omitEmpty: true, protobuf: 5}}
          rows: {{type: "[]Row", omitEmpty: true, listType: map, listMapKeys: [name], protobuf: 6}}
          template: {{type: Template, optional: true, protobuf: 7}}
          settings: {{type: settings.example.com/v1.Settings, optional: true, protobuf: 8}}
      Row:
        fields:
          name: {{type: string, protobuf: 1}}
          policies: {{type: "map[string]Policies", omitEmpty: true, protobuf: 2}}
          counts: {{type: "[]Counts", omitEmpty: true, listType: atomic, protobuf: 3}}
      Policies: {{is: "[]Policy", nullable: true}}
      Counts: {{is: "map[Policy]int32", nullable: true}}
      Template:
        fields:
          inner: {{type: Inner, optional: true, protobuf: 1}}
      Inner:
        fields:
          policy: {{type: Policy, optional: true, protobuf: 1}}
      Policy: {{unknown: Never, enum: {{Always: {{}}, Never: {{}}{weekly}}}}}
    """
SETTINGS = """\
    types:
      Settings:
        fields:
          policy: {{type: Policy, optional: true, protobuf: 1}}
      Policy: {{unknown: Never, enum: {{Always: {{}}, Never: {{}}{weekly}}}}}
    """
ROLLED_OUT = ', Weekly: {tolerated: "1.13", introduced: "1.14"}'
GATED = ", Weekly: {featureGate: WeeklyPolicy}"
GATE = """\
    WeeklyPolicy: {{owner: sig-frob, stages: [{release: "1.13", stage: alpha}, {release: "1.14", stage: beta, default: true}]}}
    """.replace("{{", "{").replace("}}", "}")

PLACES: dict[str, dict[str, Any]] = {
    "policy": {"policy": "Weekly"},
    "policies[1]": {"policies": ["Never", "Weekly"]},
    "byName[k]": {"byName": {"k": "Weekly"}},
    "byPolicy": {"byPolicy": {"Weekly": "x"}},
    "rows[0].policies[k][0]": {"rows": [{"name": "a", "policies": {"n": None, "k": ["Weekly"]}}]},
    "rows[0].counts[1]": {"rows": [{"name": "a", "counts": [None, {"Weekly": 1}]}]},
    "template.inner.policy": {"template": {"inner": {"policy": "Weekly"}}},
    "settings.policy": {"settings": {"policy": "Weekly"}},
}


@dataclass(frozen=True)
class Server:
    """A server of one release: reads the stored object, updates it, stores it again."""

    scheme: Any
    release: str

    def create(self, members: dict[str, Any]) -> tuple[bytes, list[str]]:
        """What is stored, and why it is rejected."""
        obj = self._read({"apiVersion": f"{GROUP}/v1", "kind": "Frobber", **members})
        features = self.scheme.features(release=self.release)
        strategy = self.scheme.strategy("Frobber")
        strategy.prepare_for_create(obj, features=features)
        return self._stored(obj), [str(e) for e in strategy.validate(obj, features=features)]

    def update(self, stored: bytes, members: dict[str, Any]) -> tuple[bytes, list[str]]:
        """Some members of the stored object set to something else; `None` takes one away."""
        document = {**json.loads(stored), **members}
        obj = self._read({key: value for key, value in document.items() if value is not None})
        old = self._read(json.loads(stored))
        features = self.scheme.features(release=self.release)
        strategy = self.scheme.strategy("Frobber")
        strategy.prepare_for_update(obj, old, features=features)
        return self._stored(obj), [str(e) for e in strategy.validate_update(obj, old, features=features)]

    def _read(self, document: dict[str, Any]) -> Any:
        return self.scheme.convert(self.scheme.decode(json.dumps(document).encode(), "application/json"), "hub")

    def _stored(self, hub: Any) -> bytes:
        stored = self.scheme.encode(self.scheme.convert(hub, f"{GROUP}/v1"), "application/json")
        assert isinstance(stored, bytes)
        return stored


def package(folder: Path, weekly: str) -> Any:
    """The scheme of specs in which the enums have a new value, or not."""
    header = 'group: {}\nversions: {{v1: {{introduced: "1.8", storage: true}}}}\nhub: v1\n'
    kinds = "kinds: {Frobber: {scope: Namespaced, plural: frobbers, list: false}}\n"
    files = {
        "features.yaml": dedent(GATE),
        f"{GROUP}/group.yaml": header.format(GROUP) + kinds,
        f"{GROUP}/v1.yaml": dedent(TYPES).format(weekly=weekly),
        f"{OTHER}/group.yaml": header.format(OTHER),
        f"{OTHER}/v1.yaml": dedent(SETTINGS).format(weekly=weekly),
    }
    for path, text in files.items():
        (folder / "specs" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "specs" / path).write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.syspath_prepend(folder)
        return importlib.import_module(f"{generate_package(folder / 'specs', folder)}.scheme")


@pytest.fixture(scope="module", params=[ROLLED_OUT, GATED], ids=["by release", "by gate"])
def servers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Server]:
    """Those of three releases: one that does not know the value, one that tolerates it, one that accepts it."""
    old = package(tmp_path_factory.mktemp("before"), "")
    new = package(tmp_path_factory.mktemp("after"), request.param)
    return {"1.12": Server(old, "1.12"), "1.13": Server(new, "1.13"), "1.14": Server(new, "1.14")}


@pytest.mark.parametrize("place", PLACES)
def test_first_release_rejects_the_new_value(servers: dict[str, Server], place: str) -> None:
    _, errors = servers["1.13"].create(PLACES[place])
    (error,) = errors
    path, _, rest = error.partition(": ")
    assert path == place and rest.startswith('Invalid value: "Weekly": only allowed if the ')
    stored, _ = servers["1.13"].create({})
    assert servers["1.13"].update(stored, PLACES[place])[1] == [error]


@pytest.mark.parametrize("place", PLACES)
def test_second_release_accepts_the_new_value(servers: dict[str, Server], place: str) -> None:
    assert servers["1.14"].create(PLACES[place])[1] == []


@pytest.mark.parametrize("place", PLACES)
def test_servers_of_two_releases_update_one_object(servers: dict[str, Server], place: str) -> None:
    """The newer one gives it the value, the older one updates it, and may move the value to any other place."""
    stored, _ = servers["1.14"].create({**PLACES[place], "height": 1})
    for height, release in enumerate(("1.13", "1.14", "1.13"), 2):
        stored, errors = servers[release].update(stored, {"height": height})
        assert errors == []
        found = json.loads(stored)
        assert {key: found[key] for key in PLACES[place]} == PLACES[place] and found["height"] == height
    for other, members in PLACES.items():
        is_same_enum = (place == "settings.policy") is (other == "settings.policy")
        assert (servers["1.13"].update(stored, members)[1] == []) is is_same_enum


@pytest.mark.parametrize("place", PLACES)
def test_first_release_rejects_the_value_again_once_removed(servers: dict[str, Server], place: str) -> None:
    stored, _ = servers["1.14"].create(PLACES[place])
    stored, errors = servers["1.13"].update(stored, dict.fromkeys(PLACES[place]))
    assert errors == []
    assert len(servers["1.13"].update(stored, PLACES[place])[1]) == 1


def test_skipping_the_first_release_rejects_updates(servers: dict[str, Server]) -> None:
    """A release that does not know the value keeps it where it is, and rejects it when anything next to it changes."""
    stored, _ = servers["1.14"].create({"policies": ["Weekly"], "rows": [{"name": "a", "policies": {"k": ["Weekly"]}}]})
    stored, errors = servers["1.12"].update(stored, {"height": 3})
    assert errors == [] and json.loads(stored)["policies"] == ["Weekly"]
    rejected = 'Unsupported value: "Weekly": supported values: "Always", "Never"'
    assert servers["1.12"].update(stored, {"policies": ["Weekly", "Never"]})[1] == [f"policies[0]: {rejected}"]
    assert servers["1.13"].update(stored, {"policies": ["Weekly", "Never"]})[1] == []
    assert servers["1.13"].update(stored, {"policy": "Weekly"})[1] == []


def test_unknown_value_is_rejected_in_every_release(servers: dict[str, Server]) -> None:
    supported = {"1.12": '"Always", "Never"', "1.13": '"Always", "Never"', "1.14": '"Always", "Never", "Weekly"'}
    for release, names in supported.items():
        _, errors = servers[release].create({"policy": "Yearly"})
        assert errors == [f'policy: Unsupported value: "Yearly": supported values: {names}']


VERSIONS = {
    "features.yaml": "Off: {owner: sig-frob, stages: [{release: '1.10', stage: alpha}]}\n",
    f"{GROUP}/group.yaml": (
        f"group: {GROUP}\nhub: v2\nkinds: {{Frobber: {{scope: Namespaced, plural: frobbers, list: false}}}}\n"
        'versions: {v1: {introduced: "1.8"}, v2: {introduced: "1.9", storage: true}}\n'
    ),
}
BODY = """\
    types:
      Frobber: {{fields: {{policy: {{type: Policy, omitEmpty: true, protobuf: 1}}}}}}
      Policy: {{unknown: Never, enum: {{Never: {{}}, Weekly: {weekly}}}}}
    """


@pytest.mark.parametrize(
    ("of_v1", "of_v2", "rejected"),
    [("{}", "{featureGate: Off}", True), ("{featureGate: Off}", "{}", False)],
    ids=["the hub's version has a gate", "the other one has"],
)
def test_hub_version_determines_rollout_of_a_value(of_v1: str, of_v2: str, rejected: bool, tmp_path: Path) -> None:
    bodies = {f"{GROUP}/{v}.yaml": dedent(BODY).format(weekly=w) for v, w in (("v1", of_v1), ("v2", of_v2))}
    for path, text in {**VERSIONS, **bodies}.items():
        (tmp_path / "specs" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "specs" / path).write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.syspath_prepend(tmp_path)
        scheme = importlib.import_module(f"{generate_package(tmp_path / 'specs', tmp_path)}.scheme")
        for version in ("v1", "v2"):
            document = {"apiVersion": f"{GROUP}/{version}", "kind": "Frobber", "policy": "Weekly"}
            hub = scheme.convert(scheme.decode(json.dumps(document).encode(), "application/json"), "hub")
            errors = scheme.strategy("Frobber").validate(hub, features=scheme.features(release="1.10"))
            assert [error.path for error in errors] == (["policy"] if rejected else [])


@pytest.mark.parametrize(
    ("enum", "rejecting"),
    [
        ("{unknown: Never, enum: {Never: {}, Weekly: {removed: '1.9'}}}", ["1.9", "1.10"]),
        (
            "{unknown: Never, enum: {Never: {}, Weekly: {tolerated: '1.7', introduced: '1.8', removed: '1.10'}}}",
            ["1.7", "1.10"],
        ),
        (
            "{unknown: Never, enum: {Never: {}, Weekly: {featureGate: Off, removed: '1.10'}}}",
            ["1.7", "1.8", "1.9", "1.10"],
        ),
        ("{open: true, enum: {Never: {}, Weekly: {removed: '1.9'}}}", []),
    ],
    ids=["known from the start", "rolled out", "behind a gate", "open enum"],
)
def test_value_is_rejected_in_new_objects_once_removed(enum: str, rejecting: list[str], tmp_path: Path) -> None:
    types = (
        f"types:\n  Frobber: {{fields: {{policy: {{type: Policy, omitEmpty: true, protobuf: 1}}}}}}\n  Policy: {enum}\n"
    )
    for path, text in {**VERSIONS, f"{GROUP}/v1.yaml": types, f"{GROUP}/v2.yaml": types}.items():
        (tmp_path / "specs" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "specs" / path).write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.syspath_prepend(tmp_path)
        scheme = importlib.import_module(f"{generate_package(tmp_path / 'specs', tmp_path)}.scheme")
        new = scheme.convert(
            scheme.from_dict({"apiVersion": f"{GROUP}/v2", "kind": "Frobber", "policy": "Weekly"}), "hub"
        )
        strategy = scheme.strategy("Frobber")
        found = []
        for release in ("1.7", "1.8", "1.9", "1.10"):
            features = scheme.features(release=release)
            found += [release] * len(strategy.validate(new, features=features))
            old = scheme.copy(new)
            assert strategy.validate_update(new, old, features=features) == []
        assert found == rejecting
