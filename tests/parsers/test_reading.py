"""Room for arrays that are made anew for every chunk, and for those that are kept."""

import numpy as np

from railbird.parsers.reading import Pool, room


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


def test_an_array_of_a_pool_has_the_type_that_is_asked_for() -> None:
    pool = Pool()
    small, large = pool.take("codes", 10, np.uint8), pool.take("codes", 10, np.int64)
    assert [small.dtype, large.dtype] == [np.dtype("u1"), np.dtype("i8")]
    assert pool.take("codes", 5, "u1") is small
