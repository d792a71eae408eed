"""Questions that people ask about their bots' logs, each with its command and the answer, which must come soon.

A row is the question, the command, and a pattern of what stands in its first lines. Numbers in it are worked out here
from the text of the logs, which are railbird's own: answers about strength need cards that are known.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path

import eval7
import pytest
from conftest import Run

from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports.terminal import signed

STYLE_OF = {
    "bot-v1": "calling-station",
    "bot-v2": "tight-aggressive",
    "ref": "loose-aggressive",
    "bad": "faulty",
}
HANDS = 300
SOON = 20
"""Lines within which the answer stands."""
SAMPLES = ("auction/2024-01-30.txt", "swap/2022-01-27.txt", "blotto/2021-01-27.txt", "toss/2026.txt")

QUESTIONS: dict[str, tuple[str, str]] = {
    "Is my new version better than the old one, or was it lucky?": (
        "compare bot-v2 bot-v1",
        r"Undecided between bot-v2 and bot-v1: [+−][\d.]+ bb/100 [^.]* after\s300 hands",
    ),
    "How many more hands before I can tell these two bots apart?": (
        "compare bot-v2 bot-v1 --format json",
        r'"hands_to_decide": (null|\d+)',
    ),
    "Why do I lose to this bot?": (
        "why bot-v1 --against ref",
        r"bot-v1 lost {v1_lost_to_ref} bb to ref in 300 hands",
    ),
    "Which hands cost me most?": (
        "hands --player bot-v1 --sort lost",
        r"bot-v1\.\w+\.txt#\d+ .* −{v1_worst} ",
    ),
    "Do I win at showdowns or when the others fold?": (
        "stats --show where --player bot-v1",
        r"others folded +\d+ +{v1_by_folds} ",
    ),
    "What do I do on each street in each position?": (
        "stats --show actions --player bot-v2",
        r"preflop +SB +blind +raise +{v2_raises_of} +{v2_raises}% +[\d.]+–[\d.]+%",
    ),
    "How often does this opponent take each action with each strength?": (
        "stats --show strength --player bot-v2",
        r"bot-v2 shows its strength [\s\S]* preflop +nothing +80–90% +check +{v2_checks_best} ",
    ),
    "With which hands does this opponent open, call and re-raise?": (
        "stats --show ranges --player bot-v2",
        r"SB +1 +{v2_opens} ",
    ),
    "Does the opponent's bet size tell how strong it is?": (
        "stats --show size-tells --player ref",
        r"ref: (bluffs|bets for value|sizes) [\s\S]*river +{ref_tells} ",
    ),
    "Which starting hands win most?": (
        "stats --show hands --player ref",
        r"ref +{ref_best_hand} ",
    ),
    "Are my c-bet and showdown rates counted only where the bot had a choice?": (
        "stats --player ref",
        r"c-bet flop +[\d.]+% +\d+–\d+ +n +\d+",
    ),
    "How have I done lately?": (
        "stats --show winnings --player bot-v1 --last 1",
        r"bot-v1 +1 +300 +{v1_lately} ",
    ),
    "How do my versions do?": (
        "stats --show winnings --rename 'bot-(?P<version>v[0-9])' --split version",
        r"\[v2\] .* {v2_chips} ",
    ),
    "What can be won against this bot?": ("opponent ref", r"What wins against it \(900 hands\)"),
    "Which changes of play win most against it?": (
        "exploit ref",
        r"of 3 matches[\s\S]*(bb/100|No change of play)",
    ),
    "Why did the engine change my bet, how often, and when first?": (
        "audit failures",
        r"bad: illegal in {bad_illegal} of 900 hands, first bot-v1\.bad\.txt#{bad_first}; ",
    ),
    "Does my bot play the same against everyone?": (
        "stats --player bot-v2 --by-opponent",
        r"bot-v2 v bad +bot-v2 v bot-v1 +bot-v2 v ref",
    ),
    "Which hands did teams send to which board?": ("stats --show allocation", r"Heron +3 +\d+ +[\d.]+%"),
    "Who won, and how sure is the order?": ("standings --event cup", r" 1 +{winner} .* {winner_chips} "),
    "Who beat whom, and where is it significant?": (
        "standings --event cup --crosstable --format csv",
        r"cup,holdem-mit,1,\d,{winner},,\S+,,1,300,300,",
    ),
    "What would the standings be with all-ins settled by equity?": (
        "standings --event cup --adjusted --format csv",
        r"all_in_adjusted_rank[\s\S]*cup,holdem-mit,{winner},,900,1,",
    ),
    "Does a position win more?": ("stats --show where --player ref", r"position +BB +450 +[+−][\d,]+"),
    "Is our dealer fair?": ("audit balance", r"Tests of dealers beyond chance \(q < 0\.05\): 0\."),
    "Which bots failed, when first, and what did it cost?": (
        "audit failures",
        r"bad +illegal +{bad_illegal} +900 .*, none \d+ +−?[\d.]+ \(",
    ),
    "Was every hand paid as the rules say?": ("verify", r"No violation: [\s\S]*swap +ok +60 "),
    "Did somebody win a pot after folding, or lose a tie?": ("audit findings", r"Violations: 0\."),
    "Did button and blinds move as they should?": (
        "audit checks --match bot-v1.ref.txt",
        r"No finding in 300 hands",
    ),
    "Do two entrants play together?": (
        "collusion --event cup",
        r"cup, holdem-mit: 4 players, \d+ tests, 0 beyond",
    ),
    "Who won how much, match by match?": ("bankroll", r"bot-v1\.ref\.txt +ref +300 +\+{ref_from_v1} "),
    "What did the bids buy?": ("stats --show bids", r"won +\d+ +[\d.]+%"),
    "What did the swaps cost?": ("stats --show exchanges", r"flop +swap +yes +\d+ +[\d.]+%"),
    "Which cards do players give up?": ("stats --show discards", r"keeps a pair +\d+ +[\d.]+%"),
    "Can I load our matches into a tracker that I know?": (
        "export {out} --to pokerstars",
        r"wrote 1,\d+ of 2,\d+ hands .* left out \d+: .* an auction",
    ),
}


def hands_of(texts: Iterable[str], player: str) -> Iterator[tuple[str, str]]:
    """Each hand that a player is in, with the class of its hole cards, such as AKs."""
    for text in texts:
        for hand in text.split("\nRound #")[1:]:
            if dealt := re.search(rf"^{player} dealt \[(..) (..)\]", hand, re.MULTILINE):
                high, low = sorted(dealt.groups(), key=lambda card: "AKQJT98765432".index(card[0]))
                suited = "" if high[0] == low[0] else "s" if high[1] == low[1] else "o"
                yield hand, high[0] + low[0] + suited


def openings(texts: Iterable[str], player: str) -> dict[str, str]:
    """What a player does first as the small blind: how often it raises, and the row of the hand that it plays most."""
    found: dict[str, Counter[str]] = {}
    for hand, name in hands_of(texts, player):
        if re.search(rf"^{player} posts the blind of 1$", hand, re.MULTILINE):
            did = re.search(rf"^{player} (folds|checks|calls|raises)", hand, re.MULTILINE)
            assert did is not None
            found.setdefault(name, Counter())[did[1]] += 1
    every = sum(found.values(), Counter[str]())
    name, most = max(found.items(), key=lambda one: one[1].total() - one[1]["folds"])
    row = " +".join(str(most[did]) for did in ("folds", "checks", "calls", "raises"))
    return {
        "v2_opens": f"{name} +{most.total()} +{row}",
        "v2_raises_of": str(every.total()),
        "v2_raises": f"{100 * every['raises'] / every.total():.1f}",
    }


def checks_of_the_best(texts: Iterable[str], player: str) -> str:
    """How often a player checks aces or kings, which win 80–90% against a random hand, in a limped pot: n, rate."""
    checked = [
        re.search(rf"^{player} checks", hand.split("\nFlop")[0], re.MULTILINE) is not None
        for hand, name in hands_of(texts, player)
        if name in ("AA", "KK")
        and re.search(
            rf"^{player} posts the blind of 2$(\n.* dealt .*)*\n(?!{player} )\S+ calls", hand, re.MULTILINE
        )
    ]
    return rf"{len(checked)} +{100 * sum(checked) / len(checked):.1f}%"


def best_hand(texts: Iterable[str], player: str) -> str:
    """The starting hand that won most: how often it was held, and its chips."""
    held, chips = Counter[str](), Counter[str]()
    for hand, name in hands_of(texts, player):
        won = re.search(rf"^{player} awarded (-?\d+)", hand, re.MULTILINE)
        assert won is not None
        held[name] += 1
        chips[name] += int(won[1])
    name, most = chips.most_common(1)[0]
    return f"{name} +{held[name]} +{re.escape(signed(most))}"


def river_bets(texts: Iterable[str], player: str) -> Iterator[tuple[bool, float]]:
    """A player's bets and raises on the river: whether its hand beats at least half of all, and the size in pots."""
    for hand, _ in hands_of(texts, player):
        river = re.search(r"^River \[(.*?)\], (.*)\n([\s\S]*)", hand, re.MULTILINE)
        if river is None:
            continue
        put = {name: int(chips) for name, chips in re.findall(r"(\S+) \((\d+)\)", river[2])}
        pip = dict.fromkeys(put, 0)
        for who, did, to in re.findall(r"^(\S+) (bets|raises to|calls) ?(\d*)$", river[3], re.MULTILINE):
            (other,) = put.keys() - {who}
            pot, faced = sum(put.values()) + sum(pip.values()), pip[other]
            if did != "calls" and who == player:
                cards = re.search(rf"^{player} dealt \[(.*)\]", hand, re.MULTILINE)
                assert cards is not None
                yield (
                    beats_half(cards[1].split(), river[1].split()),
                    (int(to) - faced) / (pot + faced - pip[who]),
                )
            pip[who] = faced if did == "calls" else int(to)


