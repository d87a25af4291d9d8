"""Strategies: what an API server does to hub objects before it stores them."""
