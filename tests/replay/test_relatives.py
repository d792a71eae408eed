"""River of Blood, Permutation and Swap against the corpus, a slow oracle and the library their engine used."""

import json
import re
from pathlib import Path
from typing import Any

import eval7
import numpy as np
import pytest
from support.checking import check
from support.replayed import ReplayedMatch, replay_text

from oracles.relatives import Round, read_rounds
from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.replay.evaluator import eval7_strength_of, strength_of
from railbird.replay.simulate import play

ENGINE_LOGS = ("river-of-blood-2023/engine/*.txt", "permutation-2020/engine/*.txt", "swap-2022/engine/*.txt")
PUBLISHED = ("river-of-blood-2023/real/*.txt", "swap-2022/real/*.txt")
SAMPLES = ("river-of-blood", "permutation", "swap")


def read(path: Path) -> tuple[ReplayedMatch, list[Round]]:
    text = path.read_bytes().decode()
    return replay_text(text), list(read_rounds(text))


def assert_alike(match: ReplayedMatch, rounds: list[Round]) -> None:
    """Hand by hand the same cards, chips and pay as the oracle's."""
    assert len(match.hands) == len(rounds)
    for hand, told in zip(match.hands, rounds, strict=True):
        seats = [hand.dealer, 1 - hand.dealer]
        assert [hand.put[seat] for seat in seats] == told.put
        assert [hand.deltas[seat] for seat in seats] == told.awards
        assert len(hand.board) == len(told.board)
        if hand.verdict != "unverified":
            assert [hand.written[seat] for seat in seats] == told.payout()
        if match.game == "river-of-blood" and told.board:
            assert not told.run_is_due()


@pytest.mark.corpus_files(*ENGINE_LOGS)
def test_engine_logs_are_paid_as_the_oracle_says(corpus_file: Path) -> None:
    match, rounds = read(corpus_file)
    assert match.odd_lines == 0
    assert {hand.verdict for hand in match.hands} <= {"ok", "engine_deviation"}
    if match.names[0] != match.names[1]:
        assert_alike(match, rounds)


@pytest.mark.corpus_files(*PUBLISHED)
def test_published_logs_are_read_whole_and_hold_no_violation(corpus_file: Path) -> None:
    found = check(corpus_file.read_bytes())
    assert found.unknown == found.stray == found.rejected == []
    assert set(found.verdicts) <= {"ok", "engine_deviation"}
    rounds = list(read_rounds(corpus_file.read_bytes().decode()))
    assert found.numbers == [told.number for told in rounds]
    assert [sorted(pair) for pair in found.awards] == [sorted(map(float, told.awards)) for told in rounds]


@pytest.mark.corpus_files("river-of-blood-2023/*/*.txt")
def test_river_of_blood_file_by_file(corpus_file: Path, corpus: Path) -> None:
    known: dict[str, dict[str, Any]] = json.loads((corpus / "expected.json").read_text())[
        "river-of-blood-2023"
    ]
    if corpus_file.name not in known:
        pytest.skip("both players bear one name")
    wanted, found = known[corpus_file.name], check(corpus_file.read_bytes())
    awards = [f for f in found.findings if f.rule == "award"]
    assert len(found.numbers) == wanted["hands"]
    assert len(awards) == wanted["awards_not_best_five"]
    assert {f.deviation for f in awards} <= {1}
    rounds = list(read_rounds(corpus_file.read_bytes().decode()))
    assert sum(told.streets > 4 for told in rounds) == wanted["hands_with_run"]
    # A log that never shows a run is told as what its lines say: plain hold'em.
    assert set(found.games) == {"river-of-blood" if wanted["hands_with_run"] else "holdem-mit"}


def test_an_excerpt_of_two_logs_is_damaged_where_the_second_begins(corpus: Path) -> None:
    (path,) = (corpus / "permutation-2020/real").glob("*.txt")
    found = check(path.read_bytes())
    assert (found.games, found.numbers, found.verdicts) == (["permutation"], [61, 938], ["ok", "damaged"])
    # Each log has a permutation of its own.
    assert set(found.rules) == {"sequence", "permuted"}


