"""Read objects of an API outside of a server, and convert them with the generated package of a project."""
