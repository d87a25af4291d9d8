"""What is said where a revision, or a path in it, is not there."""

from __future__ import annotations

from pathlib import PurePosixPath

from apigen.compat.sources.git.repository import Asked, Repository
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.diagnostics.suggest import nearest

_NO_BRANCH = frozenset("~^@{} :")


def report_no_revision(revision: str, repository: Repository, report: Report) -> None:
    """Say which command brings a revision that is not here."""
    message = f"git knows no revision {quote(revision)} here"
    report.error("AG1403", Place(revision), message, hint=missing_hint(revision, repository))


def missing_hint(revision: str, repository: Repository) -> str:
    """Which revision may be meant, or the command that fetches it."""
    known = repository.revisions()
    near = next((name for name in known if name.endswith(f"/{revision}")), None) or nearest(revision, known)
    if near is not None:
        return f"did you mean `{near}`?"
    remotes = repository.remotes()
    if not remotes:
        return "there is no remote that it could be fetched from"
    remote, _, branch = revision.partition("/")
    if remote not in remotes or not branch:
        remote, branch = "origin" if "origin" in remotes else remotes[0], revision
    if repository.is_shallow():
        return f"this clone is shallow: {_deepen(remote, branch)}"
    if _NO_BRANCH & set(revision):
        return f"fetch what is missing: git fetch {remote}"
    return f"fetch it: git fetch {remote} {branch}" + ("" if branch != revision else f":{branch}")


def _deepen(remote: str, branch: str) -> str:
    everything = f"git fetch --unshallow {remote}"
    if _NO_BRANCH & set(branch):
        return everything
    return f"git fetch --depth=1 {remote} +{branch}:refs/remotes/{remote}/{branch}, or all of it: {everything}"


def report_no_path(
    asked: Asked, commit: str, path: PurePosixPath | None, repository: Repository, report: Report
) -> None:
    """Say which path may be meant."""
    place = Place(asked.revision)
    if path is None:
        hint = f"say it: {asked.revision}:FOLDER"
        report.error("AG1404", place, "nothing says where the specs are in the repository", hint=hint)
        return
    meant = _nearest(path, commit, repository)
    near = None if meant is None else f"did you mean `{asked.revision}:{meant}`?"
    report.error("AG1404", place, f"{quote(asked.revision)} has no {quote(str(path))}", hint=near)


def report_submodule(asked: Asked, path: PurePosixPath, report: Report) -> None:
    """Say where the files are that this repository does not have."""
    message = f"{quote(str(path))} is a submodule in {quote(asked.revision)}: its files are in another repository"
    hint = f"compare it there: cd {path}, and say a revision of it"
    report.error("AG1404", Place(asked.revision), message, hint=hint)


def _nearest(path: PurePosixPath, commit: str, repository: Repository) -> PurePosixPath | None:
    """What is called nearly like the first part of a path that is missing."""
    for parent in path.parents:
        folder = repository.object(commit, parent)
        if folder is not None:
            names = repository.names(folder) if repository.is_folder(folder) else ()
            near = nearest(path.relative_to(parent).parts[0], names)
            return None if near is None else parent / near
    return None
