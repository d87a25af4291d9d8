"""A git repository, as far as its objects are read."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from apigen.dataclass import dataclass
from apigen.diagnostics.quoting import quote

SECONDS = 120
"""How long git may take for one question: a partial clone fetches what it lacks."""

_NO_REPOSITORY = "not a git repository (or any "
"""How git begins to say that no folder from here to the root has a repository."""

_STEPS = re.compile(r"[~^]|@\{")
"""Where the steps from a name to a revision begin."""

_QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


class GitError(Exception):
    """Git cannot be run, or refuses; the text is for people."""


class NoRepositoryError(GitError):
    """A folder is in no repository."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a tree. `path` starts at the root of the repository."""

    path: PurePosixPath
    id: str
    size: int
    is_link: bool = False


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository by the root of its working tree; of a bare one, by the folder that it was found from."""

    root: Path

    @classmethod
    def around(cls, folder: Path) -> Repository:
        """The repository that a folder is in. NoRepositoryError: there is none. GitError: there is no git, or it refuses."""
        try:
            found = _git(folder, ("rev-parse", "--show-toplevel"))
        except GitError:
            _git(folder, ("rev-parse", "--git-dir"))
            return cls(Path(os.path.realpath(folder)))
        return cls(Path(found.decode("utf-8", "surrogateescape").rstrip("\n")))

    def commit(self, revision: str) -> str | None:
        """The commit that a revision means; None where it means none."""
        return self._resolved(f"{revision}^{{commit}}")

    def lost(self, revision: str) -> str | None:
        """What keeps the name that a revision begins with from being a commit, as people read it; None where git knows no such name."""
        name = _STEPS.split(revision, maxsplit=1)[0] or "HEAD"
        id_ = self._resolved(name)
        if id_ is None or name.lower() == id_ or self.commit(name) is not None:
            return None
        try:
            self._run("rev-list", "--max-count=1", "--end-of-options", name, "--")
        except GitError as error:
            return f"{error}; see git fsck"
        return f"{quote(name)} is no commit"

    def merge_base(self, one: str, other: str) -> str | None:
        """The commit at which two commits parted; None where they share none, or the clone is too shallow to tell."""
        try:
            return self._run("merge-base", one, other).decode().strip()
        except GitError:
            return None

    def object(self, commit: str, path: PurePosixPath) -> str | None:
        """The file or folder of a commit; None where there is none."""
        return self._resolved(f"{commit}:{'' if path == PurePosixPath() else path}")

    def followed(self, commit: str, path: PurePosixPath) -> str | None:
        """The file or folder of a commit that a path leads to through links; None where they lead nowhere in the commit."""
        name = f"{commit}:{'' if path == PurePosixPath() else path}"
        if "\n" in name:
            return self.object(commit, path)
        asked = os.fsencode(f"{name}\n")
        words = self._run("cat-file", "--batch-check", "--follow-symlinks", given=asked).split()
        is_there = len(words) == 3 and words[1] in (b"tree", b"blob") and words[2].isdigit()
        return words[0].decode() if is_there else None

    def submodule(self, commit: str, path: PurePosixPath) -> PurePosixPath | None:
        """The submodule that a path names, or leads into."""
        for each in (path, *path.parents):
            if each != PurePosixPath():
                listed = self._run("--literal-pathspecs", "ls-tree", "-z", "--full-tree", commit, "--", str(each))
                if listed.startswith(b"160000 "):
                    return each
        return None

    def is_folder(self, id_: str) -> bool:
        """Whether an object is a folder."""
        return self._run("cat-file", "-t", id_).strip() == b"tree"

    def names(self, folder: str) -> tuple[str, ...]:
        """What stands in a folder."""
        listed = self._run("ls-tree", "-z", "--name-only", folder)
        return tuple(name.decode("utf-8", "replace") for name in listed.split(b"\0") if name)

    def files(self, id_: str, path: PurePosixPath) -> Iterator[Entry]:
        """The files of an object that stands at `path`: those of a folder and all below it, or itself. No submodules."""
        if not self.is_folder(id_):
            yield Entry(path, id_, int(self._run("cat-file", "-s", id_)))
            return
        for line in self._run("ls-tree", "-r", "-z", "--long", "--full-tree", id_).split(b"\0"):
            head, tab, name = line.partition(b"\t")
            if tab:
                mode, kind, blob, size = head.split()
                if kind == b"blob":
                    if not size.isdigit():
                        raise GitError(f"the content of {quote(os.fsdecode(name))} is missing or broken; see git fsck")
                    yield Entry(path / os.fsdecode(name), blob.decode(), int(size), mode == b"120000")

    def contents(self, ids: Iterable[str]) -> Iterator[bytes]:
        """The contents of files, in order. GitError: one of them is not there."""
        asked = "".join(f"{id_}\n" for id_ in ids).encode()
        answered, at = self._run("cat-file", "--batch", given=asked), 0
        while at < len(answered):
            end = answered.index(b"\n", at)
            size = answered[at:end].rpartition(b" ")[2]
            if not size.isdigit():
                words = answered[at:end].decode("utf-8", "replace")
                raise GitError(f"an object is missing or broken: {words}; see git fsck")
            at = end + 1 + int(size)
            yield answered[end + 1 : at]
            at += 1  # the line break behind

    def is_shallow(self) -> bool:
        """Whether the history was not cloned as a whole."""
        return self._run("rev-parse", "--is-shallow-repository").strip() == b"true"

    def remotes(self) -> tuple[str, ...]:
        """The names of the remotes."""
        return tuple(self._run("remote").decode("utf-8", "replace").split())

    def revisions(self) -> tuple[str, ...]:
        """The names of all branches and tags."""
        listed = self._run("for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes")
        return tuple(listed.decode("utf-8", "replace").split())

    def _resolved(self, name: str) -> str | None:
        try:
            return self._run("rev-parse", "--verify", "--quiet", "--end-of-options", name).decode().strip()
        except GitError:
            return None

    def _run(self, *arguments: str, given: bytes = b"") -> bytes:
        return _git(self.root, arguments, given)


def _git(folder: Path, arguments: tuple[str, ...], given: bytes = b"") -> bytes:
    command = ("git", "-C", str(folder), *arguments)
    environment = {**os.environ, **_QUIET}
    try:
        ran = subprocess.run(command, input=given, capture_output=True, env=environment, timeout=SECONDS, check=False)
    except FileNotFoundError:
        raise GitError("git is not installed, or not on the PATH") from None
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise GitError(f"git cannot be run: {error}") from error
    if ran.returncode:
        words = ran.stderr.decode("utf-8", "replace").strip().splitlines()
        said = words[0].removeprefix("fatal: ") if words else f"git {arguments[0]} failed"
        raise NoRepositoryError(said) if said.startswith(_NO_REPOSITORY) else GitError(said)
    return ran.stdout


@dataclass(frozen=True, slots=True)
class Asked:
    """A revision, and a path in it; None: the folder of specs."""

    revision: str
    path: str | None

    @classmethod
    def read(cls, said: str) -> Asked:
        """From `main`, `HEAD~3:api-specs`, `feature/x:api/v1`. A colon in braces (`HEAD^{/fix: it}`) is part of the revision."""
        depth = 0
        for at, character in enumerate(said):
            depth += (character == "{") - (character == "}")
            if character == ":" and depth == 0 and at:
                return cls(said[:at], said[at + 1 :])
        return cls(said, None)
