"""Rules about constraints."""
