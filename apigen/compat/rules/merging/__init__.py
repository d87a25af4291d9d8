"""How apply and patch treat lists, maps and structs."""
