"""OpenSpiel prints neither stacks nor blinds: what is inferred from betting and results is what was played for."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

import pytest
from support.openspiel import Dealt, session

from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.parsers.openspiel import SESSION
from railbird.parsers.openspiel_stakes import Betting, fits, infer, play, posted
from railbird.replay.simulate import simulate

SESSIONS = range(40)


def as_bets(hand: Dealt) -> Betting:
    """A hand by position."""
    seats = sorted(hand.stacks)
    at = seats.index(hand.dealer) + 1
    order = seats[at:] + seats[:at]
    _, _, betting, _, results, _ = hand.line.split(":")
    net = dict(zip(seats, map(float, results.split("|")), strict=True))
    return Betting(tuple(order), betting, tuple(net[seat] for seat in order))


@pytest.mark.parametrize("seed", SESSIONS)
def test_what_each_put_in_is_what_pokerkit_took(seed: int) -> None:
    random = Random(seed)
    players, carries = random.randint(2, 6), random.random() < 0.5
    small, big = random.choice(((1, 2), (1, 2), (5, 10)))
    hands = session(
        random, players, random.choice((20, 40, 100)) * small, 30, carries=carries, blinds=(small, big)
    )
    found = infer([as_bets(hand) for hand in hands])
    for hand, stacks, level in zip(hands, found.stacks, found.blinds, strict=True):
        bets = as_bets(hand)
        own = [float(hand.stacks[seat]) for seat in bets.seats]
        played = play(bets.betting, stacks, posted(len(stacks), *level))
        true = play(bets.betting, own, posted(len(own), small, big))
        assert true is not None, hand.line
        assert played is not None, hand.line
        assert played.spent == true.spent, hand.line
        assert played.actions == true.actions, hand.line


@pytest.mark.parametrize("carries", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_hands_of_other_stakes_below_do_not_change_those_above(seed: int, carries: bool) -> None:
    """The stacks of 60 hands of 5/10 and 1,000 are not those of the ten hands of 1/2 above them."""
    random = Random(seed)
    sessions = iter(lambda: session(random, 2, 60, 10, carries=carries, blinds=(1, 2)), [])
    above = [as_bets(hand) for hand in next(some for some in sessions if len(some) > 3)]
    below = [as_bets(hand) for hand in session(random, 2, 1000, 60, carries=carries, blinds=(5, 10))]
    alone, found = infer(above), infer([*above, *below])
    assert found.blinds[: len(above)] == alone.blinds
    assert all(map(fits, above, found.stacks, found.blinds))


def test_stacks_that_nobody_lost_are_unknown() -> None:
    hands = [Betting((0, 1), "cc/cc/cc/cc", (2.0, -2.0)), Betting((1, 0), "r6f", (6.0, -6.0))]
    found = infer(hands)
    assert found.stacks == ((float("inf"),) * 2,) * 2


def test_a_stack_shows_where_betting_stops() -> None:
    """Seat 2 raises to 60, seat 0 calls: the flop is checked if both have more, and is not if one of them has not."""
    betting, more = "r60cf///", "r60cf/cc/cc/cc"
    for stacks, said in (((60, 100, 200), betting), ((200, 100, 60), betting), ((100, 100, 200), more)):
        assert play(said, stacks, (1, 2, 0)) is not None
        assert play(more if said == betting else betting, stacks, (1, 2, 0)) is None


def test_results_that_no_stacks_explain_do_not_fit() -> None:
    bets = Betting((0, 1, 2), "r60cf///", (62.0, -2.0, -60.0))
    assert fits(bets, (60, 100, 200), (1, 2))
    assert not fits(replace(bets, net=(62.0, -3.0, -59.0)), (60, 100, 200), (1, 2))
    assert not fits(replace(bets, net=(22.0, -2.0, -20.0)), (60, 100, 200), (1, 2))


def test_betting_that_fits_no_stacks_is_none() -> None:
    for betting in ("cc/cc", "ccc", "rc", "r1c/cc/cc/cc", "cc/cc/cc/cc/cc", "fc", "f/"):
        assert play(betting, (200, 200), (2, 1)) is None


GAMES_OF_THE_DEALER: Final = (
    "holdem.limit.2p.reverse_blinds",
    "holdem.nolimit.2p.reverse_blinds",
    "holdem.nolimit.3p",
    "kuhn.limit.3p",
    "leduc.limit.2p",
)


def of_the_dealer(game: str) -> list[str]:
    """Lines of hands that the ACPC dealer writes of players with OpenSpiel's names."""
    players = [(f"Player{seat}", "random") for seat in range(3 if "3p" in game else 2)]
    text = simulate(f"acpc/{game}", players, 40, 3)
    return [line for line in text.splitlines() if line.startswith("STATE:")]


def with_fixed_seats(line: str) -> str:
    """The line of an engine in which the first column is the same player's in every hand."""
    above, _, names = line.rpartition(":")
    return f"{above}:{'|'.join(sorted(names.split('|')))}"


@pytest.mark.parametrize("seed", SESSIONS)
def test_a_session_is_told_from_the_dealers_log_by_its_first_hands(seed: int) -> None:
    random = Random(seed)
    hands = session(random, random.randint(2, 6), 100, 30, carries=random.random() < 0.5)
    for count in (1, 2, len(hands)):
        assert SESSION.match("".join(f"{hand.line}\n" for hand in hands[:count]).encode())


@pytest.mark.parametrize("game", GAMES_OF_THE_DEALER)
def test_players_of_the_dealer_may_have_the_names_of_openspiel(game: str, tmp_path: Path) -> None:
    """Without its header, too, and where seats are fixed."""
    lines = of_the_dealer(game)
    log = tmp_path / "hands.log"
    log.write_text("".join(f"{line}\n" for line in lines))
    fixed = "".join(f"{with_fixed_seats(line)}\n" for line in lines)
    assert not SESSION.match(log.read_bytes())
    assert not SESSION.match(fixed.encode())
    ingest([log], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert store.execute("select game, dialect, hands from matches").fetchall() == [
            (f"acpc/{game}", "acpc", len(lines))
        ]
        assert store.execute("select distinct verdict from hands").fetchall() == [("ok",)]


def test_a_hand_that_both_may_have_written_is_a_sessions() -> None:
    """The dealer writes a header, and the sum of the scores below the last hand."""
    (line, *_) = of_the_dealer("holdem.nolimit.2p.reverse_blinds")
    assert SESSION.match(f"{line}\n".encode())
    assert SESSION.match(b"nothing that is a hand\n")
