"""The default base of a review: the commit at which the current branch left the default branch."""

from __future__ import annotations

from pathlib import Path

from apigen.review.sources.git import NoRepositoryError, Repository

DEFAULT_BRANCHES = ("origin/HEAD", "origin/main", "origin/master", "main", "master")
"""Possible names of the default branch, the most reliable first."""


FETCH = "fetch the history: `fetch-depth: 0` for actions/checkout, or `git fetch --unshallow`"
"""The fix for a shallow clone without a base."""


def lacks_base(folder: Path, base: str | None) -> bool:
    """Return whether a shallow clone does not contain the base; then the base is at most HEAD itself. Raises GitError like
    `baseline`.
    """
    try:
        repository = Repository.around(folder)
        head = repository.commit("HEAD")
        is_head = base is None or (head is not None and base == f"git:{head[:12]}")
        return is_head and repository.is_shallow()
    except NoRepositoryError:
        return False


def baseline(folder: Path) -> str | None:
    """Return the merge base of HEAD and the default branch, as an input; None outside of a repository, and if both branches
    have no common commit.

    On the default branch itself, it is HEAD, or the last pushed commit: then the changes since that commit are reviewed.
    Raises GitError if git cannot be run, or denies access to the repository.
    """
    try:
        repository = Repository.around(folder)
        here = repository.commit("HEAD")
        if here is None:
            # reading the input `git:HEAD` reports why HEAD is not a commit
            return None if repository.lost("HEAD") is None else "git:HEAD"
        for branch in DEFAULT_BRANCHES:
            tip = repository.commit(branch)
            base = None if tip is None else repository.merge_base(here, tip)
            if base is not None:
                return f"git:{base[:12]}"
    except NoRepositoryError:
        return None
    return None
