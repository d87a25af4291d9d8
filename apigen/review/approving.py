"""Change the file of approvals after a review: remove unused approvals, and add skeletons."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import replace
from apigen.diagnostics import Diagnostic, Severity
from apigen.diagnostics.quoting import counted
from apigen.files.whole_file import write_whole
from apigen.review.approvals.writing import can_be_changed, pruned, with_skeletons
from apigen.review.running import Request, Reviewed, match_approvals


def change_approvals(
    request: Request, reviewed: Reviewed, *, write: bool, prune: bool
) -> tuple[Reviewed, tuple[str, ...]]:
    """Remove unused approvals, then add skeletons for findings that fail the review; return the review after that, and
    messages about the changes. A skeleton has no reason, so the review still fails until you add one.

    A file that cannot be edited line by line stays unchanged (AG1427). Raises OSError.
    """
    messages: list[str] = []
    for step in (_prune if prune else None, _write if write else None):
        file = reviewed.approvals
        if step is None or file is None:
            continue
        if not file.is_usable or not can_be_changed(file):
            place = file.entries[0] if file.entries else file.place
            message = "this file cannot be edited automatically" + ("" if file.is_usable else ": it has other errors")
            hint = "begin each entry on a line of its own, below a dash" if file.is_usable else "fix them first"
            problems = (*reviewed.summary.problems, Diagnostic("AG1427", Severity.ERROR, place, message, hint))
            return replace(reviewed, summary=replace(reviewed.summary, problems=problems)), tuple(messages)
        lines = list(step(request, reviewed))
        messages += lines
        if lines:
            reviewed = match_approvals(request, reviewed.summary.review)
    return reviewed, tuple(messages)


def _prune(_: Request, reviewed: Reviewed) -> Iterator[str]:
    file, unused = reviewed.approvals, reviewed.matched.unused
    if file is None or not unused:
        return
    write_whole(file.path, pruned(file, unused).encode())
    yield f"removed {counted(len(unused), 'approval')} from {file.display_path}"


def _write(request: Request, reviewed: Reviewed) -> Iterator[str]:
    file = reviewed.approvals
    if file is None or request.moment is None or request.moment.today is None:
        return
    text, count = with_skeletons(file, reviewed.unapproved, request.moment.today)
    if count:
        write_whole(file.path, text.encode())
        entries = f"{count} entr{'y' if count == 1 else 'ies'}"
        yield f"added {entries} to {file.display_path}: add a reason to each entry; entries without one are invalid"
