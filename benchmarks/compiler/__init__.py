"""What compiling costs, next to other generators."""
