"""Conversion and admission webhooks of CRDs over a generated package, without storage."""
