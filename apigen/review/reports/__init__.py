"""Printers of a review, one for each format, and a registry."""
