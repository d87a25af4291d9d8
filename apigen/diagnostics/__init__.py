"""Diagnostics with a code, a place and a fix, and their printers."""

from apigen.diagnostics.model import Diagnostic, Place, Related, Severity
from apigen.diagnostics.report import Report

__all__ = ["Diagnostic", "Place", "Related", "Report", "Severity"]
