"""What is too big for the suite, run by `make hammer` and `make bombs`."""
