"""The SQL macros: those of `sql/macros.sql`, and those that say what Python knows."""

from typing import Final

from ..parsers.cards import RANKS, SUITS
from ..parsers.tables import FLAGS
from ..replay.acpc.definitions import HANDS_COMPARED, PREFIX, PREFLOP_ORDER, shipped
from ..replay.bounty_terms import BONUS, ROUNDS_PER_BOUNTY, WIN_FACTOR
from .thresholds import LEVEL, Z
from .views import MACROS, SQL

_FULL: Final = len(SUITS), len(RANKS)


def macros() -> list[str]:
    """A statement a macro, but the last, which makes all of `sql/macros.sql`: they use those before."""
    bits = {flag: 1 << bit for bit, flag in enumerate(FLAGS)}
    columns = ", ".join(f"{flag}: (flags & {bit}) <> 0" for flag, bit in bits.items())
    cases = " ".join(f"when '{flag}' then {bit}" for flag, bit in bits.items())
    return [
        f"create macro flag_columns(flags) as {{{columns}}}",
        f"create macro z_975() as {Z}::double",
        f"create macro chance_level() as {LEVEL}::double",
        f"create macro rounds_per_bounty() as {ROUNDS_PER_BOUNTY}",
        f"create macro preflop_order() as {list(PREFLOP_ORDER)}",
        f"create macro hands_compared() as {HANDS_COMPARED}",
        f"create macro bounty_win(chips) as {WIN_FACTOR} * chips + {BONUS}",
        f"create macro flag_bit(flag) as cast(case flag {cases} else 0 end as ubigint)",
        f"create macro ranks() as '{RANKS}'",
        f"create macro is_acpc(game) as game = '{PREFIX[:-1]}' or starts_with(game, '{PREFIX}')",
        _decks(),
        (SQL / MACROS).read_text(encoding="utf-8").strip().removesuffix(";"),
    ]


def _deck(suits: int, ranks: int) -> list[str]:
    """The cards of the last suits and the top ranks, the highest first."""
    return [rank + suit for rank in RANKS[::-1][:ranks] for suit in SUITS[::-1][:suits]]


def _decks() -> str:
    """The macro of the cards of a game's deck; null of an ACPC definition that is not shipped."""
    names: dict[tuple[int, int], list[str]] = {}
    for definition in shipped():
        names.setdefault((definition.suits, definition.ranks), []).append(PREFIX + definition.name)
    cases = " ".join(
        f"when game in ({str(games)[1:-1]}) then {_deck(*size)}" for size, games in sorted(names.items())
    )
    return f"create macro deck_cards(game) as case when not is_acpc(game) then {_deck(*_FULL)} {cases} end"
