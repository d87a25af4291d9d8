"""Time is linear in the input: worst-case texts for each loop of the runtime, at three sizes."""
