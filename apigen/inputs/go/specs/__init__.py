"""Converts Go sources to entries of specs, with the conventions of the spec language, and reports all that specs
cannot express.
"""
