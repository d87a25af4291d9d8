"""Mutation tests: small changes to code that must not be wrong, and whether its tests notice each of them."""
