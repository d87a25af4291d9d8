"""Schemas that stand in schemas: alternatives, conditions, patterns of names."""
