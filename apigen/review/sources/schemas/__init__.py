"""Schemas in the words of JSON Schema, as CRDs and JSON Schema documents have them, as types of a surface."""
