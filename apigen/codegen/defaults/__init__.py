"""Defaulting functions of each version."""
