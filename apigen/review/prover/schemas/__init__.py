"""Decide for whole JSON Schemas whether every value of one is a value of another, independent of how they are written."""
