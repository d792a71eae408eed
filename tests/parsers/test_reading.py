"""Room for arrays that are made anew for every chunk."""

import numpy as np

from railbird.parsers.reading import room


def test_arrays_of_one_block_do_not_overlap() -> None:
    kinds = [(5, "f8"), (0, "i4"), (3, "?"), (7, "u8"), (1, "i1")]
    made = list(room(kinds))
    assert [(len(array), array.dtype) for array in made] == [(size, np.dtype(kind)) for size, kind in kinds]
    for number, array in enumerate(made):
        array[:] = number
    assert [array.tolist() for array in made] == [[0.0] * 5, [], [True] * 3, [3] * 7, [4]]
    assert all(array.ctypes.data % array.itemsize == 0 for array in made)


def test_no_arrays_are_no_block() -> None:
    assert list(room([])) == []
