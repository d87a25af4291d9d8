"""CEL rules as tables."""
