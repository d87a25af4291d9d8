"""Changes the file of approvals on request, and judges the review by the changed one."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.approvals.approvals_file import ApprovalsFile
from apigen.compat.approvals.writing import can_be_changed, pruned, with_skeletons
from apigen.compat.running import Request, Reviewed, judge_again
from apigen.dataclass import dataclass
from apigen.diagnostics import Diagnostic, Severity
from apigen.diagnostics.quoting import counted
from apigen.whole_file import write_whole


@dataclass(frozen=True, slots=True)
class Changed:
    """The review after the change, and what was done, in lines for people."""

    reviewed: Reviewed
    told: tuple[str, ...] = ()


def change_approvals(request: Request, reviewed: Reviewed, *, write: bool, prune: bool) -> Changed:
    """Prune first, then add skeletons for what fails. A skeleton has no reason, so the review that wrote it fails with it.

    A file that cannot be taken apart stays as it is (AG1427). Raises OSError.
    """
    if not (write or prune) or reviewed.approvals is None:
        return Changed(reviewed)
    told: list[str] = []
    for step in (_prune if prune else None, _write if write else None):
        if step is None or reviewed.approvals is None:
            continue
        problem = _obstacle(reviewed.approvals)
        if problem is not None:
            return Changed(reviewed.with_problem(problem), tuple(told))
        lines = list(step(request, reviewed))
        told += lines
        if lines:
            reviewed = judge_again(request, reviewed)
    return Changed(reviewed, tuple(told))


def _prune(_: Request, reviewed: Reviewed) -> Iterator[str]:
    file, unused = reviewed.approvals, reviewed.matched.unused
    if file is None or not unused:
        return
    write_whole(file.path, pruned(file, unused).encode())
    yield f"removed {counted(len(unused), 'approval')} from {file.shown}"


def _write(request: Request, reviewed: Reviewed) -> Iterator[str]:
    file = reviewed.approvals
    if file is None or request.moment is None or request.moment.today is None:
        return
    text, count = with_skeletons(file, reviewed.unapproved, request.moment.today)
    if count:
        write_whole(file.path, text.encode())
        entries = f"{count} entr{'y' if count == 1 else 'ies'}"
        yield f"added {entries} to {file.shown}: write a reason into each, or it approves nothing"


def _obstacle(file: ApprovalsFile) -> Diagnostic | None:
    """Why a file cannot be changed line by line."""
    if file.is_usable and can_be_changed(file):
        return None
    place = file.entries[0] if file.entries else file.place
    message = "this file cannot be changed by a program" + ("" if file.is_usable else ": it has errors of another kind")
    hint = "begin each entry on a line of its own, below a dash" if file.is_usable else "mend these first"
    return Diagnostic("AG1427", Severity.ERROR, place, message, hint)
