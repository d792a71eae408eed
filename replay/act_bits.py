"""Where each field lies in the bits of `actions.act`, as the kernels that fill it need it: compiled in as numbers."""

from ..parsers.tables import ACT

ACTION, ORIGIN, STREET, SEAT, AGGRESSOR, SEQ, LEVEL, ACTIVE, BOARD = (bits.shift for bits in ACT)
