"""Checks CEL rules while the specs are at hand: syntax, types, and restrictions of the place of a rule."""
