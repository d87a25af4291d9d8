"""Small objects that show what a change does, found and tried with the generated code of both sides."""
