"""The result of a rule for a change."""
