"""Whole tournaments in seconds: players that are numbers, compiled, under the same rules as replay."""
