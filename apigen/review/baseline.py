"""The default base of a review: the commit at which the current branch left the default branch."""

from __future__ import annotations

from pathlib import Path

from apigen.review.sources.git import NoRepositoryError, Repository

DEFAULT_BRANCHES = ("origin/HEAD", "origin/main", "origin/master", "main", "master")
"""Possible names of the default branch, the most reliable first."""


FETCH = "fetch the history: `fetch-depth: 0` for actions/checkout, or `git fetch --unshallow`"
"""The fix for a shallow clone without a base."""


def lacks_base(folder: Path, base: str | None) -> bool:
    """Whether the clone is shallow, and so gives no base but, at most, HEAD itself. Raises GitError as `baseline` does."""
    try:
        repository = Repository.around(folder)
        head = repository.commit("HEAD")
        is_head = base is None or (head is not None and base == f"git:{head[:12]}")
        return is_head and repository.is_shallow()
    except NoRepositoryError:
        return False


def baseline(folder: Path) -> str | None:
    """The merge base of HEAD and the default branch, as an input; None outside of git, or where nothing is shared.

    Raises GitError where git cannot be run, or rejects to look.
    On the default branch itself that is HEAD, or what was pushed of it: then what was changed since is reviewed.
    """
    try:
        repository = Repository.around(folder)
        here = repository.commit("HEAD")
        if here is None:
            return None if repository.lost("HEAD") is None else "git:HEAD"  # which tells what is wrong with it
        for branch in DEFAULT_BRANCHES:
            tip = repository.commit(branch)
            base = None if tip is None else repository.merge_base(here, tip)
            if base is not None:
                return f"git:{base[:12]}"
    except NoRepositoryError:
        return None
    return None
