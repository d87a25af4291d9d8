"""Results that several rules share."""

from __future__ import annotations

from apigen.ir.stability import Stability, stability
from apigen.review.context import Context
from apigen.review.results.rule_result import RuleResult
from apigen.review.results.severity import Severities, Severity
from apigen.review.surface import Element

SILENT = Severities.of("-/-/-")
"""Severities of changes that are reported elsewhere, or affect no one."""

INFO = Severities.of("I/I/I")
"""Severities of changes that are only information."""


def silent(message: str) -> RuleResult:
    """Return the result for a change that is handled but not reported."""
    return RuleResult(message, {}, severities=SILENT)


def note(message: str, fix: str = "") -> RuleResult:
    """Return the result for a compatible change that is reported."""
    return RuleResult(message, {}, fix, severities=INFO)


def flat(severity: Severity) -> Severities:
    """Return severities that do not depend on the stability."""
    return Severities(severity, severity, severity)


def at(severities: Severities, of: Stability) -> Severities:
    """Return the severities of a certain stability, if that of the element itself would be misleading."""
    return flat(severities.at(of))


def of_version(element: Element) -> Stability:
    """Return the stability of the version of an element, independently of its gates."""
    return stability(element.version) if element.version else Stability.STABLE


def version_of(element: Element) -> str:
    """Return the version of an element, for messages."""
    return f"{element.group or 'core'}/{element.version}"


def release_of(context: Context, series: str = "") -> str:
    """Return the next release of a series, for messages."""
    release = context.new.release_of(series)
    return "the new release" if release is None else str(release)


def release_before(context: Context, group: str) -> str:
    """Return the release of the base, of the series of a group, for messages."""
    release = context.old.release_in(group)
    return "the previous release" if release is None else str(release)
