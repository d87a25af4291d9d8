"""The proof for people: which pairs of versions preserve objects, and what is lost otherwise, with examples that were run."""
