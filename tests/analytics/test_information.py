"""Whether players' choices depend on hidden facts: planted leaks, honest play, and the test itself."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from arena.leaks import LEAKS, leaking

from railbird import cli
from railbird.analytics.information.evidence import Row, look
from railbird.analytics.information.exchange import Chain, exchanged
from railbird.analytics.information.facts import FACTS, facts_of
from railbird.analytics.information.material import Material, materials
from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.variants.registry import KNOWN

_COLUMNS = [
    *(
        "event",
        "game",
        "player",
        "fact",
        "decisions",
        "bits",
        "chips",
        "low",
        "high",
        "p",
        "q",
        "flag",
        "since",
    ),
    *("hands", "said", "tried"),
]


def looked(logs: Path, store: Path) -> Iterator[tuple[Material, list[Row]]]:
    """The material of each event and game of some logs, with its rows."""
    ingest([logs], store)
    with open_store(store) as opened:
        for material in materials(opened):
            yield material, look(material)


def flagged(logs: Path, store: Path) -> set[tuple[str, str]]:
    """The players of flagged rows, and the facts."""
    return {
        (material.players[row.player], row.fact.name)
        for material, rows in looked(logs, store)
        for row in rows
        if row.flag
    }


@pytest.mark.parametrize("fact", LEAKS)
def test_a_planted_leak_is_flagged_and_nothing_else_is(fact: str, tmp_path: Path) -> None:
    styles = ("tight-aggressive", "loose-aggressive")
    log = tmp_path / "logs" / "match.txt"
    log.parent.mkdir()
    log.write_text(leaking(fact, 0.5, 11, 1500, styles), newline="")
    assert flagged(log.parent, tmp_path / "store") == {("Leaky", fact)}


@pytest.mark.parametrize("game", sorted(set(LEAKS.values())))
def test_the_same_bots_without_a_leak_are_not_flagged(game: str, tmp_path: Path) -> None:
    fact = next(fact for fact, where in LEAKS.items() if where == game)
    log = tmp_path / "logs" / "match.txt"
    log.parent.mkdir()
    log.write_text(leaking(fact, 0.0, 12, 1500, ("tight-aggressive", "loose-aggressive")), newline="")
    assert not flagged(log.parent, tmp_path / "store")


def test_a_row_begins_where_the_leak_does(tmp_path: Path) -> None:
    """Two matches without it, in the natural order of their names, then one with it."""
    logs = tmp_path / "logs"
    logs.mkdir()
    for number, share in ((2, 0.0), (9, 0.0), (10, 1.0)):
        text = leaking("sealed bid", share, number, 700, ("loose-aggressive", "pot-odds"))
        (logs / f"m{number}.txt").write_text(text, newline="")
    ((material, rows),) = looked(logs, tmp_path / "store")
    (row,) = [row for row in rows if row.flag]
    assert row.fact.name == "sealed bid" and row.since[0] == 2 and row.since[1] < 20
    assert {match for match, _, _ in row.shown} == {2} and len(row.shown) == 3
    with open_store(tmp_path / "store") as opened:
        path = "select path from matches join files using (file_id) where match_id = $match"
        ((last,),) = opened.execute(path, match=material.matches[2]).fetchall()
    assert last.endswith("m10.txt")


def test_matches_are_in_the_order_in_which_they_were_played(tmp_path: Path) -> None:
    """Where logs say when they were played, their names do not matter: the leak began in the match called m1."""
    logs = tmp_path / "logs"
    logs.mkdir()
    days = {
        "m3": (0.0, "2026-03-01 18:00:00"),
        "m2": (0.0, "2026-03-02 09:30:00"),
        "m1": (1.0, "2026-03-03 07:15:00"),
    }
    for seed, (name, (share, began)) in enumerate(days.items(), 21):
        text = leaking("sealed bid", share, seed, 700, ("loose-aggressive", "pot-odds"))
        header, _, rest = text.partition("\n")
        (logs / f"{name}.txt").write_text(f"{began} {header.split(maxsplit=2)[2]}\n{rest}", newline="")
    ((material, rows),) = looked(logs, tmp_path / "store")
    with open_store(tmp_path / "store") as opened:
        found = opened.execute("select played_at, match_id from matches order by played_at").fetchall()
    assert [began for began, _ in found] == [began for _, began in days.values()]
    assert list(material.matches) == [match for _, match in found]
    (row,) = [row for row in rows if row.flag]
    assert row.fact.name == "sealed bid" and row.since[0] == 2 and row.since[1] < 20


def test_the_command_says_who_and_since_when(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "logs" / "match.txt"
    log.parent.mkdir()
    log.write_text(leaking("sealed bid", 1.0, 5, 600, ("loose-aggressive", "pot-odds")), newline="")
    ingest([log.parent], tmp_path / "store")
    arguments = ["audit", "information", "--store", str(tmp_path / "store")]
    assert cli.main([*arguments, "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"rows", "untestable"}
    assert all(list(row) == _COLUMNS for row in found["rows"])
    (row,) = [row for row in found["rows"] if row["flag"]]
    assert row["player"] == "Leaky" and row["low"] > 0 and row["q"] < 0.05 and row["bits"] > 0
    assert len(row["hands"]) == len(row["said"]) == 3
    assert cli.main(["replay", row["since"], "--store", str(tmp_path / "store")]) == 0
    capsys.readouterr()
    assert cli.main([*arguments, "--format", "csv"]) == 1
    assert capsys.readouterr().out.splitlines()[0].split(",") == _COLUMNS
    assert cli.main(arguments) == 1
    said = capsys.readouterr().out
    assert "Players who use what the rules hide (q < 0.05): 1 of " in said
    assert "Leaky, sealed bid (logs, sneak-peek)" in said and row["since"] in said


def test_facts_follow_from_properties() -> None:
    for game in KNOWN:
        names = {fact.name for fact in facts_of(game)}
        assert ("sealed bid" in names) == game.auctions
        assert ("bounty rank" in names) == game.bounties
    assert {fact.name for game in KNOWN for fact in facts_of(game)} == {fact.name for fact in FACTS}


def test_exchanged_facts_are_drawn_as_the_model_has_them() -> None:
    """Two decisions exchange their facts as often as Bayes' rule says, from any start."""
    expected, spread = np.array([0.0, 1.0]), np.full(2, 0.5)
    rng = np.random.default_rng(3)
    chain = Chain(np.array([0.8, -0.6]), expected, np.zeros(2, np.int64), spread, rng)
    first, other = 0.8, 0.4
    # The facts are 0.8 and 0.4: as they are, or exchanged.
    kept = np.exp(-((first - 0) ** 2 + (other - 1) ** 2) / (2 * 0.5))
    swapped = np.exp(-((other - 0) ** 2 + (first - 1) ** 2) / (2 * 0.5))
    sums = chain.sums(np.array([1.0, 0.0]), 4000)
    share = float((np.abs(sums - first) < 1e-9).mean())
    assert share == pytest.approx(kept / (kept + swapped), abs=0.03)


