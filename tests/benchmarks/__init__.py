"""How benchmarks judge and show what they measured; what they measure is no matter of tests."""
