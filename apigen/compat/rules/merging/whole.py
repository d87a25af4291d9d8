"""Lists that are replaced as a whole."""

from __future__ import annotations

WHOLE = (None, "atomic")
"""A list of which nothing is said is as good as an atomic one: saying so changes nothing, though most tools report it."""