@pytest.mark.parametrize("game", SAMPLES)
def test_samples_are_paid_as_the_oracle_says(game: str, sample_logs: Path) -> None:
    compared = 0
    for path in sorted((sample_logs / game).glob("*.txt")):
        match, rounds = read(path)
        assert match.game == game
        if match.names[0] != match.names[1] and "faults" not in path.name:
            assert_alike(match, rounds)
            compared += 1
    assert compared


def eval7_value(cards: list[str]) -> int:
    return int(eval7.evaluate([eval7.Card(card) for card in cards]))


def test_the_award_of_a_second_flush_is_what_eval7_makes_it(sample_logs: Path) -> None:
    match, rounds = read(sample_logs / "river-of-blood/two-flushes.txt")
    wrong = [k for k, hand in enumerate(match.hands) if "river-of-blood.eval7-flush" in hand.deviations]
    assert wrong
    for k in wrong:
        first, second = (eval7_value([*hole, *rounds[k].board]) for hole in rounds[k].holes)
        sign = int(first > second) - int(second > first)
        assert rounds[k].awards == [sign * rounds[k].put[0], -sign * rounds[k].put[0]]
        assert rounds[k].awards != rounds[k].payout()


def test_eval7_sees_one_flush_of_two() -> None:
    codes = {str(card): 4 * card.rank + card.suit for card in eval7.Deck()}
    rng = np.random.default_rng(7)
    names = sorted(codes, key=codes.__getitem__)
    values: dict[int, int] = {}
    overlooked = 0
    for _ in range(40_000):
        size = int(rng.integers(5, 25))
        cards = rng.choice(52, size, replace=False).astype(np.int8)
        ours = eval7_strength_of(cards, size)
        theirs = eval7_value([names[card] for card in cards])
        # Strengths are equal where values are, and larger where they are larger.
        assert values.setdefault(ours, theirs) == theirs
        overlooked += strength_of(cards, size) != ours
    ordered = [values[ours] for ours in sorted(values)]
    assert ordered == sorted(ordered)
    assert overlooked > 1000


def test_the_worked_example_of_two_flushes() -> None:
    board = "Jd 5d Kh 7d 7h 6d Kd 9d Ah 9s"
    hands = {"6c 5h": 0, "Qh Th": 0}
    codes = {
        rank + suit: 4 * r + s for r, rank in enumerate("23456789TJQKA") for s, suit in enumerate("cdhs")
    }
    by_rules, by_eval7 = [], []
    for hand in hands:
        cards = np.array([codes[card] for card in f"{hand} {board}".split()], np.int8)
        by_rules.append(strength_of(cards, len(cards)))
        by_eval7.append(eval7_strength_of(cards, len(cards)))
    assert by_rules[0] < by_rules[1]
    assert by_eval7[0] == by_eval7[1]


# What only these logs say


def sample(name: str, sample_logs: Path) -> bytes:
    return (sample_logs / name).read_bytes()


def without(text: bytes, form: bytes, place: int = 0) -> bytes:
    """The text without the line at a place among those of a form."""
    lines = text.split(b"\n")
    at = [k for k, line in enumerate(lines) if re.fullmatch(form, line)][place]
    return b"\n".join(lines[:at] + lines[at + 1 :])


@pytest.mark.parametrize(
    ("game", "profile", "stack"),
    [
        ("swap", "initial", 400),
        ("swap", "2022-01-04", 200),
        ("permutation", "initial", 400),
        ("permutation", "2020-01-05", 200),
    ],
)
def test_the_stack_is_told_by_what_is_bet(game: str, profile: str, stack: int) -> None:
    players = [("A", "all-in"), ("B", "maniac")]
    match = replay_text(play(game, players, 20, 4, profile).text)
    assert max(max(hand.put) for hand in match.hands) == stack
    assert (match.profile == "initial") == (profile == "initial")
    assert {hand.verdict for hand in match.hands} == {"ok"}


def test_one_bet_too_many_does_not_make_the_stacks_larger(sample_logs: Path) -> None:
    text = sample("swap/2022-01-04.txt", sample_logs)
    at = text.index(b" raises to 200")
    found = check(text[:at] + b" raises to 250" + text[at + len(b" raises to 200") :])
    assert found.rules["too-large"] == 1


