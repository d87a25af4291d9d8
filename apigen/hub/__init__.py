"""The hub's shape, conversion plans, and the proof that nothing is lost."""
