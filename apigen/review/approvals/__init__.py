"""Approvals of findings, in a reviewed file."""
