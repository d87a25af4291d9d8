"""Tests of surfaces."""
