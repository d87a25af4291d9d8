"""Whether a value is there, and how one that is not looks."""
