"""Surfaces and reviews of earlier runs, kept under the content of everything that they came from."""
