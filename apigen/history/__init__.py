"""Recorded releases: one record per release and group, from which the API of the release can be rebuilt."""
