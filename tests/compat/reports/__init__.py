"""Tests of `apigen.compat`: reports."""
