"""Validation of hub objects."""
