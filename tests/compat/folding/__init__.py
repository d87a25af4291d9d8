"""Tests of `apigen.compat`: folding."""
