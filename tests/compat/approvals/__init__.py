"""Tests of `apigen.compat`: approvals."""
