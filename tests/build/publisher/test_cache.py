"""Results are made once, and nothing that happens to the cache does any harm."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import apigen
from apigen.files.cache import Cache, cache_key
from tests.build.publisher.folders import in_child


class Maker:
    """Counts how often it is asked."""

    def __init__(self, result: bytes = b"result") -> None:
        self.calls = 0
        self._result = result

    def __call__(self) -> bytes:
        self.calls += 1
        return self._result


def result(cache: Cache, key: str, make: Callable[[], bytes]) -> bytes:
    """Return the result for a key, from the cache or computed and stored."""
    found = cache.get(key)
    if found is None:
        found = make()
        cache.put(key, found)
    return found


def entries(folder: Path) -> list[Path]:
    return [place for place in folder.rglob("*") if place.is_file()]


def test_result_is_computed_once(tmp_path: Path) -> None:
    warnings: list[str] = []
    make = Maker()
    for _ in range(3):
        assert result(Cache(tmp_path / "cache", warnings.append), cache_key("a"), make) == b"result"
    assert (make.calls, warnings) == (1, [])


def test_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [cache_key(), cache_key(""), cache_key("ab", "c"), cache_key("a", "bc"), cache_key("abc"), cache_key(b"abc")]
    assert len(set(keys)) == len(keys)
    assert cache_key("ab", "c") == keys[2]
    monkeypatch.setattr(apigen, "__version__", "0.0.0")
    assert cache_key("ab", "c") not in keys


@pytest.mark.parametrize(
    "damage", [b"", b"x", b"apigen cache entry 1\n", b"apigen cache entry 1\n" + b"0" * 20 + b"forged"]
)
def test_damaged_entry_is_recreated(tmp_path: Path, damage: bytes) -> None:
    warnings: list[str] = []
    cache = Cache(tmp_path, warnings.append)
    result(cache, cache_key("a"), Maker())
    (entry,) = entries(tmp_path)
    entry.write_bytes(damage)
    assert result(cache, cache_key("a"), Maker()) == b"result"
    assert [("damaged" in warning) for warning in warnings] == [True]
    assert result(cache, cache_key("a"), Maker(b"other")) == b"result"


def test_truncated_entry(tmp_path: Path) -> None:
    warnings: list[str] = []
    cache = Cache(tmp_path, warnings.append)
    result(cache, cache_key("a"), Maker(b"0" * 100))
    (entry,) = entries(tmp_path)
    os.truncate(entry, 90)
    assert result(cache, cache_key("a"), Maker(b"1" * 100)) == b"1" * 100
    assert len(warnings) == 1


def test_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    warnings: list[str] = []
    assert result(Cache(tmp_path / "cache", warnings.append), cache_key("a"), Maker()) == b"result"
    assert "cannot be" in warnings[0]


def test_runs_at_the_same_time(tmp_path: Path) -> None:
    def work() -> None:
        cache = Cache(tmp_path, pytest.fail)
        for number in range(200):
            content = str(number % 20).encode() * 5000
            assert result(cache, cache_key(str(number % 20)), lambda content=content: content) == content  # type: ignore[misc]

    children = []
    for _ in range(3):
        child = os.fork()
        if child == 0:
            os._exit(in_child(work))
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0, 0]
    assert len(entries(tmp_path)) == 20


def test_trim_removes_least_recently_used_entries(tmp_path: Path) -> None:
    cache = Cache(tmp_path, pytest.fail)
    for name in "abcd":
        result(cache, cache_key(name), Maker(name.encode() * 1000))
    for age, entry in enumerate(entries(tmp_path)):
        os.utime(entry, (age, age))
    result(cache, cache_key("a"), Maker(b"a" * 1000))
    cache.trim(2500)
    assert len(entries(tmp_path)) == 2
    kept = Maker()
    result(cache, cache_key("a"), kept)
    assert kept.calls == 0
    cache.trim(0)
    assert entries(tmp_path) == []
