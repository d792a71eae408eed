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


def test_arrays_of_a_name_share_their_room_whatever_their_type() -> None:
    pool = Pool()
    small, other = pool.take("codes", 100, np.uint8), pool.take("codes", 3, np.int64)
    assert [small.dtype, other.dtype] == [np.dtype("u1"), np.dtype("i8")]
    assert np.shares_memory(small, other)
    assert not np.shares_memory(small, pool.take("lines", 100, np.uint8))
    assert min(len(pool.take("codes", size, [("a", "i4"), ("b", "i1")])) - size for size in (0, 7, 999)) >= 0
