"""Time that is linear in the input: texts made to hurt each loop of the runtime, at three sizes."""
