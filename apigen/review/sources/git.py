"""Revisions of a git repository, read by its plumbing and without touching the working tree."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path, PurePosixPath

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.diagnostics.suggest import nearest
from apigen.inputs.source import Setting, Source
from apigen.inputs.unrecognized import report_no_form
from apigen.ir.surface import Surface
from apigen.language.configuration import (
    OWN_NAME,
    SHARED_NAME,
    SHARED_TABLE,
    Overrides,
    TomlFile,
    load_config,
    table_in,
)
from apigen.language.releases import Release, parse_release

SECONDS = 120
"""Time limit of one git command: a partial clone fetches missing objects."""

_NO_REPOSITORY = "not a git repository (or any "
"""The start of git's error if no folder up to the root has a repository."""

_STEPS = re.compile(r"[~^]|@\{")
"""Matches the start of the steps from a name to a revision."""

_QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


class GitError(Exception):
    """Git cannot be run, or failed; the text is for people."""


class NoRepositoryError(GitError):
    """A folder is in no repository."""


class MissingError(Exception):
    """A revision, or the input in it, is missing; `code` is that of the error, `hint` how to pass another one."""

    def __init__(self, code: str, message: str, *, hint: str | None) -> None:
        super().__init__(message)
        self.code = code
        self.hint = hint


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
        """Return the repository of a folder. Raises NoRepositoryError without one, GitError if git is missing or fails."""
        try:
            found = _git(folder, ("rev-parse", "--show-toplevel"))
        except GitError:
            _git(folder, ("rev-parse", "--git-dir"))
            return cls(Path(os.path.realpath(folder)))
        return cls(Path(found.decode("utf-8", "surrogateescape").rstrip("\n")))

    def commit(self, revision: str) -> str | None:
        """Return the commit of a revision; None if it is not a commit."""
        return self._resolved(f"{revision}^{{commit}}")

    def lost(self, revision: str) -> str | None:
        """Return why the name at the start of a revision is not a commit, for messages; None if git does not know the
        name.
        """
        name = _STEPS.split(revision, maxsplit=1)[0] or "HEAD"
        id_ = self._resolved(name)
        if id_ is None or name.lower() == id_ or self.commit(name) is not None:
            return None
        try:
            self._run("rev-list", "--max-count=1", "--end-of-options", name, "--")
        except GitError as error:
            return f"{error}; see git fsck"
        return f"{quote(name)} is not a commit"

    def merge_base(self, one: str, other: str) -> str | None:
        """Return the merge base of two commits; None if they have none, or the clone is too shallow."""
        try:
            return self._run("merge-base", one, other).decode().strip()
        except GitError:
            return None

    def object(self, commit: str, path: PurePosixPath) -> str | None:
        """Return the file or folder of a commit, or `None`."""
        return self._resolved(f"{commit}:{'' if path == PurePosixPath() else path}")

    def followed(self, commit: str, path: PurePosixPath) -> str | None:
        """Return the file or folder of a commit at a path, after following links; None if they do not lead to one in
        the commit.
        """
        name = f"{commit}:{'' if path == PurePosixPath() else path}"
        if "\n" in name:
            return self.object(commit, path)
        request = os.fsencode(f"{name}\n")
        words = self._run("cat-file", "--batch-check", "--follow-symlinks", stdin=request).split()
        is_found = len(words) == 3 and words[1] in (b"tree", b"blob") and words[2].isdigit()
        return words[0].decode() if is_found else None

    def submodule(self, commit: str, path: PurePosixPath) -> PurePosixPath | None:
        """The submodule that a path names, or that contains it."""
        for each in (path, *path.parents):
            if each != PurePosixPath():
                listed = self._run("--literal-pathspecs", "ls-tree", "-z", "--full-tree", commit, "--", str(each))
                if listed.startswith(b"160000 "):
                    return each
        return None

    def is_folder(self, id_: str) -> bool:
        """Return whether an object is a folder."""
        return self._run("cat-file", "-t", id_).strip() == b"tree"

    def names(self, folder: str) -> tuple[str, ...]:
        """Return the entries of a folder."""
        listed = self._run("ls-tree", "-z", "--name-only", folder)
        return tuple(name.decode("utf-8", "replace") for name in listed.split(b"\0") if name)

    def files(self, id_: str, path: PurePosixPath) -> Iterator[Entry]:
        """Yield the files of the object at `path`: all files below a folder, or the file itself. Submodules are
        skipped.
        """
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
        request = "".join(f"{id_}\n" for id_ in ids).encode()
        output, at = self._run("cat-file", "--batch", stdin=request), 0
        while at < len(output):
            end = output.index(b"\n", at)
            size = output[at:end].rpartition(b" ")[2]
            if not size.isdigit():
                words = output[at:end].decode("utf-8", "replace")
                raise GitError(f"an object is missing or broken: {words}; see git fsck")
            at = end + 1 + int(size)
            yield output[end + 1 : at]
            at += 1  # the line break after the contents

    def is_shallow(self) -> bool:
        """Return whether the repository is a shallow clone."""
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

    def _run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        return _git(self.root, arguments, stdin)


