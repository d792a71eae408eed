"""ACPC games: limit and no-limit for two to ten players, from any game definition of the ACPC dealer."""
