"""JSON Schema documents as surfaces."""
