"""PHH: what PokerKit reads of it, and pays, is what the store has."""

from __future__ import annotations

import tomllib
import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pokerkit import HandHistory
from support.exported import Key, hands_of, in_turn

from railbird.analytics import exported_hands
from railbird.analytics.exported_hands import Written
from railbird.analytics.store import Store
from railbird.exports.hands import CannotHold, Hand
from railbird.exports.phh import table
from railbird.exports.pots import replay

HOLDEM = {
    "omaha-2016",
    "holdem-mit",
    "holdem-2017",
    "husky",
    "hpi",
    "river-of-blood",
    "acpc/unequal.nolimit.4p",
}
"""Games that are hold'em or Omaha, if a hand's board has no more than five cards; and all that are called so."""


@pytest.fixture(scope="module", params=["samples", "everything"])
def store(request: pytest.FixtureRequest) -> Store:
    found: Store = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="module")
def truth(store: Store) -> Mapping[Key, dict[str, Any]]:
    return hands_of(store)


@pytest.fixture(scope="module")
def written(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Written:
    return store.export_hands(tmp_path_factory.mktemp("phhs") / "new", "phhs")


@pytest.fixture(scope="module")
def texts(written: Written) -> dict[Key, str]:
    """The text of each hand."""
    found = {}
    for path in written.folder.glob("*.phhs"):
        for number, said in enumerate(path.read_text(encoding="utf-8").split("\n\n"), 1):
            head, _, body = said.partition("\n")
            assert head == f"[{number}]"
            fields = tomllib.loads(body)
            found[int(fields["_match_id"]), fields["_hand_index"]] = body
    assert len(found) == written.hands
    return found


def test_pokerkit_plays_every_hand_and_pays_what_was_paid(
    texts: Mapping[Key, str], truth: Mapping[Key, dict[str, Any]]
) -> None:
    # It plays some hundred hands a second.
    some = list(texts.items())[:: 1 + len(texts) // 500]
    assert len(some) > 100
    for key, text in some:
        with warnings.catch_warnings():
            # Some engines let a player fold for nothing.
            warnings.filterwarnings("ignore", "There is no reason for this player to fold")
            *_, state = HandHistory.loads(text)
        assert not state.status
        seats = in_turn(truth[key])
        # Where nobody's stack is limited, those at the end are no numbers.
        paid = [float(chips) for chips in state.payoffs]
        assert paid == pytest.approx([seat["delta"] for seat in seats], abs=1e-5)
        board = [repr(card) for cards in state.board_cards for card in cards]
        assert board == (truth[key]["board"] or [])[: len(board)]


def test_the_fields_are_those_of_the_store(
    texts: Mapping[Key, str], truth: Mapping[Key, dict[str, Any]], written: Written
) -> None:
    for key, text in texts.items():
        fields, hand = tomllib.loads(text), truth[key]
        seats = in_turn(hand)
        assert fields["players"] == [seat["player"] for seat in seats]
        assert fields["seats"] == [seat["seat"] + 1 for seat in seats]
        assert fields["hand"] == hand["hand_no"]
        place = {seat["seat"]: f"p{k}" for k, seat in enumerate(seats, 1)}
        dealt = [f"d dh {place[s['seat']]} {''.join(s['hole'])}" for s in seats]
        assert fields["actions"][: len(seats)] == dealt
        moves = []
        for action in hand["actions"]:
            said = {"fold": "f", "check": "cc", "call": "cc"}.get(action["action"], "cbr")
            # The total of the street.
            amount = [action["amount_to"]] if said == "cbr" else []
            moves.append([place[action["seat"]], said, *amount])
        words = [said.split() for said in fields["actions"] if said[0] == "p" and " sm" not in said]
        assert [[*word[:2], *map(float, word[2:])] for word in words] == moves
        if None not in [seat["stack_start"] for seat in seats]:
            assert fields["starting_stacks"] == [seat["stack_start"] for seat in seats]


def test_only_games_of_hold_em_and_omaha_fit(
    texts: Mapping[Key, str], truth: Mapping[Key, dict[str, Any]], written: Written
) -> None:
    games = {truth[key]["game"] for key in texts}
    assert games == {
        hand["game"] for hand in truth.values() if hand["game"] in HOLDEM or "holdem" in hand["game"]
    }
    assert written.hands + sum(written.left_out.values()) == len(truth)
    left = [hand for key, hand in truth.items() if key not in texts and hand["game"] in games]
    # Boards that go on, and hands of some deviation; of the ACPC dealer's every one is there.
    assert not [hand for hand in left if hand["game"].startswith("acpc")]
    sound = [hand for hand in left if len(hand["board"]) <= 5 and hand["verdict"] == "ok"]
    assert len(sound) <= 10, sound


def test_a_hand_a_file_is_the_same_text(few: Store, tmp_path: Path) -> None:
    paths = few.export(tmp_path / "one", to="phh")
    few.export(tmp_path / "all", to="phhs")
    joined = "\n".join(path.read_text() for path in sorted((tmp_path / "all").iterdir()))
    assert len(paths) == joined.count("]\nvariant")
    for path in paths:
        assert f"]\n{path.read_text()}" in joined
        assert tomllib.loads(path.read_text())["_hand_index"] == int(path.stem)


@pytest.fixture(scope="module")
def hands(few: Store) -> list[Hand]:
    matches = exported_hands._matches(few)
    return [hand for _, of_match in exported_hands._by_match(few, matches, False) for hand in of_match]


def refused(hand: Hand) -> str:
    try:
        table(replay(hand))
    except CannotHold as error:
        return str(error)
    return ""


def changed(hands: list[Hand], change: Any) -> set[str]:
    """The reasons why hands are refused after a change; only hands that are not before it."""
    return {refused(other) for hand in hands if not refused(hand) and (other := change(hand)) is not None}


def test_a_hand_that_was_paid_otherwise_is_refused(hands: list[Hand]) -> None:
    def swapped(hand: Hand) -> Hand | None:
        a, b = hand.seats
        if not a.delta:
            return None
        return replace(hand, seats=(a._replace(delta=b.delta), b._replace(delta=a.delta)))

    assert changed(hands, swapped) == {"paid otherwise than hold'em pays"}


def test_a_hand_of_an_open_verdict_is_refused(hands: list[Hand]) -> None:
    for verdict, reason in (
        ("damaged", "damaged: the log contradicts itself"),
        ("unverified", "unverified: it could not be checked"),
        ("violation", "violation: the log breaks the rules"),
    ):
        assert changed(hands, lambda hand, to=verdict: replace(hand, verdict=to)) == {reason}

    def unverified(*why: str) -> set[str]:
        return changed(hands, lambda hand: replace(hand, verdict="unverified", why_unverified=why))

    # Only the winner is not known, or the result; but there it is.
    assert unverified("hidden-hands") == unverified("no-result") == {""}
    assert unverified("hidden-hands", "zero-sum") == {"unverified: it could not be checked"}
    assert unverified("no rules for F7S") == {"unverified: no rules for F7S"}


def test_bets_that_hold_em_does_not_allow_are_refused(hands: list[Hand]) -> None:
    def smaller(hand: Hand) -> Hand | None:
        """The first raise is one chip above the bet, and so is what answers it."""
        first = next((k for k, a in enumerate(hand.actions) if a.action == "raise"), None)
        if first is None or len(hand.actions) != first + 2 or hand.actions[-1].action != "fold":
            return None
        a = hand.actions[first]
        to = a.pip_before + a.to_call + 1
        made = a._replace(amount_to=to, chips_added=to - a.pip_before)
        return replace(hand, actions=(*hand.actions[:first], made, hand.actions[-1]))

    def other_way(hand: Hand) -> Hand | None:
        """Who checks the flop first does so last."""
        if {a.action for a in hand.actions if a.played and a.street == 1} != {"check"}:
            return None
        return replace(
            hand, actions=tuple(a._replace(seat=1 - a.seat) if a.street == 1 else a for a in hand.actions)
        )

    assert changed(hands, smaller) == {"not allowed in hold'em: a bet or raise below the minimum"}
    assert changed(hands, other_way) == {"not allowed in hold'em: acting out of turn"}


def test_cards_must_be_there_and_differ(hands: list[Hand]) -> None:
    def without(hand: Hand) -> Hand | None:
        shown = hand.ended_by == "showdown" and (hand.seats[0].delta or 0) >= 0
        return (
            replace(hand, seats=(hand.seats[0]._replace(hole=(None, None)), hand.seats[1])) if shown else None
        )

    def mucked(hand: Hand) -> Hand | None:
        """The loser throws its cards away."""
        if hand.ended_by != "showdown" or (hand.seats[0].delta or 0) >= 0:
            return None
        return replace(hand, seats=(hand.seats[0]._replace(hole=(), shown=False), hand.seats[1]))

    def twice(hand: Hand) -> Hand:
        return replace(hand, seats=(hand.seats[0]._replace(hole=hand.seats[1].hole), hand.seats[1]))

    def shorter(hand: Hand) -> Hand | None:
        return replace(hand, board=(hand.board or ())[:-1]) if hand.ended_by == "showdown" else None

    assert changed(hands, without) == {"unknown cards of a winner"}
    assert changed(hands, mucked) == {""}
    for hand in hands:
        if not refused(hand) and (other := mucked(hand)) is not None:
            *_, state = HandHistory.loads(table(replay(other)))
            assert sorted(state.payoffs) == sorted(seat.delta or 0 for seat in hand.seats)
    assert changed(hands, twice) == {"a card that is dealt twice"}
    assert changed(hands, shorter) == {"board cards that the log leaves out"}


def test_an_odd_chip_that_was_split_is_split_by_pokerkit_too(many: Store) -> None:
    # Of two players one has put in as much as the other.
    matches = {k: m for k, m in exported_hands._matches(many).items() if len(m.players) > 2}
    split = 0
    for _, of_match in exported_hands._by_match(many, matches, False):
        for hand in of_match:
            played = replay(hand)
            if played.fractions:
                split += 1
                *_, state = HandHistory.loads(table(played))
                paid = [float(b) - float(a) for a, b in zip(state.starting_stacks, state.stacks, strict=True)]
                assert paid == pytest.approx([seat.delta for seat in played.seats], abs=1e-5)
    assert split


def test_names_of_any_characters_come_back(hands: list[Hand]) -> None:
    names = ('He said "no", twice', "a\\b: c | [d] # e\x7f\x01\t", "Ü 🂡 \u2028")
    for name in names:
        for hand in hands[:5]:
            seats = tuple(seat._replace(player=name) for seat in hand.seats)
            other = replace(hand, seats=seats, match=replace(hand.match, event=name))
            fields = tomllib.loads(table(replay(other)))
            assert fields["players"] == [name, name]
            assert fields["event"] == name


def test_checks_of_players_without_chips_are_left_out(hands: list[Hand]) -> None:
    """An engine may print them as its own act for a bot at fault."""

    def of_a_fault(hand: Hand) -> Hand | None:
        if not any(a.origin == "allin" and a.stack_before == 0 for a in hand.actions):
            return None
        acts = [a._replace(origin="substitute") if a.origin == "allin" else a for a in hand.actions]
        return replace(hand, actions=tuple(acts))

    some = [hand for hand in hands if not refused(hand) and of_a_fault(hand) is not None]
    assert some
    for hand in some:
        other = of_a_fault(hand)
        assert other is not None
        assert table(replay(other)) == table(replay(hand))


def test_a_blind_may_take_all_chips_of_two_players_but_no_more(hands: list[Hand]) -> None:
    def short(hand: Hand, stack: float) -> Hand | None:
        """The small blind folds to a big blind that is all-in, or above the stack."""
        chosen = [a for a in hand.actions if a.played]
        if [a.action for a in chosen] != ["fold"]:
            return None
        seats = tuple(seat._replace(stack_start=stack) for seat in hand.seats)
        return replace(hand, seats=seats)

    for hand in hands:
        if (exact := short(hand, (hand.match.blinds or (0, 0))[1])) is not None:
            *_, state = HandHistory.loads(table(replay(exact)))
            paid = [b - a for a, b in zip(state.starting_stacks, state.stacks, strict=True)]
            assert sorted(paid) == sorted(seat.delta or 0 for seat in hand.seats)
    assert changed(hands, lambda hand: short(hand, 1.0)) == {"a blind above the stack"}
