"""Lenses that are proposed for fields that differ from the hub."""
