"""Schemas of each version."""
