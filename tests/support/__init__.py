"""What tests of several folders share; unlike `oracles` it calls the package itself."""
