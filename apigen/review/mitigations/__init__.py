"""Mitigations that lower the severity of a finding, and how they are verified."""
