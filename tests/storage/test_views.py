"""One match in several files, as each player, a spectator, or an earlier day shows it: it is stored once."""

import json
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from support.pokernow import A, B, C, export

import railbird as rb
from railbird.ingest import ingest

HANDS = """
select game, hand_no, player, delta, hole from seats join hands using (match_id, hand_index) order by all
"""
MATCHES = "select game, hands, len(players) from matches order by all"

NEW_ID = 'The player "Ann @ ZZZZZZZZZZ" changed the ID from AAAAAAAAAA to ZZZZZZZZZZ because of a login.'
GAMES = {"No Limit Texas Hold'em": "pokernow", "Pot Limit Omaha Hi": "pokernow-omaha"}
OWN = {A: "A♠, A♥", B: "K♠, K♥"}


def asked(store: Path, query: str) -> list[tuple[object, ...]]:
    with rb.open(store) as opened:
        return opened.execute(query).fetchall()


def hand(number: int, game: str, seats: dict[str, float], owner: str, shows_late: bool) -> list[str]:
    """A hand in which the dealer raises by its number, all fold, and the dealer may show a card afterwards."""
    dealer, *others = seats
    small, big = (dealer, others[0]) if len(others) == 1 else others[:2]
    to = 4 + number
    said = [f"-- starting hand #{number} (id: x{number})  ({game}) (dealer: {dealer}) --"]
    chairs = {A: 1, B: 4, C: 7}
    stacks = (f"#{chairs[player]} {player} ({chips:g})" for player, chips in seats.items())
    said.append(f"Player stacks: {' | '.join(stacks)}")
    if owner in OWN and game.startswith("No"):
        said.append(f"Your hand is {OWN[owner]}")
    said += [f"{small} posts a small blind of 1", f"{big} posts a big blind of 2"]
    said += [f"{dealer} raises to {to}", *(f"{other} folds" for other in others)]
    said += [f"Uncalled bet of {to - 2} returned to {dealer}"]
    said += [
        f"{dealer} collected {4 if len(others) == 1 else 5} from pot",
        f"-- ending hand #{number} --",
    ]
    return [*said, f"{dealer} shows a A♠, A♥."] if shows_late and game.startswith("No") else said


def table(owner: str = C) -> list[str]:
    """A table of two games, at which a player sits down, another has another ID in the end, and cents come late."""
    said: list[str] = []
    for number in range(1, 13):
        seats = {A: 100 + number, B: 90.0} if number < 5 else {A: 100 + number, B: 90.0, C: 80.0}
        if number > 7:
            seats[B] = 90.25
        game = [*GAMES][number in (3, 6, 11)]
        said += hand(number, game, seats, owner, shows_late=number in (2, 9))
    at = next(k for k, line in enumerate(said) if line.startswith("-- starting hand #10"))
    return [*said[:at], NEW_ID, *(line.replace("AAAAAAAAAA", "ZZZZZZZZZZ") for line in said[at:])]


def test_exports_of_a_table_on_several_days_are_one_match_in_any_order(tmp_path: Path) -> None:
    said, random = table(), Random(33)
    whole = tmp_path / "whole"
    (tmp_path / "3.csv").write_text("\n".join(export(said)) + "\n")
    ingest([tmp_path / "3.csv"], whole)
    expected = [asked(whole, query) for query in (HANDS, MATCHES)]
    assert expected[1] == [("pokernow", 9, 3), ("pokernow-omaha", 3, 3)]
    ends = [k + 1 for k, line in enumerate(said) if line.startswith("-- ending hand")]
    for turn in range(6):
        # Exports end at the end of a hand, before its last cards are shown, and within a hand.
        cuts = sorted([*random.sample(range(ends[0], len(said)), 2), random.choice(ends[:-1])])
        logs = [tmp_path / f"{k}.csv" for k in range(4)]
        for log, cut in zip(logs, [*cuts, len(said)], strict=True):
            log.write_text("\n".join(export(said[:cut])) + "\n")
        orders = [*permutations(logs)]
        for place, order in enumerate(random.sample(orders, 3)):
            store = tmp_path / f"store {turn} {place}"
            for some in [order] if place == 0 else [[log] for log in order]:
                ingest(some, store)
            found = [asked(store, query) for query in (HANDS, MATCHES)]
            assert found == expected, (cuts, order)


