"""Protobuf: `.proto` files, and descriptor sets that a compiler made of them."""
