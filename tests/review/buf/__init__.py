"""Agreement of `apigen diff` with the breaking-change checks of buf, on the cases of buf itself."""
