"""How Numba compiles the kernels, where their machine code is kept, and how they run as plain Python."""
