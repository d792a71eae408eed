"""The statistic flags of hands written by hand, of two and of three players."""

import numpy as np

from railbird.replay import flags as f
from railbird.replay import records
from railbird.replay.records import BET, CALL, CHECK, CHOICE, DUMMY, FOLD, RAISE

LATER = ~(f.ACTED_PREFLOP | f.VPIP | f.PFR | f.RFI_CHANCE | f.RFI | f.LIMP_CHANCE | f.LIMP)
CHECKED_FLOP = [(0, 0, RAISE, 1), (0, 1, CALL, 2), (1, 1, CHECK, 0), (1, 0, CHECK, 0)]


def flags_of(
    script: list[tuple[int, int, int, int]],
    streets: int,
    players: int = 2,
    ended: tuple[int, ...] = (records.OUT,) * 3,
    origins: dict[int, int] | None = None,
    is_holdem: bool = True,
    sitting: tuple[int, ...] = (0, 1, 2),
) -> list[int]:
    """Flags by seat (`sitting`) of a hand that seat 0 deals, of choices (street, seat, action, level) or other origins
    by place.

    It is the second of two; the first is the same, with other flags left in its rows.
    """
    hands, seats = np.zeros(2, records.HAND), np.zeros(2 * players, records.SEAT)
    actions = np.zeros(2 * len(script), records.ACTION)
    hands["streets"], hands["players"], seats["flags"] = streets, players, -1
    seats["seat"] = np.tile(sitting[:players], 2)
    hands["first_seat"], hands["first_act"] = (0, players), (0, len(script))
    for hand in range(2):
        seats["ended"][hand * players : (hand + 1) * players] = ended[:players]
        for place, (street, seat, action, level) in enumerate(script):
            row = actions[hand * len(script) + place]
            row["hand"], row["street"], row["seat"], row["action"], row["level"] = (
                hand,
                street,
                seat,
                action,
                level,
            )
            row["origin"] = (origins or {}).get(place, CHOICE)
    f.flag_seats(hands, seats, actions, np.array([is_holdem]))
    first, second = np.split(seats["flags"], 2)
    assert first.tolist() == second.tolist()
    found: list[int] = second.tolist()
    return found


def test_a_hand_without_a_flop_has_no_flags_of_later_streets() -> None:
    script = [(0, 0, CALL, 1), (0, 1, RAISE, 1), (0, 0, FOLD, 2)]
    assert [flags & LATER for flags in flags_of(script, streets=1)] == [f.THREEBET_CHANCE, 0]
    assert all(flags & f.SAW_FLOP for flags in flags_of(script[:2], streets=2))


def test_who_folds_before_the_flop_does_not_see_it() -> None:
    script = [
        (0, 0, RAISE, 1),
        (0, 1, FOLD, 2),
        (0, 2, CALL, 2),
        (1, 2, CHECK, 0),
        (1, 0, BET, 0),
        (1, 2, FOLD, 1),
    ]
    button, small, big = flags_of(script, 2, players=3)
    assert [flags & f.SAW_FLOP > 0 for flags in (button, small, big)] == [True, False, True]
    assert button & f.CBET_FLOP
    assert big & f.FOLD_TO_CBET
    # He checked, which is his chance to check-raise.
    assert big & (f.CHECK_RAISE_CHANCE | f.CHECK_RAISE) == f.CHECK_RAISE_CHANCE
    assert big & f.DONK_CHANCE
    assert not small & (f.LIMP_CHANCE | f.RFI_CHANCE)


def test_decisions_are_those_of_their_seat_where_another_is_out() -> None:
    script = [(0, 0, RAISE, 1), (0, 2, CALL, 2), (1, 2, BET, 0), (1, 0, FOLD, 1)]
    told = flags_of(script, 2, sitting=(0, 2))
    assert told == flags_of([(street, seat // 2, action, level) for street, seat, action, level in script], 2)
    assert [bool(flags & f.DONK) for flags in told] == [False, True]


def test_only_the_small_blind_of_three_limps() -> None:
    script = [(0, 0, FOLD, 1), (0, 1, CALL, 1), (0, 2, CHECK, 1)]
    button, small, big = flags_of(script, 1, players=3)
    assert button & (f.RFI_CHANCE | f.LIMP_CHANCE) == f.RFI_CHANCE
    assert small & (f.LIMP_CHANCE | f.LIMP) == f.LIMP_CHANCE | f.LIMP
    assert not big & f.RFI_CHANCE


def test_nobody_donks_into_a_raiser_who_is_all_in() -> None:
    script = [(0, 0, RAISE, 1), (0, 1, CALL, 2), (0, 2, CALL, 2), (1, 1, BET, 0), (1, 2, CALL, 1)]
    assert not any(flags & f.DONK_CHANCE for flags in flags_of(script, 2, players=3))
    # Of two who still choose, both have chips.
    assert flags_of([*script[:2], (1, 1, BET, 0)], 2)[1] & f.DONK


def test_a_flop_that_is_checked_leads_to_probes_and_delayed_bets() -> None:
    dealer, other = flags_of([*CHECKED_FLOP, (2, 1, CHECK, 0), (2, 0, BET, 0)], 3)
    assert other & (f.PROBE_CHANCE | f.PROBE) == f.PROBE_CHANCE
    assert dealer & f.DELAYED_CBET
    # It was not bet: no chance for a second barrel.
    assert not dealer & f.CBET_TURN_CHANCE


def test_a_street_that_nobody_is_asked_on_ends_the_bets_of_its_raiser() -> None:
    dealer, _ = flags_of([(0, 0, RAISE, 1), (0, 1, CALL, 2), (2, 1, CHECK, 0), (2, 0, BET, 0)], 3)
    assert not dealer & (f.CBET_TURN_CHANCE | f.DELAYED_CBET_CHANCE)


def test_what_is_no_choice_has_no_flags_but_is_remembered() -> None:
    # The engine checks the flop for the raiser, who may bet the turn.
    dealer, other = flags_of(
        [*CHECKED_FLOP, (2, 1, CHECK, 0), (2, 0, BET, 0)], 3, origins={3: records.SUBSTITUTE}
    )
    assert not dealer & f.CBET_FLOP_CHANCE
    assert dealer & f.DELAYED_CBET
    # A filler checks no street.
    dealer, other = flags_of([*CHECKED_FLOP[:3], (1, 0, BET, 0), (1, 1, RAISE, 1)], 2, origins={2: DUMMY})
    assert not other & (f.CHECK_RAISE_CHANCE | f.DONK_CHANCE)


def test_how_it_ended_is_flagged_of_every_game() -> None:
    ended = (records.BEST, records.LOST, records.OUT)
    script = [(0, 0, CHECK, 1)]
    won, lost, out = flags_of(script, 2, 3, ended, is_holdem=False)
    assert won == f.WENT_TO_SHOWDOWN | f.WON_SHOWDOWN | f.WON_HAND
    assert (lost, out) == (f.WENT_TO_SHOWDOWN, 0)
    shared = flags_of(script, 1, 2, (records.SHARED, records.TOOK), is_holdem=False)
    assert shared == [f.WENT_TO_SHOWDOWN | f.TIED_SHOWDOWN, f.WON_HAND]
