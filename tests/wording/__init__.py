"""Finds phrases that the texts of apigen must not use."""
