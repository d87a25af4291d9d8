"""Feature gates."""
