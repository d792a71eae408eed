"""Competition tables: who stands where, and how sure that is; one estimator a file."""
