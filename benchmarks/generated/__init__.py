"""What generated code costs at run time, beside Go's Kubernetes and Python's libraries."""
