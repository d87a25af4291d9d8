"""The handling of values by both sides, as in the generated code."""
