"""Revisions of a git repository."""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from pathlib import Path, PurePosixPath

from apigen.compat.sources.git.asked import Asked
from apigen.compat.sources.git.extracting import TooLargeError, extract, is_written_like_one, shown
from apigen.compat.sources.git.past_config import PastConfig, past_config
from apigen.compat.sources.git.problems import missing_hint, report_no_path, report_no_revision
from apigen.compat.sources.git.repository import GitError, Repository
from apigen.compat.sources.source import Setting, Source
from apigen.compat.surface.surface import Surface
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote


class Git(Source):
    """A revision, and a folder or file of it: of any form that a folder or file can have."""

    form = "git"
    title = "a git revision"
    is_of_paths = False

    def __init__(self, forms: tuple[Source, ...]) -> None:
        self._forms = forms

    def recognises(self, said: str, setting: Setting) -> bool:
        """Whether it begins with something that git knows."""
        revision = Asked.read(said).revision
        if not revision or revision.startswith("-"):
            return False
        try:
            return Repository.around(setting.folder).commit(revision) is not None
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

    def load(self, said: str, setting: Setting, report: Report) -> Surface | None:
        """Read it. Errors: AG1402 git, AG1403 the revision, AG1404 the path, AG1405 its size, and those of the form."""
        asked = Asked.read(said)
        try:
            repository = Repository.around(setting.folder)
            commit = repository.commit(asked.revision)
            if commit is None:
                report_no_revision(asked.revision, repository, report)
                return None
            return self._load(asked, commit, repository, setting, report)
        except GitError as error:
            report.error("AG1402", Place(said), f"{quote(said)} cannot be read from git: {error}")
        except TooLargeError as error:
            hint = "say the folder of the API in it, such as main:api-specs"
            report.error("AG1405", Place(said), f"{quote(said)} is too much for an API: {error}", hint=hint)
        return None

    def _load(
        self, asked: Asked, commit: str, repository: Repository, setting: Setting, report: Report
    ) -> Surface | None:
        config = past_config(repository, commit, setting)
        path = _path(asked, commit, repository, setting, config)
        found = None if path is None else repository.object(commit, path)
        if path is None or found is None:
            report_no_path(asked, commit, path, repository, report)
            return None
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(os.path.realpath(temporary))
            label = f"{shown(asked.revision, commit)}:{'' if path == PurePosixPath() else path}"
            entries = (
                replace(entry, path=PurePosixPath(label, entry.path.relative_to(path)))
                for entry in repository.files(found, path)
            )
            extract(repository, entries, folder)
            specs = folder / label if path == config.specs else None
            inner = replace(setting, folder=folder, specs=specs, hand_written=None, release=config.release)
            return self._read(label, inner, report)

    def _read(self, label: str, setting: Setting, report: Report) -> Surface | None:
        for form in self._forms:
            if form.recognises(label, setting):
                return form.load(label, setting, report)
        titles = " and no ".join(form.title.partition(" ")[2] for form in self._forms)
        report.error("AG1400", Place(label), f"{quote(label)} is nothing that can be compared: no {titles}")
        return None


def _path(
    asked: Asked, commit: str, repository: Repository, setting: Setting, config: PastConfig
) -> PurePosixPath | None:
    """The path from the root of the repository: as it was said, from there or from the project; else that of the specs."""
    if asked.path is None:
        return config.specs
    said = PurePosixPath(os.path.normpath(asked.path)) if asked.path else PurePosixPath()
    here = Path(os.path.realpath(setting.folder))
    below = PurePosixPath(os.path.normpath(here.relative_to(repository.root) / asked.path))
    if asked.path.startswith(("./", "../")) or repository.object(commit, said) is None:
        return below
    return said
