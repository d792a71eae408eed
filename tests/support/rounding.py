"""Comparing documents whose figures were summed in different orders."""

from typing import Any

import pytest


def close(value: Any) -> Any:
    """A value that is equal to one that was summed in another order."""
    if isinstance(value, dict):
        return {key: close(item) for key, item in value.items()}
    if isinstance(value, list):
        return [close(item) for item in value]
    return pytest.approx(value) if isinstance(value, float) else value
