"""Protobuf as a source of surfaces."""
