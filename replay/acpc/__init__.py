"""ACPC games: limit and no-limit for two to ten players, from any definition of the dealer's."""
