"""Values that stand for what is absent."""
