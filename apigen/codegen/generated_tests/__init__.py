"""Tests that are generated with the code that they test."""
