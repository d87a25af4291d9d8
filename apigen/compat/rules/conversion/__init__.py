"""Conversion between the versions of one side."""
