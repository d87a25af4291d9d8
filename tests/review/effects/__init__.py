"""Tests of `apigen.review`: what each side makes of a value."""
