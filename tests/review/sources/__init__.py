"""Inputs of a review: spec folders, git revisions, recorded releases, Go packages."""
