"""Revisions of a git repository, read by its plumbing and without touching the working tree."""
