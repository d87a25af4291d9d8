"""The keys of the spec language, grouped by meaning: tables of keys, and the functions that build the model from their
values.
"""
