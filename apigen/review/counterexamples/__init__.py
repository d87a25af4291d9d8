"""Objects that show findings: looked for, and tried with the generated code of both sides."""
