"""What compiling costs, beside other generators."""
