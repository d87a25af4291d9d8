"""Checks CEL rules while the specs are at hand: syntax, types, and what a rule may say where it stands."""
