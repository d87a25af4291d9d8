"""Tests of `apigen.review`: reports."""
