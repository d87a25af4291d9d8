"""Tests of `apigen.review`: folding."""
