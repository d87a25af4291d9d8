"""Revisions of a git repository."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from apigen.compat.sources.git.extracting import TooLargeError, extract, is_written_like_one, shown
from apigen.compat.sources.git.past_config import PastConfig, past_config
from apigen.compat.sources.git.problems import missing_hint, report_no_path, report_no_revision, report_submodule
from apigen.compat.sources.git.repository import Asked, GitError, NoRepositoryError, Repository
from apigen.compat.sources.source import Setting, Source, report_no_form
from apigen.compat.surface.surface import Surface
from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote

if TYPE_CHECKING:
    from apigen.spec.model import ApiSpec


class Git(Source):
    """A revision, and a folder or file of it: of any form that a folder or file can have."""

    form = "git"
    title = "a git revision"
    is_of_paths = False

    def __init__(self, forms: Callable[[], Iterable[Source]]) -> None:
        self._forms = forms

    def recognises(self, said: str, setting: Setting) -> bool:
        """Whether it begins with something that git knows."""
        revision = Asked.read(said).revision
        if not revision or revision.startswith(("-", "^")):
            return False
        try:
            repository = Repository.around(setting.folder)
            return repository.commit(revision) is not None or repository.lost(revision) is not None
        except GitError:
            return False

    def hint(self, said: str, setting: Setting) -> str | None:
        """How a revision that is not here would get here; None where this is no repository, or that is no revision."""
        revision = Asked.read(said).revision
        if not is_written_like_one(revision):
            return None
        try:
            repository = Repository.around(setting.folder)
            return missing_hint(revision, repository) if repository.remotes() else None
        except GitError:
            return None

    def trouble(self, said: str, setting: Setting) -> str | None:
        """What git says of itself or of the repository here, in place of what was asked."""
        try:
            Repository.around(setting.folder)
        except NoRepositoryError:
            return None
        except GitError as error:
            return f"revisions cannot be looked up: {error}"
        return None

    def content(self, said: str, setting: Setting) -> tuple[str | bytes, ...] | None:
        """The name that git gives to the content of the file or folder; None where any of it is missing: `load` tells that."""
        try:
            found = _found(Asked.read(said), setting)
            if found is None or found.path is None or found.id is None:
                return None
            for _ in found.repository.files(found.id, found.path):
                pass
        except GitError:
            return None
        return found.label, found.id, str(found.config.release), str(found.path == found.config.specs)

    def load(self, said: str, setting: Setting, report: Report) -> Surface | None:
        """Read it. Errors: AG1402 git, AG1403 the revision, AG1404 the path, AG1405 its size, and those of the form."""
        asked = Asked.read(said)
        try:
            found = _found(asked, setting)
            if found is None:
                report_no_revision(asked.revision, Repository.around(setting.folder), report)
            elif (module := _submodule(found)) is not None:
                report_submodule(asked, module, report)
            elif found.path is None or found.id is None:
                report_no_path(asked, found.commit, found.path, found.repository, report)
            else:
                with _extracted(found, found.path, found.id, setting) as inner:
                    return self._read(found.label, inner, report)
        except GitError as error:
            report.error("AG1402", Place(said), f"{quote(said)} cannot be read from git: {error}")
        except TooLargeError as error:
            hint = "say the folder of the API in it, such as main:api-specs"
            report.error("AG1405", Place(said), f"{quote(said)} is too much for an API: {error}", hint=hint)
        return None

    def written(self, said: str, setting: Setting) -> ApiSpec | None:
        """What the specs of the revision say."""
        try:
            found = _found(Asked.read(said), setting)
            if found is None or found.path is None or found.id is None:
                return None
            with _extracted(found, found.path, found.id, setting) as inner:
                form = next((form for form in self._forms() if form.recognises(found.label, inner)), None)
                return None if form is None else form.written(found.label, inner)
        except (GitError, TooLargeError):
            return None

    def _read(self, label: str, setting: Setting, report: Report) -> Surface | None:
        for form in self._forms():
            if form.recognises(label, setting):
                return form.load(label, setting, report)
        report_no_form(label, setting, self._forms(), Place(label), report)
        return None


@dataclass(frozen=True, slots=True)
class _Found:
    """What somebody asked for, as far as it is there; `id` is git's name for the content of `path`."""

    repository: Repository
    commit: str
    config: PastConfig
    path: PurePosixPath | None
    id: str | None
    label: str


@contextmanager
def _extracted(found: _Found, path: PurePosixPath, id_: str, setting: Setting) -> Iterator[Setting]:
    """The files of a folder, or a file, in a temporary folder where they stand as they are shown. Raises as `extract` does."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(os.path.realpath(temporary))
        files = found.repository.files(id_, path)
        shown_files = (replace(file, path=PurePosixPath(found.label, file.path.relative_to(path))) for file in files)
        extract(found.repository, shown_files, folder)
        specs = folder / found.label if path == found.config.specs else None
        yield replace(setting, folder=folder, specs=specs, hand_written=None, release=found.config.release)


def _found(asked: Asked, setting: Setting) -> _Found | None:
    """Look for it; None where there is no such revision. GitError: git cannot be run, or has lost what the name stands for."""
    repository = Repository.around(setting.folder)
    commit = repository.commit(asked.revision)
    if commit is None:
        lost = repository.lost(asked.revision)
        if lost is not None:
            raise GitError(lost)
        return None
    config = past_config(repository, commit, setting)
    path = _path(asked, commit, repository, setting, config)
    id_ = None if path is None else _there(repository, commit, path)
    label = f"{shown(asked.revision, commit)}:{'' if path in (None, PurePosixPath()) else path}"
    return _Found(repository, commit, config, path, id_, label)


def _there(repository: Repository, commit: str, path: PurePosixPath) -> str | None:
    return repository.followed(commit, path) or repository.object(commit, path)


def _submodule(found: _Found) -> PurePosixPath | None:
    return None if found.path is None else found.repository.submodule(found.commit, found.path)


def _path(
    asked: Asked, commit: str, repository: Repository, setting: Setting, config: PastConfig
) -> PurePosixPath | None:
    """The path from the root of the repository: as it was said, from there or from the project; else that of the specs.

    A project may stand outside of the working tree, where GIT_WORK_TREE says so.
    """
    if asked.path is None:
        return config.specs
    said = PurePosixPath(os.path.normpath(asked.path)) if asked.path else PurePosixPath()
    here = Path(os.path.realpath(setting.folder))
    inside = here.relative_to(repository.root) if here.is_relative_to(repository.root) else PurePosixPath()
    below = PurePosixPath(os.path.normpath(inside / asked.path))
    if asked.path.startswith(("./", "../")) or _there(repository, commit, said) is None:
        return below
    return said
