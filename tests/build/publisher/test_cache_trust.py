"""Only the user can have written what a cache gives: its folder, its entries, and the code that made them."""

from __future__ import annotations

import marshal
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from apigen.build.built import Summary
from apigen.cli.main import main
from apigen.files import own_code as own
from apigen.files.cache import _DIGEST_SIZE, _MAGIC, Cache, _head, cache_key
from apigen.files.packing import pack
from tests.build.publisher.test_cache import result

NOT_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")


def stored(folder: Path, warnings: list[str], content: bytes = b"result") -> bytes:
    """What a cache in a folder gives for a key."""
    return result(Cache(folder, warnings.append), cache_key("a"), lambda: content)


def entries(folder: Path) -> list[Path]:
    return [place for place in folder.rglob("*") if place.is_file()]


def replace_contents(folder: Path, change: Callable[[bytes], bytes]) -> int:
    """Replace the content of each entry, with a valid checksum; returns how many there are."""
    found = entries(folder)
    for place in found:
        name = place.parent.name + place.name
        place.write_bytes(_changed(place.read_bytes(), name, change))
    return len(found)


def _changed(entry: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    start = len(_MAGIC) + _DIGEST_SIZE
    assert entry[:start] == _head(name, entry[start:])
    content = change(entry[start:])
    return _head(name, content) + content


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_folder_writable_by_others_is_not_used(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "cache"
    warnings: list[str] = []
    stored(folder, warnings)
    folder.chmod(mode)
    assert stored(folder, warnings, b"other") == b"other"
    assert len(warnings) == 1
    assert f"chmod go-w {folder}" in warnings[0]
    folder.chmod(0o700)
    assert stored(folder, warnings, b"other") == b"result"


def test_folder_below_a_folder_writable_by_others_is_not_used(tmp_path: Path) -> None:
    parent = tmp_path / "shared"
    parent.mkdir()
    parent.chmod(0o777)
    warnings: list[str] = []
    stored(parent / "cache", warnings)
    assert len(warnings) == 1
    assert not (parent / "cache").exists()
    parent.chmod(0o1777)  # as /tmp
    stored(parent / "cache", warnings)
    assert entries(parent / "cache")
    assert len(warnings) == 1


def test_folder_that_is_a_link_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "cache").symlink_to("real")
    warnings: list[str] = []
    stored(tmp_path / "cache", warnings)
    assert "is a symbolic link" in warnings[0]
    assert entries(tmp_path) == []


def test_links_above_the_folder_are_followed_and_checked(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "open" / "inside").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to("open/inside")
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "good").symlink_to("./real")
    warnings: list[str] = []
    stored(tmp_path / "link" / "cache", warnings)
    assert f"write to {tmp_path}/open" in warnings[0]
    stored(tmp_path / "good" / "cache", warnings)
    assert len(warnings) == 1
    assert entries(tmp_path / "real")


