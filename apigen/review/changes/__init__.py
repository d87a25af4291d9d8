"""The changes between two surfaces."""