def test_p_of_exchanged_facts_is_even_under_honest_play() -> None:
    """Choices and facts that both depend on what is public, and otherwise not on each other."""
    rng = np.random.default_rng(5)
    found = []
    for seed in range(200):
        known, stratum = rng.normal(size=300), rng.integers(0, 3, 300)
        choice, fact = known + rng.normal(size=300), 0.8 * known + 0.5 * rng.normal(size=300)
        weight = choice - known
        test = exchanged(weight, fact - 0.8 * known, 0.8 * known, stratum, np.full(300, 0.25), seed=seed)
        found.append(test.p)
    shares = [float((np.array(found) <= level).mean()) for level in (0.05, 0.2, 0.5)]
    assert shares[0] < 0.1 and 0.12 < shares[1] < 0.29 and 0.4 < shares[2] < 0.6


def test_the_known_leak_of_published_logs_is_found(corpus: Path, tmp_path: Path) -> None:
    """Two bots read the first bid, which the engine sends to the second bidder."""
    found = flagged(corpus / "iit-2026" / "real", tmp_path / "store")
    assert found == {("67", "sealed bid"), ("Heisenbug", "sealed bid")}


def test_bots_that_bid_a_bound_of_the_stacks_are_not_flagged(corpus: Path, tmp_path: Path) -> None:
    """In self-play all their bids lie within a chip of each other."""
    assert not flagged(corpus / "auction-2024" / "real", tmp_path / "store")
