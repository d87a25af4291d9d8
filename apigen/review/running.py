"""Run a whole review: load both sides, compare them, search for counterexamples, match approvals, and sum up. The review
of the same two inputs by the same version of apigen is reused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Diagnostic, Place, Report
from apigen.diagnostics.quoting import quote
from apigen.files.cache import Cache, cache_key
from apigen.files.packing import DamagedError, pack, unpack
from apigen.inputs.source import Setting
from apigen.ir.surface import Surface
from apigen.review.approvals.approval import ApprovalsFile, Matched, Moment, match
from apigen.review.approvals.baseline_file import Baselined, BaselineFile
from apigen.review.finding import Finding, Review
from apigen.review.grouping import every, members
from apigen.review.reports.summary import FailOn, Summary, sum_up
from apigen.review.results import Preset
from apigen.review.sources.loading import COMMAND_LINE, content_of, load
from apigen.runtime.gc import gc_paused

CACHE_BYTES = 128 * 1024 * 1024
"""Maximum size of all entries together; the least recently used are evicted first."""


@gc_paused()  # a review keeps nearly all objects that it creates
def cached_review(
    sides: tuple[str, str],
    options: tuple[str, ...],
    setting: Setting,
    report: Report,
    make: Callable[[], Review | None],
) -> Review | None:
    """Return the review of two inputs, from the cache of the setting or computed by `make`, and cached unless it is `None`.

    `options` are the other inputs of the review. Approvals, dates and failure settings are applied afterwards, and are not
    options. The sides of a review from or for the cache have no types, which reports do not read.

    A review with unknown inputs is computed and not cached. Diagnostics of `make` are reported only when it runs, so a review
    with errors or warnings is not cached. Nor is one computed while files changed, because it may mix old and new contents.
    A damaged entry is computed again, with the warning AG1408 in `report`. Several runs may use the folder at the same
    time, and it may be deleted at any time.
    """
    folder = setting.cache
    if folder is None:
        return make()

    def warn(text: str) -> None:
        report.warning("AG1408", Place(str(folder)), text)

    def reported() -> int:
        return sum(each.code != "AG1408" for each in report.diagnostics)

    cache, inputs = Cache(folder / "reviews", warn), _inputs(sides, options, setting)
    key = None if inputs is None else cache_key("compat", Review.__name__, *inputs)
    packed = None if key is None else cache.get(key)
    if packed is not None:
        try:
            found = unpack(packed)
            if isinstance(found, Review):
                return found
        except DamagedError:
            warn("a cached review cannot be read and is computed again")
    before = reported()
    computed = make()
    if computed is None:
        return None
    computed = replace(computed, old=_without_types(computed.old), new=_without_types(computed.new))
    if key is not None and reported() == before and _inputs(sides, options, setting) == inputs:
        cache.put(key, pack(computed))
        cache.trim(CACHE_BYTES)
    return computed


def _without_types(side: Surface) -> Surface:
    """Return a side without its types, schemas and specs, which only rules and the search for objects read."""
    groups = {
        name: replace(group, versions={each.name: replace(each, types={}) for each in group.versions.values()})
        for name, group in side.groups.items()
    }
    return replace(side, groups=groups, schemas={}, specs=None)


def _inputs(sides: tuple[str, str], options: tuple[str, ...], setting: Setting) -> tuple[str | bytes, ...] | None:
    """Return all inputs of a review; None if they are unknown."""
    contents = [content_of(side, setting) for side in sides]
    functions = _functions(setting.hand_written)
    if functions is None:
        return None
    known = [(*part, "") for part in contents if part is not None]
    return (*options, *functions, *chain.from_iterable(known)) if len(known) == len(contents) else None


def _functions(folder: Path | None) -> tuple[str | bytes, ...] | None:
    """Return the hand-written functions, with which examples of findings are run; None if their files are unusual."""
    from apigen.files.folder_contents import UnusualFileError, key_parts

    try:
        return () if folder is None else key_parts(folder)
    except UnusualFileError:
        return None


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments of a review. `approvals` is the file of approvals with its name for messages, and `moment` the
    current time; None without approvals.

    `with_counterexamples`: search for counterexamples. `is_new_file`: the file of approvals need not exist yet.
    `baseline` has the findings that do not fail the review.
    """

    old: str
    new: str
    setting: Setting
    approvals: tuple[Path, str] | None
    moment: Moment | None
    preset: Preset = Preset.API
    fail_on: FailOn = FailOn.ERROR
    with_counterexamples: bool = True
    is_new_file: bool = False
    baseline: BaselineFile | None = None


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The result of a review: the summary, the file of approvals before changes, and the matched findings."""

    summary: Summary
    approvals: ApprovalsFile | None
    matched: Matched

    @property
    def unapproved(self) -> tuple[Finding, ...]:
        """Return the findings that make the review fail, including consequences, each with its own severity."""
        counts = self.summary.fail_on.counts
        found = (each for finding in self.summary.findings for each in members(finding))
        return tuple(each for each in found if counts(each.severity))


def run_review(request: Request, report: Report, progress: Callable[[str], None] = lambda _: None) -> Reviewed | None:
    """Run a review. Returns None, with errors in `report`, if a side cannot be read. `progress` receives the name of
    each step.
    """
    has_cel = find_spec("cel_expr_python") is not None  # without it, a review has fewer counterexamples
    options = (request.preset.value, f"counterexamples: {request.with_counterexamples}", f"CEL: {has_cel}")
    found = cached_review(
        (request.old, request.new), options, request.setting, report, lambda: _computed(request, report, progress)
    )
    return None if found is None else match_approvals(request, found)


def _computed(request: Request, report: Report, progress: Callable[[str], None]) -> Review | None:
    from apigen.review.review import review  # imports all rules, which a cached review does not need

    progress(f"reading {request.old}")
    old = load(request.old, request.setting, report)
    progress(f"reading {request.new}")
    new = load(request.new, request.setting, report)
    if old is None or new is None:
        return None
    if old.groups and new.groups and old.comparable_form != new.comparable_form:
        message = f"the base has the form {quote(old.form)}, the revision the form {quote(new.form)}"
        hint = "compare inputs of one form; if it was recognized wrongly, write it in front of the path: `crd:PATH`"
        report.error("AG1410", Place(COMMAND_LINE), message, hint=hint)
        return None
    progress("comparing")
    reviewed = review(old, new, request.preset)
    if not request.with_counterexamples or request.preset is Preset.BYTES:
        return reviewed
    from apigen.review.counterexamples.searching import with_counterexamples  # as above

    progress("searching for counterexamples")
    return with_counterexamples(reviewed)


def match_approvals(request: Request, found: Review) -> Reviewed:
    """Return the review with the approvals of the request matched with its findings."""
    if request.approvals is None or request.moment is None:
        return _summed_up(request, found, Matched(found.findings), None, ())
    moment = replace(request.moment, release=request.moment.release or found.new.release)
    report = Report()
    path, display_path = request.approvals
    if request.is_new_file and not path.exists():
        file = ApprovalsFile(path, display_path)
    else:
        from apigen.review.approvals.approvals_file import (
            read_approvals,  # loads the reader of specs, which CRDs do not need
        )

        file = read_approvals(path, display_path, moment.today, report)
    matched = match(found.findings, file.approvals, moment, report)
    return _summed_up(request, found, matched, file, report.diagnostics)


def _summed_up(
    request: Request, found: Review, matched: Matched, file: ApprovalsFile | None, problems: Iterable[Diagnostic]
) -> Reviewed:
    baselined = Baselined()
    if request.baseline is not None:
        matched, baselined = request.baseline.apply(matched, found.findings)
    approvals_path = "" if file is None else file.display_path
    return Reviewed(sum_up(found, matched, problems, request.fail_on, approvals_path, baselined), file, matched)


def write_baseline(request: Request, reviewed: Reviewed) -> Reviewed:
    """Write the known and the open findings to the baseline of the request; return the review with it. Raises OSError."""
    if request.baseline is None:
        return reviewed
    known = (*reviewed.summary.baselined.findings, *every(reviewed.summary.findings))
    return match_approvals(replace(request, baseline=request.baseline.write(known)), reviewed.summary.review)