@NOT_ROOT
def test_folder_and_entries_of_another_user_are_not_used(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    warnings: list[str] = []
    stored(folder, warnings)
    (entry,) = entries(folder)
    os.chown(entry, 12345, 12345)
    assert stored(folder, warnings, b"other") == b"other"
    assert "other users can write it" in warnings[0]
    os.chown(folder, 12345, 12345)
    assert stored(folder, warnings, b"third") == b"third"
    assert "belongs to another user" in warnings[1]


def test_entry_writable_by_others_is_not_used(tmp_path: Path) -> None:
    warnings: list[str] = []
    stored(tmp_path / "cache", warnings)
    (entry,) = entries(tmp_path / "cache")
    entry.chmod(0o666)
    assert stored(tmp_path / "cache", warnings, b"other") == b"other"
    assert len(warnings) == 1


def test_entry_copied_to_another_key_is_not_used(tmp_path: Path) -> None:
    cache = Cache(tmp_path, lambda _: None)
    for name in "ab":
        result(cache, cache_key(name), name.encode)
    first, second = entries(tmp_path)
    shutil.copyfile(first, second)
    assert [result(cache, cache_key(name), name.encode) for name in "ab"] == [b"a", b"b"]


def test_new_folders_are_private_to_the_user(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        stored(tmp_path / "a" / "cache", [])
    finally:
        os.umask(before)
    assert {place.stat().st_mode & 0o777 for place in (tmp_path / "a").rglob("*") if place.is_dir()} == {0o700}


def test_code_of_another_installation_has_another_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "apigen"
    package.mkdir()
    (package / "rule.py").write_text("x = 1\n")
    monkeypatch.setattr(own, "_FOLDERS", (package,))
    keys = []
    for text in ("x = 1\n", "x = 2\n"):
        time = (package / "rule.py").stat().st_mtime_ns
        (package / "rule.py").write_text(text)
        os.utime(package / "rule.py", ns=(time, time))
        own.own_code.cache_clear()
        keys.append(own.own_code())
    (package / "__pycache__").mkdir()
    (package / "__pycache__/rule.pyc").write_bytes(b"")
    own.own_code.cache_clear()
    keys.append(own.own_code())
    own.own_code.cache_clear()
    assert keys[0] != keys[1] == keys[2]


def test_results_of_other_code_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored(tmp_path / "cache", [])
    monkeypatch.setattr("apigen.files.cache.own_code", lambda: "another installation")
    assert stored(tmp_path / "cache", [], b"other") == b"other"
    monkeypatch.setattr("apigen.files.cache.own_code", lambda: None)  # a file that cannot be examined
    assert stored(tmp_path / "cache", [], b"third") == b"third"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A generated project, with a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.chdir(tmp_path)
    assert main(["init", "project"]) == 0
    monkeypatch.chdir(tmp_path / "project")
    assert main(["generate"]) == 0
    return tmp_path / "project"


JUNK = [
    b"",
    b"junk",
    marshal.dumps(7),
    marshal.dumps(()),
    marshal.dumps({"a": 1}),
    marshal.dumps((1, 2, 3, 4, 5)),
    pack(7),
]


@pytest.mark.slow
@pytest.mark.parametrize("junk", JUNK)
def test_junk_with_a_valid_checksum_is_treated_as_absent(
    project: Path, junk: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    cache = project.parent / "caches"
    shutil.copytree("api-specs", "old")
    assert main(["diff", "old"]) == 0
    assert replace_contents(cache, lambda _: junk) >= 1
    file = project / "api-specs/example.com/v1.yaml"
    assert main(["diff", "old"]) == 0
    assert main(["generate"]) == 0
    replace_contents(cache, lambda _: junk)
    file.write_text(file.read_text() + "\n# more\n")
    assert main(["generate"]) == 0
    assert main(["diff", "old"]) == 0
    assert "bug in apigen" not in capsys.readouterr().err


@pytest.mark.parametrize("junk", [Summary(7, 7, 7), {7: 7}, {"7": 7}])  # type: ignore[arg-type]
def test_unusable_values_are_built_again_without_the_cache(
    project: Path, junk: object, capsys: pytest.CaptureFixture[str]
) -> None:
    replace_contents(project.parent / "caches", lambda _: pack(junk))
    for edit in ("", "\n# more\n"):
        file = project / "api-specs/example.com/v1.yaml"
        file.write_text(file.read_text() + edit)
        assert main(["generate"]) == 0
    assert main(["verify"]) == 0
    assert "bug in apigen" not in capsys.readouterr().err


def test_unusable_values_are_recomputed_without_the_cache(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree("api-specs", "old")
    assert main(["diff", "old"]) == 0
    from apigen.review.finding import Review

    fields = Review.__match_args__
    junk = pack(Review(*[7] * len(fields)))  # type: ignore[arg-type]
    replace_contents(project.parent / "caches", lambda _: junk)
    capsys.readouterr()
    assert main(["diff", "old"]) == 0
    assert "bug in apigen" not in capsys.readouterr().err


def test_verify_ignores_the_cache(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def edited(content: bytes) -> bytes:
        return content.replace(b"A Widget", b"A WIDGET").replace(b"Widget", b"Gadget")

    replace_contents(project.parent / "caches", edited)
    assert main(["verify"]) == 0
    for file in project.joinpath("generated").rglob("*.py"):
        file.write_bytes(edited(file.read_bytes()))
    assert main(["verify"]) == 1
    assert main(["generate", "--check"]) == 1
    assert "are outdated" in capsys.readouterr().err


def test_diff_ignores_the_cache_in_ci(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree("api-specs", "old")
    shutil.rmtree(project.parent / "caches")
    monkeypatch.setenv("CI", "true")
    assert main(["diff", "old"]) == 0
    assert not (project.parent / "caches").exists()
    monkeypatch.delenv("CI")
    assert main(["diff", "old"]) == 0
    assert entries(project.parent / "caches")
