"""The hub's shape, conversion plans, and the proof of losses."""
