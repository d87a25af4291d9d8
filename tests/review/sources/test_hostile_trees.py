"""Hostile trees that `git add` does not create: they end in an error or a harmless report, and no file outside is
written.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.review.baseline import baseline
from apigen.review.sources.loading import load
from tests.review.sources.things import GROUP, HEADER, TYPES, commit, git, repository

FILE, LINK, FOLDER, MODULE = b"100644", b"120000", b"40000", b"160000"
OUT = b"../../../../../../../../../../../../../../../.."
Entries = list[tuple[bytes, bytes, str]]


@dataclass
class Trees:
    """Writes objects into a repository without any check."""

    root: Path

    def blob(self, content: bytes) -> str:
        return self._written("blob", content)

    def tree(self, entries: Entries) -> str:
        raw = b"".join(mode + b" " + name + b"\0" + bytes.fromhex(id_) for mode, name, id_ in entries)
        return self._written("tree", raw)

    def group(self, *more: tuple[bytes, bytes, str]) -> str:
        """A commit with a good group, and more entries in its folder."""
        own = [(FILE, b"group.yaml", self.blob(HEADER.encode())), (FILE, b"v1.yaml", self.blob(TYPES.encode()))]
        specs = self.tree([(FOLDER, GROUP.encode(), self.tree([*own, *more]))])
        return self.commit(self.tree([(FOLDER, b"api-specs", specs)]))

    def commit(self, tree: str) -> str:
        return git(self.root, "commit-tree", tree, "-m", "by hand")

    def without(self, id_: str, content: bytes | None = None) -> None:
        """Lose an object, or break it."""
        path = self.root / ".git" / "objects" / id_[:2] / id_[2:]
        path.unlink()
        if content is not None:
            path.write_bytes(content)

    def deep(self, levels: int, end: tuple[bytes, bytes, str]) -> tuple[bytes, bytes, str]:
        """Folders in each other, all called `d`, and an entry in the innermost."""
        for _ in range(levels):
            end = (FOLDER, b"d", self.tree([end]))
        return end

    def _written(self, kind: str, content: bytes) -> str:
        command = ("git", "-C", str(self.root), "hash-object", "-w", "-t", kind, "--literally", "--stdin")
        return subprocess.run(command, input=content, capture_output=True, check=True).stdout.decode().strip()


@pytest.fixture
def trees(tmp_path: Path) -> Trees:
    return Trees(repository(tmp_path / "project"))


def codes(trees: Trees, commit: str, path: str = "api-specs") -> list[str]:
    """The codes that loading a commit ends with."""
    report = Report()
    found = load(f"{commit}:{path}", Setting(trees.root), report)
    assert (found is None) == bool(report.diagnostics)
    return sorted({each.code for each in report.diagnostics})


def test_duplicate_folder_and_link_entry_is_not_followed(trees: Trees, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    up = trees.blob(b"../../../../..")
    inside = b"d/d/d/d/d/up" + b"/.." * 6 + str(outside).encode()  # as a text it stays inside
    twice: Entries = [
        trees.deep(5, (LINK, b"up", up)),
        (LINK, b"w", trees.blob(inside)),
        (FOLDER, b"w", trees.tree([(FILE, b"written", trees.blob(b"x")), (LINK, b"linked", trees.blob(b"y"))])),
    ]
    for entries in (twice, [*reversed(twice)]):
        codes(trees, trees.group(*entries))
        assert not list(outside.iterdir())


def test_chained_links_do_not_read_outside_files(trees: Trees, tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text('{"type": "object", "properties": {"secret": 1}}', encoding="utf-8")
    up = trees.blob(b"../../../../..")
    inside = b"d/d/d/d/d/up" + b"/.." * 6 + str(tmp_path / "secret.json").encode()
    tree = trees.tree([trees.deep(5, (LINK, b"up", up)), (LINK, b"x.json", trees.blob(inside))])
    report = Report()
    assert load(f"jsonschema:{trees.commit(tree)}:x.json", Setting(trees.root), report) is None
    assert "secret" not in str(report.diagnostics).replace("secret.json", "")


@pytest.mark.parametrize("is_broken", [False, True])
def test_an_object_that_is_missing_or_broken(is_broken: bool, trees: Trees) -> None:
    lost = trees.blob(b"lost")
    commit = trees.group((FILE, b"v2.yaml", lost))
    trees.without(lost, b"no object" if is_broken else None)
    assert codes(trees, commit) == ["AG1402"]


def test_a_folder_that_is_missing(trees: Trees) -> None:
    lost = trees.tree([(FILE, b"x", trees.blob(b"x"))])
    commit = trees.commit(trees.tree([(FOLDER, b"api-specs", lost)]))
    trees.without(lost)
    assert codes(trees, commit) == ["AG1402"]


@pytest.mark.slow
@pytest.mark.parametrize("path", ["api-specs", "a.json"])
@pytest.mark.parametrize("what", ["", "^{tree}", ":a.json", ":api-specs", f":api-specs/{GROUP}/v1.yaml"])
def test_cached_review_of_a_lost_revision_is_not_used(what: str, path: str, trees: Trees) -> None:
    (trees.root / "a.json").write_text('{"type": "object"}', encoding="utf-8")
    commit(trees.root)
    setting = Setting(trees.root, cache=trees.root / "cache")
    for _ in range(2):
        assert load(f"main:{path}", setting, Report()) is not None
    trees.without(git(trees.root, "rev-parse", f"main{what}"))
    report = Report()
    is_needed = not what.startswith(":") or what.startswith(f":{path}")
    assert (load(f"main:{path}", setting, report) is None) == is_needed
    assert [each.code for each in report.diagnostics] == ["AG1402"] * is_needed


@pytest.mark.parametrize("revision", ["HEAD", "main", "main~1", "tagged", "tagged^{commit}"])
def test_name_of_a_missing_commit(revision: str, trees: Trees) -> None:
    git(trees.root, "tag", "--annotate", "--message=x", "tagged")
    trees.without(git(trees.root, "rev-parse", "main"))
    report = Report()
    assert load(f"{revision}:api-specs", Setting(trees.root), report) is None
    assert [each.code for each in report.diagnostics] == ["AG1402"]
    assert "git fsck" in report.diagnostics[0].message
    assert baseline(trees.root) == "git:HEAD"


def test_name_that_is_not_a_commit(trees: Trees) -> None:
    git(trees.root, "tag", "tree", "main^{tree}")
    report = Report()
    assert load("tree:api-specs", Setting(trees.root), report) is None
    assert [each.message for each in report.diagnostics] == [
        "`tree:api-specs` cannot be read from git: `tree` is not a commit"
    ]


@pytest.mark.parametrize("name", [b"n" * 300, b"a/../../../../up", b"v2\n.yaml", b"v\xff.yaml", b"v\x1b[31m.yaml", b""])
def test_invalid_folder_entry_names(name: bytes, trees: Trees, tmp_path: Path) -> None:
    found = codes(trees, trees.group((FILE, name, trees.blob(b"x"))))
    assert not found or set(found) <= {"AG0121", "AG1402"}
    assert not list(tmp_path.rglob("up"))


@pytest.mark.parametrize("target", [b"/dev/zero", OUT, b"a\0b", b"a/" * 5_000, b"v2.yaml", b"", b"\xff\xfe"])
def test_dangling_links(target: bytes, trees: Trees) -> None:
    found = codes(trees, trees.group((LINK, b"v2.yaml", trees.blob(target))))
    assert set(found) <= {"AG0121", "AG1402"}


def test_duplicate_file_and_folder_entry(trees: Trees) -> None:
    inner = trees.tree([(FILE, b"b.yaml", trees.blob(b"x"))])
    assert codes(trees, trees.group((FILE, b"a", trees.blob(b"x")), (FOLDER, b"a", inner))) == ["AG1402"]


@pytest.mark.parametrize("path", ["a/" * 3_000, "x" * 100_000, "api-specs\n", "\udcff", "../.." * 9, "-x", ":", ""])
def test_invalid_paths(path: str, trees: Trees) -> None:
    assert codes(trees, trees.group(), path) in (["AG1400"], ["AG1402"], ["AG1404"], [])


@pytest.mark.parametrize("revision", ["--output=out", "-h", "a..b", "@{-1}", "x" * 100_000, "\udcff", "a\nb"])
def test_invalid_revisions(revision: str, trees: Trees) -> None:
    report = Report()
    assert load(revision, Setting(trees.root), report) is None
    assert [each.code for each in report.diagnostics] == ["AG1400"]
    assert not (trees.root / "out").exists()
