"""CustomResourceDefinitions and JSON Schema documents as surfaces."""
