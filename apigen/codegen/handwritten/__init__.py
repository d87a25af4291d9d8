"""Hand-written functions: where they are found and what may be written."""
