"""Writes the protobuf codec of each version."""
