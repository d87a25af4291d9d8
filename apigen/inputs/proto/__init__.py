"""Protobuf: `.proto` files, and compiled descriptor sets."""
