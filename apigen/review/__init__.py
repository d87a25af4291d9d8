"""The review of an API change: load base and revision, compare them, find the affected clients and servers, and
propose fixes.
"""
