"""Verdicts that many rules give in the same way."""

from __future__ import annotations

from apigen.ir.stability import Stability, stability
from apigen.review.context import Context
from apigen.review.surface import Element
from apigen.review.verdict.severity import Severities, Severity
from apigen.review.verdict.verdict import Verdict

SILENT = Severities.of("-/-/-")
"""Of what is told elsewhere, or concerns nobody."""

INFO = Severities.of("I/I/I")
"""Of what is good to know."""


def silent(message: str) -> Verdict:
    """A change that is claimed, and not told."""
    return Verdict(message, {}, severities=SILENT)


def note(message: str, fix: str = "") -> Verdict:
    """A change that hurts nobody, and is told."""
    return Verdict(message, {}, fix, severities=INFO)


def flat(severity: Severity) -> Severities:
    """A severity that does not depend on the stability."""
    return Severities(severity, severity, severity)


def at(severities: Severities, of: Stability) -> Severities:
    """What a severity is at a stability, where that of the element itself would mislead."""
    return flat(severities.at(of))


def of_version(element: Element) -> Stability:
    """What the version of an element promises, whatever gates it has."""
    return stability(element.version) if element.version else Stability.STABLE


def version_of(element: Element) -> str:
    """The version of an element, for messages."""
    return f"{element.group or 'core'}/{element.version}"


def release_of(context: Context, series: str = "") -> str:
    """The next release of a series as text."""
    release = context.new.release_of(series)
    return "the new release" if release is None else str(release)


def release_before(context: Context, group: str) -> str:
    """The release of the old side, of the series of a group, as text."""
    release = context.old.release_in(group)
    return "the release before" if release is None else str(release)
