"""Tests of `apigen.review`: approvals."""
