"""Verdicts that many rules give in the same way."""

from __future__ import annotations

from apigen.compat.context import Context
from apigen.compat.surface.elements import Element
from apigen.compat.verdict.severity import Severities, Severity
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.stability import Stability, stability

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


def release_of(context: Context) -> str:
    """The release in the making as text."""
    return "the new release" if context.new.release is None else str(context.new.release)


def release_before(context: Context) -> str:
    """The release of the old side as text."""
    return "the release before" if context.old.release is None else str(context.old.release)