def test_streets_of_the_bare_word_leave_showdowns_unverified_until_a_run(sample_logs: Path) -> None:
    match = replay_text(sample("river-of-blood/2023-01-02a.txt", sample_logs).decode())
    assert match.profile == "2023-01-02a"
    boards = {(hand.verdict, len(hand.board) > 0) for hand in match.hands}
    assert boards == {
        ("unverified", False),
        ("engine_deviation", True),
        ("engine_deviation", False),
        ("ok", False),
    }
    assert all(hand.streets > 4 for hand in match.hands if hand.board)


@pytest.mark.parametrize(
    ("name", "old", "new", "rule"),
    [
        ("river-of-blood/2023-02-01.txt", rb"(\w+ won )(-?\d+)", rb"\g<1>7777", "run-won"),
        ("permutation/2020-01-29.txt", rb"Straights (\d+) (\d+)", rb"Straights \g<1>9 \g<2>", "straights"),
        ("permutation/2020-01-29.txt", rb"\[(\w) (\w) (\w) ", rb"[\g<2> \g<1> \g<3> ", "permuted"),
        ("permutation/2020-01-29.txt", rb"(Flop .*\[\w)(c)", rb"\g<1>d", "permuted"),
        ("swap/2022-01-27.txt", rb" \(swapped\) awarded", b" awarded", "unswapped"),
        ("swap/2022-01-27.txt", rb"(\n\w+) awarded", rb"\g<1> (swapped) awarded", "swapped"),
        ("swap/2022-01-27.txt", rb" turn bets EV: ", b" turn bets EV: 9", "bets-ev"),
    ],
)
def test_an_edit_of_what_only_these_logs_say_is_noticed(
    name: str, old: bytes, new: bytes, rule: str, sample_logs: Path
) -> None:
    text = sample(name, sample_logs)
    edited = re.sub(old, new, text, count=1)
    assert edited != text
    assert check(text).is_clean
    assert check(edited).rules[rule] > 0


@pytest.mark.parametrize(
    ("name", "form", "rule"),
    [
        ("river-of-blood/2023-02-01.txt", rb"Run reached", "misplaced"),
        ("river-of-blood/2023-02-01.txt", rb"\w+ won -?\d+", "run-missing"),
        ("river-of-blood/2023-02-01.txt", rb"Run \[.*", "misplaced"),
        # A fold on the river ends that hand: its chips agree as if the turn went on.
        ("river-of-blood/2023-02-01.txt", rb"River \[.*", "again"),
        ("swap/2022-01-27.txt", rb"\w+'s hand: .*", "hole-missing"),
        ("permutation/2020-01-29.txt", rb"Turn .*", "misplaced"),
    ],
)
def test_a_line_that_is_left_out_is_missed(name: str, form: bytes, rule: str, sample_logs: Path) -> None:
    found = check(without(sample(name, sample_logs), form))
    assert found.rules[rule] > 0


def test_a_card_after_a_black_one_is_no_run(sample_logs: Path) -> None:
    text = sample("river-of-blood/2023-01-02.txt", sample_logs)
    black = re.sub(rb"(River \[[^\]]*\w)[dh](\], .*\n(?:.*\n){2,4}Run \[)", rb"\g<1>c\g<2>", text, count=1)
    assert black != text
    assert check(black).rules["run"] == 1


def test_a_swapped_card_does_not_come_back(sample_logs: Path) -> None:
    match = replay_text(sample("swap/2022-01-27.txt", sample_logs).decode())
    changed = [hand for hand in match.hands if any(hand.finals)]
    assert changed
    for hand in changed:
        dealt = {card for hole in hand.holes for card in hole}
        held = {card for hole in hand.finals for card in hole}
        assert not (held - dealt) & set(hand.board)


# Spliced logs


