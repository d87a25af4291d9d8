"""Properties of validation for all specs and objects: unchanged values are never validated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.validation.randomized import Json, made, names, objects, spec_of, touched
from tests.validation.test_cases import Validator

OF_UPDATES = re.compile(
    "field is immutable|field cannot be (set once created|cleared once set|modified once set)|may not be decreased from"
    "|item may not be (added|removed)"
)
PAIRS = 12
"""How many pairs of objects are tried of each spec."""

few = settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],  # a smaller spec is another package to build
)


@pytest.fixture(scope="module", autouse=True)
def folder() -> Iterator[None]:
    with TemporaryDirectory() as path, pytest.MonkeyPatch.context() as monkeypatch:
        _Built.folder, _Built.monkeypatch = Path(path), monkeypatch
        yield
        validator_of.cache_clear()


class _Built:
    folder: Path
    monkeypatch: pytest.MonkeyPatch


@cache
def validator_of(fields: tuple[str, ...], strict: bool = True) -> Validator:
    """The generated validation of a random spec."""
    folder = _Built.folder / f"{'strict' if strict else 'loose'}-{'-'.join(fields)}"[:200]
    folder.mkdir(exist_ok=True)
    return Validator(spec_of(fields, strict=strict), folder, _Built.monkeypatch)


def first_name(error: str) -> str:
    """The field at the top of an error's path."""
    path = error.partition(": ")[0]
    return re.split(r"[.\[]", path)[0] if re.fullmatch(r"[\w.\[\]]+", path) else ""


@pytest.mark.slow
@few
@given(names, st.data())
def test_unchanged_values_are_never_validated(fields: tuple[str, ...], data: st.DataObject) -> None:
    validator = validator_of(fields)
    for _ in range(PAIRS):
        old = data.draw(objects(fields))
        assert validator.errors(old, old, "") == []
        assert validator.errors({**old, "free": "z"}, old, "") == []
        assert validator.errors({**old, "free": "z"}, old, "Off=true") == []


@pytest.mark.slow
def test_update_errors_are_create_errors_or_update_rules() -> None:
    seen: set[str] = set()

    @few
    @given(names, st.data())
    def run(fields: tuple[str, ...], data: st.DataObject) -> None:
        validator = validator_of(fields)
        for _ in range(PAIRS):
            old, new = data.draw(objects(fields)), data.draw(objects(fields))
            created = {_known(error) for error in validator.errors(new, None, "")}
            found = {_known(error) for error in validator.errors(new, old, "") if not OF_UPDATES.search(error)}
            assert found <= created
            seen.update(found)

    run()
    assert len(seen) > 20, "the objects are bad enough"


def _known(error: str) -> str:
    """An error without the values that are supported: an old object that has a gated one adds it to them."""
    return error.partition(": supported values:")[0]


@pytest.mark.slow
@few
@given(names, st.data())
def test_only_changed_values_are_validated(fields: tuple[str, ...], data: st.DataObject) -> None:
    validator = validator_of(fields)
    for _ in range(PAIRS):
        old = data.draw(objects(fields))
        name = data.draw(st.sampled_from(fields))
        new = {**old, name: data.draw(made(name).values)}
        assert {first_name(error) for error in validator.errors(new, old, "")} <= touched(name)


@pytest.mark.slow
@few
@given(names, st.data(), st.randoms(use_true_random=False))
def test_elements_with_keys_may_change_places(fields: tuple[str, ...], data: st.DataObject, random: Random) -> None:
    validator = validator_of(fields)
    for _ in range(PAIRS):
        old = data.draw(objects(fields))
        assert validator.errors(_reordered(old, random), old, "") == []


def _reordered(old: Json, random: Random) -> Json:
    new = dict(old)
    for name in old:
        if made(name).may_be_reordered:
            new[name] = random.sample(old[name], len(old[name]))
        elif isinstance(old[name], dict):
            new[name] = dict(random.sample(list(old[name].items()), len(old[name])))
    return new


@pytest.mark.slow
def test_stricter_release_accepts_stored_values() -> None:
    rejected: set[str] = set()

    @few
    @given(names, st.data())
    def run(fields: tuple[str, ...], data: st.DataObject) -> None:
        older, newer = validator_of(fields, strict=False), validator_of(fields)
        for _ in range(PAIRS):
            stored = data.draw(objects(fields))
            assert older.errors(stored, None, "") == []
            rejected.update(newer.errors(stored, None, ""))
            assert newer.errors({**stored, "free": "z"}, stored, "") == []

    run()
    assert len(rejected) > 20, "the newer release is stricter"