def _git(folder: Path, arguments: tuple[str, ...], stdin: bytes = b"") -> bytes:
    command = ("git", "-C", str(folder), *arguments)
    environment = {**os.environ, **_QUIET}
    try:
        process = subprocess.run(
            command, input=stdin, capture_output=True, env=environment, timeout=SECONDS, check=False
        )
    except FileNotFoundError:
        raise GitError("git is not installed, or not on the PATH") from None
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise GitError(f"git cannot be run: {error}") from error
    if process.returncode:
        words = process.stderr.decode("utf-8", "replace").strip().splitlines()
        message = words[0].removeprefix("fatal: ") if words else f"git {arguments[0]} failed"
        raise NoRepositoryError(message) if message.startswith(_NO_REPOSITORY) else GitError(message)
    return process.stdout


@dataclass(frozen=True, slots=True)
class RevisionPath:
    """A revision, and a path in it; None: the folder of specs."""

    revision: str
    path: str | None

    @classmethod
    def read(cls, argument: str) -> RevisionPath:
        """Parse `main`, `HEAD~3:api-specs`, `feature/x:api/v1`. A colon in braces (`HEAD^{/fix: it}`) is part of the
        revision.
        """
        depth = 0
        for at, character in enumerate(argument):
            depth += (character == "{") - (character == "}")
            if character == ":" and depth == 0 and at:
                return cls(argument[:at], argument[at + 1 :])
        return cls(argument, None)


MOST_FILES = 50_000
MOST_BYTES = 512 * 1024 * 1024

_PLAIN = re.compile(r"[\w./@^~+-]+")


class TooLargeError(Exception):
    """The tree exceeds the limits for an API; the message names the limit."""


def extract(repository: Repository, entries: Iterable[Entry], folder: Path) -> None:
    """Write files of a commit below a folder. Paths and links that lead outside of it are skipped, because the commit is not
    trusted.

    Raises TooLargeError; GitError if git cannot read a file, or the folder cannot contain it.
    """
    files = [entry for entry in entries if _is_inside(entry.path)]
    size = sum(entry.size for entry in files)
    if len(files) > MOST_FILES or size > MOST_BYTES:
        raise TooLargeError(f"{len(files):,} files of {size // 1024 // 1024:,} MiB")
    links: list[tuple[PurePosixPath, bytes]] = []
    for entry, content in zip(files, repository.contents(entry.id for entry in files), strict=True):
        if entry.is_link:
            links.append((entry.path, content))
            continue
        try:  # before any link exists that the path could follow
            (folder / entry.path).parent.mkdir(parents=True, exist_ok=True)
            (folder / entry.path).write_bytes(content)
        except OSError as error:
            raise GitError(_rejected(entry.path, error)) from None
    _link(folder, links)


def _link(folder: Path, links: list[tuple[PurePosixPath, bytes]]) -> None:
    """Create links, then check their targets, which may be reached through other links."""
    created: list[Path] = []
    for path, content in links:
        target = os.fsdecode(content)
        if (
            b"\0" in content
            or not _is_inside(path.parent / target)
            or not _leads_inside(folder, (folder / path).parent)
        ):
            continue
        try:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).symlink_to(target)
        except OSError as error:
            raise GitError(_rejected(path, error)) from None
        created.append(folder / path)
        if not _leads_inside(folder, created[-1]):
            created.pop().unlink()
    for link in created:  # a later link may be on the path of one that had no target before
        if not _leads_inside(folder, link):
            link.unlink()