def test_a_contradiction_far_from_the_splice_is_no_damage(sample_logs: Path) -> None:
    text = sample("river-of-blood/2023-01-02.txt", sample_logs)
    blocks = text.split(b"\n\n")
    # A round twice, and far from it awards that contradict the actions.
    at = next(k for k, block in enumerate(blocks) if k > 20 and b" awarded -" in block)
    blocks[at] = re.sub(rb" awarded (-?)(\d+)", rb" awarded \g<1>1\g<2>", blocks[at])
    found = check(b"\n\n".join(blocks))
    assert "violation" in found.verdicts
    assert "damaged" not in found.verdicts
    spliced = check(b"\n\n".join([*blocks[:6], *blocks[5:]]))
    assert spliced.verdicts == [*found.verdicts[:5], "damaged", *found.verdicts[5:]]


def test_refuted_pairs_of_awards_are_edits_but_in_a_log_torn_elsewhere(sample_logs: Path) -> None:
    blocks = sample("river-of-blood/2023-01-02.txt", sample_logs).split(b"\n\n")

    def more(found: re.Match[bytes]) -> bytes:
        return b" awarded %d" % (int(found[1]) + (7 if int(found[1]) > 0 else -7))

    for places in ([10], [10, 20], [10, 20, 30, 50]):
        edited = [
            re.sub(rb" awarded (-?[1-9]\d*)", more, block) if k in places else block
            for k, block in enumerate(blocks)
        ]
        found = check(b"\n\n".join(edited))
        assert found.rules == {"award": len(places), "bankroll": 2 * len(places)}
        assert set(found.verdicts) == {"ok", "violation"}
        # A blind of another size is none of their doing.
        edited[40] = edited[40].replace(b"posts the blind of 1\n", b"posts the blind of 3\n")
        assert "violation" in check(b"\n\n".join(edited)).verdicts
    # As many hands that contradict themselves prove nothing, more do: half of each is lost.
    for torn, verdict in (([22, 24, 26, 32], "violation"), ([22, 24, 26, 32, 34], "damaged")):
        halved = [
            b"\n".join(block.split(b"\n")[:4]) if k in torn else block for k, block in enumerate(edited)
        ]
        found = check(b"\n\n".join(halved))
        assert {found.verdicts[k - 1] for k in places} == {verdict}


def test_the_other_log_may_begin_in_the_hand_before_a_missing_round(sample_logs: Path) -> None:
    blocks = sample("river-of-blood/2023-01-02.txt", sample_logs).split(b"\n\n")
    lines, other = blocks[10].split(b"\n"), blocks[24].split(b"\n")
    torn = b"\n".join(lines[:5] + other[5:])
    found = check(b"\n\n".join([*blocks[:10], torn, *blocks[25:]]))
    assert found.rules["sequence"] == 1
    assert found.verdicts[9:11] == ["damaged", "damaged"]
    assert "violation" not in found.verdicts


def test_bankrolls_that_jump_and_go_on_are_a_splice(sample_logs: Path) -> None:
    blocks = sample("river-of-blood/2023-01-02.txt", sample_logs).split(b"\n\n")

    def shifted(found: re.Match[bytes]) -> bytes:
        sign = 1 if found[1].startswith(b"Delta") else -1
        return found[1] + b" (%d)" % (int(found[2]) + 40 * sign)

    moved = [re.sub(rb"(Delta|Brook) \((-?\d+)\)(?=[,\n]|\Z)", shifted, block) for block in blocks[30:]]
    # Contributions of the street lines stay as they are.
    kept = [
        b"\n".join(
            new if new.startswith((b"Round", b"Final")) else old for new, old in zip(a, b, strict=True)
        )
        for a, b in zip((m.split(b"\n") for m in moved), (o.split(b"\n") for o in blocks[30:]), strict=True)
    ]
    found = check(b"\n\n".join([*blocks[:30], *kept]))
    assert dict(found.rules) == {"spliced": 2}
    assert found.verdicts.count("damaged") == 1


def test_an_answer_that_is_not_printed_has_no_text(sample_logs: Path, tmp_path: Path) -> None:
    log = (sample_logs / "permutation" / "2020-01-29.txt").read_bytes()
    bare = re.sub(rb"( response misformatted): [^\n]*", rb"\1", log)
    assert bare.count(b" response misformatted\n") == bare.count(b" misformatted") > 0
    (tmp_path / "log.txt").write_bytes(bare)
    ingest([tmp_path / "log.txt"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        told = store.execute("select distinct text from faults where kind = 'misformatted'").fetchall()
    assert told == [("",)]
