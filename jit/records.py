"""Records that kernels work on: `record["field"]`, an array of them for each field that has one."""

from typing import Any

import numpy as np


def new_record(fields: np.dtype[Any]) -> np.void:
    """A record of zeros; whoever holds it, Python or a kernel, reads and writes the same memory."""
    record: np.void = np.zeros(1, fields)[0]
    return record
