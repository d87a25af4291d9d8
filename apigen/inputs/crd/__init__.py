"""CustomResourceDefinitions as surfaces."""
