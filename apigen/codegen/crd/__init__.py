"""CustomResourceDefinitions of the project's own kinds."""
