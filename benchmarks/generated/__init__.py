"""What generated code costs at run time, next to Go's Kubernetes and Python's libraries."""
