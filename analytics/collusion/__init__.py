"""Collusion detectors: evidence that players cooperate, each with its null hypothesis; never a verdict."""