def _leads_inside(folder: Path, path: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _rejected(path: PurePosixPath, error: OSError) -> str:
    return f"{quote(str(path))} cannot be written to a folder: {error.strerror}"


def shown(revision: str, commit: str) -> str:
    """Return a revision as a part of paths; an unsuitable one is replaced by its commit."""
    return revision if is_written_like_one(revision) else commit[:12]


def is_written_like_one(revision: str) -> bool:
    """Return whether a text has the form of a revision: the name of a branch, tag or commit, or one of its ancestors."""
    return bool(_PLAIN.fullmatch(revision)) and not revision.startswith(("/", "-")) and ".." not in revision


def _is_inside(path: PurePosixPath) -> bool:
    """Return whether a path stays inside its start at every step."""
    depth = 0
    for part in path.parts:
        depth += -1 if part == ".." else 1
        if depth < 0:
            return False
    return not path.is_absolute()


@dataclass(frozen=True, slots=True)
class PastConfig:
    """The configuration at a commit. `specs` is relative to the root of the repository; None if it is not configured."""

    specs: PurePosixPath | None = None
    release: Release | None = None


def past_config(repository: Repository, commit: str, setting: Setting) -> PastConfig:
    """Return the configuration at a commit; without a readable one, the specs are in the current folder."""
    import tomllib

    config, folder = None, _inside(repository, setting.folder)
    for name, table in ((OWN_NAME, ()), (SHARED_NAME, SHARED_TABLE)):
        found = None if folder is None or config is not None else repository.object(commit, folder / name)
        if found is None:
            continue
        text = next(repository.contents([found])).decode("utf-8", "replace")
        with suppress(tomllib.TOMLDecodeError):
            if table_in(tomllib.loads(text), table) is not None:
                file = TomlFile(setting.folder / name, name, text, table)
                config = load_config(file, setting.folder, Overrides(), Report())
    specs = setting.specs if config is None else config.specs
    release = None if config is None or config.release is None else parse_release(config.release)
    return PastConfig(None if specs is None else _inside(repository, specs), release)


def _inside(repository: Repository, path: Path) -> PurePosixPath | None:
    """A path from the root of the repository; None for one outside of it."""
    real = Path(os.path.realpath(path))
    return PurePosixPath(real.relative_to(repository.root).as_posix()) if real.is_relative_to(repository.root) else None


_NO_BRANCH = frozenset("~^@{} :")


def missing_hint(revision: str, repository: Repository) -> str:
    """Return a hint for a missing revision: the nearest name, or the command that fetches it."""
    known = repository.revisions()
    near = next((name for name in known if name.endswith(f"/{revision}")), None) or nearest(revision, known)
    if near is not None:
        return f"did you mean `{near}`?"
    remotes = repository.remotes()
    if not remotes:
        return "add a remote that has it, or pass another revision"
    remote, _, branch = revision.partition("/")
    if remote not in remotes or not branch:
        remote, branch = "origin" if "origin" in remotes else remotes[0], revision
    if repository.is_shallow():
        one = f"git fetch --depth=1 {remote} +{branch}:refs/remotes/{remote}/{branch}, or all of it: "
        return f"this clone is shallow: {'' if _NO_BRANCH & set(branch) else one}git fetch --unshallow {remote}"
    if _NO_BRANCH & set(revision):
        return f"fetch the missing commits: git fetch {remote}"
    return f"fetch it: git fetch {remote} {branch}" + ("" if branch != revision else f":{branch}")


def _missing_path(
    revision_path: RevisionPath, commit: str, path: PurePosixPath, repository: Repository
) -> MissingError:
    """Return the error for a path that a commit does not have: the submodule with the path, or the path that may be meant."""
    revision, module = revision_path.revision, repository.submodule(commit, path)
    if module is not None:
        message = f"{quote(str(module))} is a submodule in {quote(revision)}: its files are in another repository"
        return MissingError("AG1404", message, hint=f"run apigen in it: cd {module}, and pass one of its revisions")
    meant = _nearest(path, commit, repository)
    near = None if meant is None else f"did you mean `{revision}:{meant}`?"
    return MissingError("AG1404", f"{quote(revision)} has no {quote(str(path))}", hint=near)


def _nearest(path: PurePosixPath, commit: str, repository: Repository) -> PurePosixPath | None:
    """Return the name that is most similar to the first missing part of a path; None without one."""
    for parent in path.parents:
        folder = repository.object(commit, parent)
        if folder is not None:
            names = repository.names(folder) if repository.is_folder(folder) else ()
            near = nearest(path.relative_to(parent).parts[0], names)
            return None if near is None else parent / near
    return None


class Git(Source):
    """A revision, and a folder or file of it: of any form that a folder or file can have."""

    form = "git"
    title = "a git revision"

    def __init__(self, forms: Callable[[], Iterable[Source]]) -> None:
        self._forms = forms

    def recognises(self, argument: str, setting: Setting) -> bool:
        """Return whether the input begins with a revision of the repository."""
        revision = RevisionPath.read(argument).revision
        if not revision or revision.startswith(("-", "^")):
            return False
        try:
            repository = Repository.around(setting.folder)
            return repository.commit(revision) is not None or repository.lost(revision) is not None
        except GitError:
            return False

    def hint(self, argument: str, setting: Setting) -> str | None:
        """Return how to fetch a missing revision; None outside of a repository, or if it is not a revision."""
        revision = RevisionPath.read(argument).revision
        if not is_written_like_one(revision):
            return None
        try:
            repository = Repository.around(setting.folder)
            return missing_hint(revision, repository) if repository.remotes() else None
        except GitError:
            return None

    def trouble(self, argument: str, setting: Setting) -> str | None:
        """Return an error of git about itself or the repository; None without one."""
        try:
            Repository.around(setting.folder)
        except NoRepositoryError:
            return None
        except GitError as error:
            return f"revisions cannot be looked up: {error}"
        return None

    def content(self, argument: str, setting: Setting) -> tuple[str | bytes, ...] | None:
        """Return the object id of the file or folder in git, and the commit if it may refer to files around it; None if an
        object is missing, which `load` reports.
        """
        try:
            found = _found(RevisionPath.read(argument), setting)
            names = [file.path.name for file in found.repository.files(found.id, found.path)]
        except (GitError, MissingError):
            return None
        endings = tuple(ending for form in self._forms() for ending in form.around)
        commit = found.commit if any(name.endswith(endings) for name in names) else ""
        return found.label, found.id, commit, str(found.config.release), str(found.path == found.config.specs)

    def load(self, argument: str, setting: Setting, report: Report) -> Surface | None:
        """Read it. Errors: AG1402 git, AG1403 the revision, AG1404 the path, AG1405 its size, and those of the form."""
        revision_path = RevisionPath.read(argument)
        try:
            found = _found(revision_path, setting)
            if found.repository.submodule(found.commit, found.path) is not None:
                raise _missing_path(revision_path, found.commit, found.path, found.repository)
            with _extracted(found, setting) as inner:
                is_named = found.path != PurePosixPath() or revision_path.path is not None
                forms = (form for form in self._forms() if form.recognises(found.label, inner))
                form = next(forms, None)
                # a whole repository is searched for CRDs
                if form is not None and found.path != PurePosixPath() and form.around:
                    # without them if the repository is too large, or a partial clone
                    with suppress(TooLargeError, GitError), _extracted_with(found, form, setting) as (label, outer):
                        return form.load(label, outer, report)
                if form is not None and (is_named or any(each.form == "crd" for each in chain((form,), forms))):
                    return form.load(found.label, inner, report)
                if is_named:
                    report_no_form(found.label, inner, self._forms(), Place(found.label), report)
                    return None
            hint = f"pass the folder: {revision_path.revision}:FOLDER"
            raise MissingError("AG1404", "the spec folder in the repository is unknown", hint=hint)
        except MissingError as error:
            report.error(error.code, Place(revision_path.revision), str(error), hint=error.hint)
        except GitError as error:
            report.error("AG1402", Place(argument), f"{quote(argument)} cannot be read from git: {error}")
        except TooLargeError as error:
            hint = "pass the folder of the API, such as main:api-specs"
            report.error("AG1405", Place(argument), f"{quote(argument)} is too large for an API: {error}", hint=hint)
        return None


@dataclass(frozen=True, slots=True)
class _Found:
    """An input in a revision; `id` is git's object name of the content of `path`."""

    repository: Repository
    commit: str
    config: PastConfig
    path: PurePosixPath
    id: str
    label: str


@contextmanager
def _extracted(found: _Found, setting: Setting) -> Iterator[Setting]:
    """Extract a file, or the files of a folder, to a temporary folder at their displayed paths. Raises as `extract`
    does.
    """
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(os.path.realpath(temporary))
        files = found.repository.files(found.id, found.path)
        labels = ((file, PurePosixPath(found.label, file.path.relative_to(found.path))) for file in files)
        shown_files = (replace(file, path=path) for file, path in labels)
        extract(found.repository, shown_files, folder)
        specs = folder / found.label if found.path == found.config.specs else None
        yield replace(setting, folder=folder, specs=specs, hand_written=None, release=found.config.release)


@contextmanager
def _extracted_with(found: _Found, form: Source, setting: Setting) -> Iterator[tuple[str, Setting]]:
    """Extract an input together with the files of its commit that it may refer to; yield its path, too. Raises as `extract`
    does.
    """
    whole = found.repository.object(found.commit, PurePosixPath())
    root = PurePosixPath(found.label.removesuffix(str(found.path)))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(os.path.realpath(temporary))
        others = found.repository.files(whole, PurePosixPath()) if whole is not None else ()
        own = {file.path: file for file in found.repository.files(found.id, found.path)}
        around = {
            file.path: file
            for file in others
            if file.path.name.endswith(form.around) and "vendor" not in file.path.parts
        }
        files = {**around, **own}
        extract(found.repository, (replace(file, path=root / file.path) for file in files.values()), folder)
        yield str(root / found.path), replace(setting, folder=folder, specs=None, hand_written=None)


def _found(revision_path: RevisionPath, setting: Setting) -> _Found:
    """Find the input. Raises MissingError without such a revision or path, GitError if git fails or an object is missing."""
    revision, repository = revision_path.revision, Repository.around(setting.folder)
    commit = repository.commit(revision)
    if commit is None:
        missing_reason = repository.lost(revision)
        if missing_reason is not None:
            raise GitError(missing_reason)
        message = f"git has no revision {quote(revision)} in this repository"
        raise MissingError("AG1403", message, hint=missing_hint(revision, repository))
    config = past_config(repository, commit, setting)
    path = _path(revision_path, commit, repository, setting, config)
    id_ = _object_at(repository, commit, path)
    if id_ is None:
        raise _missing_path(revision_path, commit, path, repository)
    label = f"{shown(revision, commit)}:{'' if path == PurePosixPath() else path}"
    return _Found(repository, commit, config, path, id_, label)


def _object_at(repository: Repository, commit: str, path: PurePosixPath) -> str | None:
    return repository.followed(commit, path) or repository.object(commit, path)


def _path(
    revision_path: RevisionPath, commit: str, repository: Repository, setting: Setting, config: PastConfig
) -> PurePosixPath:
    """Return the path from the root of the repository: the given one, relative to the root or to the project; without one, the
    path of the specs, or the whole repository.

    If GIT_WORK_TREE is set, the project may be outside of the working tree.
    """
    if revision_path.path is None:
        return PurePosixPath() if config.specs is None else config.specs
    from_root = PurePosixPath(os.path.normpath(revision_path.path)) if revision_path.path else PurePosixPath()
    project = Path(os.path.realpath(setting.folder))
    project_path = project.relative_to(repository.root) if project.is_relative_to(repository.root) else PurePosixPath()
    project_relative = PurePosixPath(os.path.normpath(project_path / revision_path.path))
    if revision_path.path.startswith(("./", "../")) or _object_at(repository, commit, from_root) is None:
        return project_relative
    return from_root
