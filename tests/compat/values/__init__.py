"""Tests of `apigen.compat`: what each side makes of a value."""
