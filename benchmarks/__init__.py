"""Measures how long generating takes, and what generated code costs beside code written by hand."""
