"""Tests of how benchmarks evaluate and print measurements; the measurements themselves are not tested."""
