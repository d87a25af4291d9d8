"""Objects of an API outside of a server: reads them, and converts them with the generated package of a project."""
