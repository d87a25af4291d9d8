"""What apigen tells its user: values with a code, a place and a mend, and the printers of them."""

from apigen.diagnostics.model import Diagnostic, Place, Related, Severity
from apigen.diagnostics.report import Report

__all__ = ["Diagnostic", "Place", "Related", "Report", "Severity"]
