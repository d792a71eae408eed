"""Competition tables: who stands where, and how sure that is; one estimator a file."""

from typing import Final

DRAWS: Final = 2000
"""Bootstrap draws where no other number is asked for."""