def beats_half(hole: list[str], board: list[str]) -> bool:
    """Whether a hand on the river is at least as good as an average one, by eval7."""
    known, shared = [eval7.Card(card) for card in hole + board], [eval7.Card(card) for card in board]
    left = [
        card for rank in "23456789TJQKA" for suit in "cdhs" if (card := eval7.Card(rank + suit)) not in known
    ]
    mine: int = eval7.evaluate(known)
    others: list[int] = [eval7.evaluate([*shared, *two]) for two in combinations(left, 2)]
    return sum((mine > other) - (mine < other) for other in others) >= 0


def river_tells(texts: Iterable[str], player: str) -> str:
    """Bets for value and bluffs on the river, P(one for value is larger), and the mean sizes."""
    bets = list(river_bets(texts, player))
    value, bluffs = ([size for strong, size in bets if strong is kind] for kind in (True, False))
    larger = sum((one > other) + (one == other) / 2 for one in value for other in bluffs)
    share = 100 * larger / len(value) / len(bluffs)
    sizes = " +".join(f"{100 * sum(some) / len(some):.1f}%" for some in (value, bluffs))
    return rf"{len(bets)} +{len(value)} +{len(bluffs)} +{share:.1f}% +[\d.]+–[\d.]+% +{sizes}"


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A store of a small cup and of sample logs of four games, and the numbers of the answers by the text."""
    folder = tmp_path_factory.mktemp("questions")
    (folder / "cup").mkdir()
    total: Counter[str] = Counter()
    texts: list[str] = []
    between: dict[tuple[str, str], int] = {}
    by_folds = worst = 0
    illegal: list[str] = []
    for seed, pair in enumerate(combinations(STYLE_OF, 2)):
        text = simulate("holdem-mit", [(name, STYLE_OF[name]) for name in pair], HANDS, seed)
        (folder / "cup" / f"{'.'.join(pair)}.txt").write_text(text, newline="")
        texts.append(text)
        chips: Counter[str] = Counter()
        for index, hand in enumerate(text.split("\nRound #")[1:]):
            if "bad attempted illegal" in hand:
                illegal.append(f"{'.'.join(pair)}#{index}")
            won = {name: int(value) for name, value in re.findall(r"^(\S+) awarded (-?\d+)", hand, re.M)}
            chips.update(won)
            if "bot-v1" in won:
                worst = min(worst, won["bot-v1"])
                folds = re.findall(r"^(\S+) folds", hand, re.M)
                by_folds += won["bot-v1"] if folds and folds[-1] != "bot-v1" else 0
        total.update(chips)
        between[pair] = chips[pair[1]]
    winner, chips_won = total.most_common(1)[0]
    ingest([folder / "cup"], folder / "store", event="cup")
    ingest(
        [Path(__file__).parents[1] / "sample_logs" / name for name in SAMPLES],
        folder / "store",
        event="games",
    )
    return folder / "store", {
        "winner": winner,
        "winner_chips": re.escape(f"{chips_won:+,}"),
        "v2_chips": re.escape(signed(total["bot-v2"])),
        # Logs are played in the order of their names: the last of bot-v1's is the one against ref.
        "v1_lately": re.escape(signed(-between["bot-v1", "ref"])),
        "v1_lost_to_ref": f"{between['bot-v1', 'ref'] / 2:,.0f}",
        "ref_from_v1": f"{between['bot-v1', 'ref']:,}",
        "v1_worst": str(-worst),
        "bad_illegal": str(len(illegal)),
        "bad_first": illegal[0].partition("bot-v1.bad#")[2],
        "v1_by_folds": re.escape(signed(by_folds)),
        **openings(texts, "bot-v2"),
        "v2_checks_best": checks_of_the_best(texts, "bot-v2"),
        "ref_tells": river_tells(texts, "ref"),
        "ref_best_hand": best_hand(texts, "ref"),
        "out": str(folder / "out"),
    }


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_has_its_answer_soon(question: str, asked: tuple[Path, dict[str, str]], run: Run) -> None:
    store, told = asked
    command, answer = QUESTIONS[question]
    code, out, err = run(*shlex.split(command.format(**told)), "--store", store)
    assert code in (0, 1), err
    soon = "\n".join(out.splitlines()[:SOON])
    assert re.search(answer.format(**told), soon), soon


def test_the_reading_of_the_help_texts_has_a_row_for_each_question() -> None:
    rows = Path(__file__).with_name("named_from_help.md").read_text(encoding="utf-8").splitlines()
    asked = [row.split("|")[1].strip() for row in rows if row.startswith("| ")][1:]
    assert asked == [*QUESTIONS]
