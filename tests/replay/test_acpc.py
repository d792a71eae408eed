"""Every published and dealer-written ACPC log: accounted for, paid as the rules say, dealt from its seed."""

from itertools import islice
from pathlib import Path

import pytest
from support.acpc import check_file, definitions_beside

from oracles import acpc as oracle
from railbird.parsers.acpc_game import write_definition
from railbird.replay.acpc.definitions import PREFIX, named, shipped

LOGS = (
    "acpc/engine/**/*.log",
    "acpc/real/pluribus/*.log",
    "acpc/real/deepstack_ifp/*.log",
    "acpc/real/2012/*h1000.r0.log",
)
BIG = 1e-6


def game_of(path: Path, name: str) -> oracle.Game:
    definition = named(name.removeprefix(PREFIX), (*definitions_beside(path), *shipped()))
    assert definition is not None
    return oracle.read_game(write_definition(definition))


@pytest.mark.corpus_files(*LOGS)
def test_every_hand_is_stored_and_ok(corpus_file: Path) -> None:
    checked = check_file(corpus_file)
    lines = corpus_file.read_bytes().split(b"\n")
    assert checked.hands == sum(line.startswith(b"STATE:") for line in lines)
    assert checked.is_clean
    assert [outcome.complete for outcome in checked.outcomes] == [
        any(line.startswith(b"SCORE:") for line in lines)
    ]


@pytest.mark.corpus_files(*LOGS)
def test_values_are_those_of_the_log_and_of_a_slow_replay(corpus_file: Path) -> None:
    checked = check_file(corpus_file)
    game = game_of(corpus_file, checked.outcomes[0].columns["game"])
    seats = checked.rows("seats")
    players = len(checked.names[0])
    every = list(oracle.read_log(corpus_file.read_text()))
    assert every
    for index, line in list(enumerate(every))[:: max(1, len(every) // 120)]:
        due = oracle.pay(game, line)
        assert all(abs(a - b) <= BIG for a, b in zip(due, line.results, strict=True))
        spent, _ = oracle.spend(game, line.betting)
        for row in seats[players * index : players * (index + 1)]:
            at = line.names.index(row["player"]) if len(set(line.names)) == players else None
            assert at is not None
            assert abs(row["delta"] - due[at]) <= BIG
            assert abs(row["delta"] + row["written_off"] - float(due[at])) < 1e-9
            assert row["contribution"] == spent[at]
            assert row["hole"] == line.holes[at]


@pytest.mark.corpus_files("acpc/engine/**/*.log", "acpc/real/pluribus/*.log", "acpc/real/2012/*h1000.r0.log")
def test_every_card_comes_from_the_seed(corpus_file: Path) -> None:
    checked = check_file(corpus_file)
    (outcome,) = checked.outcomes
    game = game_of(corpus_file, outcome.columns["game"])
    hands = checked.rows("hands")
    lines = {line.number: line for line in oracle.read_log(corpus_file.read_text())}
    last = max(lines)
    by_number = {hand["hand_no"]: hand for hand in hands}
    assert by_number.keys() == lines.keys()
    for number, dealt in enumerate(islice(oracle.decks(game, outcome.columns["seed"]), last + 1)):
        if number in lines:
            line = lines[number]
            shown = [card for part in (*line.holes, *line.board) for card in part]
            assert shown == dealt[: len(shown)]
            assert by_number[number]["undealt"] == dealt[len(shown) :]


@pytest.mark.corpus_files("acpc/real/pluribus/*.log")
def test_the_seed_of_a_pluribus_log_is_its_number(corpus_file: Path) -> None:
    (outcome,) = check_file(corpus_file).outcomes
    number = corpus_file.stem.removeprefix("sample_game_").rstrip("b")
    assert outcome.columns["seed"] == int(number)
    assert outcome.columns["game"] == "acpc/holdem.nolimit.6p"


def test_what_lies_beside_the_logs_of_failures(corpus: Path) -> None:
    folder = corpus / "acpc/engine/failures"
    checked = check_file(folder / "invalid_actions_nl.log")
    faults = checked.rows("faults")
    kinds = [fault["kind"] for fault in faults]
    assert (kinds.count("illegal"), kinds.count("misformatted")) == (165 + 266 + 119, 69)
    assert {fault["player"] for fault in faults} == {"Bad"}
    origins = [action["origin"] for action in checked.rows("actions")]
    assert origins.count("substitute") == 165 + 69
    crashed = check_file(folder / "crash_2p.log")
    (fault,) = crashed.rows("faults")
    assert (fault["kind"], fault["player"], fault["hand_index"]) == ("disconnected", "Crash", 41)
    assert not crashed.outcomes[0].complete


def test_matches_of_the_same_cards_are_found(corpus: Path) -> None:
    groups: dict[int, list[tuple[str, int]]] = {}
    for path in sorted((corpus / "acpc/engine").rglob("*.*.[0-5].log")):
        (outcome,) = check_file(path).outcomes
        name = f"{path.parent.name}/{path.name.rsplit('.', 2)[0]}"
        groups.setdefault(outcome.columns["duplicate_group"], []).append((name, outcome.columns["seating"]))
    for members in groups.values():
        assert len({name for name, _ in members}) == 1
        assert len({seating for _, seating in members}) == len(members)
    whole = {
        tuple(seating for _, seating in sorted(members, key=lambda m: m[1])) for members in groups.values()
    }
    assert {(0, 1), (0, 1, 2, 3, 4, 5)} <= whole
