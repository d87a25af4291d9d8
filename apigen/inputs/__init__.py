"""Readers of other forms: an API that is defined elsewhere becomes specs, or the surface that a review compares."""
