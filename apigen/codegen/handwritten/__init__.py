"""Hand-written functions: how they are found, and which forms are allowed."""
