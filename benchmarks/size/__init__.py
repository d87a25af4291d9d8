"""What compiling costs as specs grow."""
