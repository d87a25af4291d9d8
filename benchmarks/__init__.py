"""What apigen costs next to its peers: the compiler, the review of changes, and what is generated.

`python -m benchmarks` (`make bench`) measures all areas; `python -m benchmarks.short` is the form for CI.
"""
