"""The SQL macros: those of `sql/macros.sql`, and those that say what Python knows."""

from ..parsers.cards import RANKS, SUITS
from ..replay.acpc.definitions import HANDS_COMPARED, PREFLOP_ORDER
from ..schema.words import FLAGS
from .thresholds import LEVEL, Z
from .views import MACROS, SQL


def macros() -> list[str]:
    """A statement a macro, but the last, which makes all of `sql/macros.sql`: they use those before."""
    bits = {flag: 1 << bit for bit, flag in enumerate(FLAGS)}
    cases = " ".join(f"when '{flag}' then {bit}" for flag, bit in bits.items())
    return [
        f"create macro z_975() as {Z}::double",
        f"create macro chance_level() as {LEVEL}::double",
        f"create macro preflop_order() as {list(PREFLOP_ORDER)}",
        f"create macro hands_compared() as {HANDS_COMPARED}",
        f"create macro flag_bit(flag) as cast(case flag {cases} else 0 end as ubigint)",
        f"create macro ranks() as '{RANKS}'",
        f"create macro full_deck() as {[rank + suit for rank in RANKS[::-1] for suit in SUITS[::-1]]}",
        (SQL / MACROS).read_text(encoding="utf-8").strip().removesuffix(";"),
    ]