@pytest.mark.parametrize("turned", [False, True])
def test_of_two_players_exports_the_longer_one_stays(turned: bool, tmp_path: Path) -> None:
    """Each has its own cards; only hands that both know are compared by them."""
    (tmp_path / "a.csv").write_text("\n".join(export(table(owner=A))) + "\n")
    cut = table(owner=B)
    cut = cut[: cut.index("-- ending hand #9 --") + 1]
    (tmp_path / "b.csv").write_text("\n".join(export(cut)) + "\n")
    for name in ("ab", "ba")[turned]:
        ingest([tmp_path / f"{name}.csv"], tmp_path / "store")
    assert asked(tmp_path / "store", MATCHES) == [("pokernow", 9, 3), ("pokernow-omaha", 3, 3)]


def test_tables_with_other_cards_or_stacks_are_two_matches(tmp_path: Path) -> None:
    said = table()
    last = said.index("-- ending hand #9 --") + 2
    for name, old, new in (("cards", "A♠, A♥", "Q♠, Q♥"), ("stacks", "90.25", "90.5")):
        changed = [line.replace(old, new) for line in said[:last]] + said[last:]
        for log, lines in (("a", said), ("b", changed)):
            (tmp_path / f"{log}.csv").write_text("\n".join(export(lines)) + "\n")
        ingest([tmp_path / "a.csv", tmp_path / "b.csv"], tmp_path / name)
        assert [found[:2] for found in asked(tmp_path / name, MATCHES)] == [
            ("pokernow", 9),
            ("pokernow", 9),
            ("pokernow-omaha", 3),
        ]


def arena(seed: int, hands: int) -> dict[str, str]:
    """A session of llm-poker-arena as its private and its public file have it."""
    random = Random(seed)
    private, public = [], []
    for number in range(hands):
        button = number % 3
        small, big = (button + 1) % 3, (button + 2) % 3
        to = random.randrange(200, 900)
        deck = random.sample([f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs"], 6)
        holes = {str(seat): deck[2 * seat : 2 * seat + 2] for seat in range(3)}
        acts = [(button, "raise_to", to), (small, "fold", None), (big, "fold", None)]
        net = {str(button): 150, str(small): -50, str(big): -100}
        private.append(
            {
                "hand_id": number,
                "button_seat": button,
                "sb_seat": small,
                "bb_seat": big,
                "starting_stacks": {str(seat): 10_000 for seat in range(3)},
                "hole_cards": holes,
                "community": [],
                "actions": [
                    {"seat": seat, "street": "preflop", "action_type": kind, "amount": chips}
                    for seat, kind, chips in acts
                ],
                "result": {"showdown": False, "net_pnl": net},
            }
        )
        events = [
            {"type": "hand_started", "button_seat": button, "blinds": {"sb": 50, "bb": 100}},
            *(
                {
                    "type": "action",
                    "seat": seat,
                    "street": "preflop",
                    "action": {"type": kind} | ({"amount": chips} if chips else {}),
                }
                for seat, kind, chips in acts
            ),
            {"type": "hand_ended", "winnings": net},
        ]
        public.append({"hand_id": number, "street_events": events})
    return {
        "canonical_private.jsonl": "".join(json.dumps(one) + "\n" for one in private),
        "public_replay.jsonl": "".join(json.dumps(one) + "\n" for one in public),
    }


@pytest.mark.parametrize("order", ["together", "private first", "public first"])
def test_what_a_spectator_sees_of_a_session_is_the_session(order: str, tmp_path: Path) -> None:
    paths = []
    for name, text in arena(1, 8).items():
        paths.append(tmp_path / name)
        paths[-1].write_text(text)
    if order == "together":
        ingest([tmp_path / path.name for path in paths], tmp_path / "store")
    else:
        for path in paths[:: -1 if order == "public first" else 1]:
            ingest([path], tmp_path / "store")
    assert asked(tmp_path / "store", "select dialect, hands from matches") == [("llm-poker-arena-private", 8)]
    assert asked(tmp_path / "store", "select distinct verdict from hands") == [("ok",)]
    assert asked(tmp_path / "store", "select count(*), count(hole) from seats") == [(24, 24)]


def test_sessions_that_differ_in_a_hand_are_two(tmp_path: Path) -> None:
    for seed in (1, 2):
        for name, text in arena(seed, 8).items():
            (tmp_path / f"{seed}").mkdir(exist_ok=True)
            (tmp_path / f"{seed}" / name).write_text(text)
    ingest([tmp_path / "1", tmp_path / "2"], tmp_path / "store")
    assert asked(tmp_path / "store", "select hands from matches") == [(8,), (8,)]
