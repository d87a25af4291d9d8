"""Runs the examples of the documentation."""
