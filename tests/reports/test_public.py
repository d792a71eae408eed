"""`report --public`: nothing in any of its files that a spectator at the table could not have seen."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Run
from support.pages import swapped, texts, unpacked

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports.matches import all_matches
from railbird.reports.pages.build import write_report
from railbird.reports.pages.markup import cards

SUIT_WORDS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
RANK_WORDS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten"}
SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
# (game, players, hands, seed): few hands, so that cards lie in hidden places alone.
MATCHES = (
    ("bounty", ("loose-aggressive", "faulty"), 3, 3),
    ("tacs", ("loose-aggressive", "tight-aggressive"), 3, 4),
    ("holdem-mit", ("faulty", "maniac"), 3, 3),
)
FOLDER, FILE = "secret-folder-of-mine", "secret-file-name"


def says(text: str, card: str) -> bool:
    """Whether a text has a card in any of the ways in which pages write one."""
    rank, suit = card[0], card[1]
    words = f"{RANK_WORDS.get(rank, rank)} of {SUIT_WORDS[suit]}"
    # As is a word, too.
    plain = '"As"' if card == "As" else rf"(?<![0-9A-Za-z]){card}(?![0-9A-Za-z])"
    return bool(re.search(plain, text)) or rank + SIGNS[suit] in text or words in text


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Path, str]]:
    """Short matches of some games, the folder of their public report, and their logs."""
    folder = tmp_path_factory.mktemp("public") / FOLDER
    folder.mkdir()
    logs = ""
    for game, styles, hands, seed in MATCHES:
        log = simulate(game, [("Hawk", styles[0]), ("Dove", styles[1])], hands, seed)
        (folder / f"{FILE}-{game}.txt").write_text(log, newline="")
        logs += log
    ingest([folder], folder / "store", event="Open cup")
    with open_store(folder / "store") as store:
        yield store, write_report(store, folder / "report", public=True).parent, logs


def test_no_file_has_a_card_that_lies_in_hidden_places_alone(planted: tuple[Store, Path, str]) -> None:
    store, folder, _ = planted
    open_places = """
        select unnest(board) from hands
        union select unnest(board_changed) from hands
        union select unnest(hole) from seats join hands using (match_id, hand_index) where ended_by = 'showdown'
        union select unnest(hole_final) from seats join hands using (match_id, hand_index) where ended_by = 'showdown'
        union select replaced from deals where kind = 'board_redraw'
    """
    public = {card for (card,) in store.execute(open_places).fetchall()}
    held = {card for (card,) in store.execute("select unnest(hole) from seats").fetchall()}
    hidden = held - public
    assert len(hidden) > 3
    files = texts(folder)
    assert {"index.html", "integrity.html", "replay.html"} < files.keys()
    found = {(name, card) for name, text in files.items() for card in hidden if says(text, card)}
    assert not found
    # As a report on everything writes them.
    assert all(says(str(cards([card])), card) and says(json.dumps([card]), card) for card in hidden)


def test_no_file_has_a_path_a_faults_text_or_a_line_of_the_log(planted: tuple[Store, Path, str]) -> None:
    store, folder, log = planted
    faults = [
        text for (text,) in store.execute("select distinct text from faults where text <> ''").fetchall()
    ]
    lines = [line for line in log.splitlines() if "dealt" in line]
    assert len(lines) > 5 and len(faults) > 1
    for text in texts(folder).values():
        for secret in (FOLDER, FILE, str(folder.parent.parent), *lines, *(f": {fault}" for fault in faults)):
            assert secret not in text


def test_nothing_has_the_hash_of_a_match_s_text(planted: tuple[Store, Path, str]) -> None:
    """A guess of the hidden cards of a short match could be tested with it."""
    store, folder, _ = planted
    hashes = {str(match) for (match,) in store.execute("select match_id from matches").fetchall()}
    assert len(hashes) == len(MATCHES)
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    assert {"match-1.html", "plots/3.png", "plots/3.svg", "hands/2/0.js"} < names
    found = texts(folder)
    for one in hashes:
        assert not any(one in text for text in (*names, *found.values()))


def test_lines_of_the_log_do_not_tell_whether_the_loser_hit_its_bounty(
    planted: tuple[Store, Path, str],
) -> None:
    """The log has a line for each rank in play, the loser's too, so the line of the next hand would tell of it."""
    store, folder, _ = planted
    ((hits,),) = store.execute("select count(*) from seats where bounty_hit and delta < 0").fetchall()
    assert hits
    asked = """
        select hand_index, max(a.line) - any_value(h.line) from hands h join actions a using (match_id, hand_index)
        where match_id = $match group by all
    """
    read = 0
    for number, match in enumerate(all_matches(store), 1):
        last = dict(store.execute(asked, match=match.match_id).fetchall())
        path = folder / "hands" / str(number) / "0.js"
        for hand in unpacked(path.read_text(encoding="utf-8"))["hands"]:
            told = [row[0] for key in ("actions", "deals", "faults") for row in hand.get(key, ())]
            assert hand["line"] == 0 < min(told) and max(told) <= last[hand["index"]] + 1
            read += 1
    assert read == sum(hands for *_, hands, _ in MATCHES)
    for path in folder.glob("*.html"):
        assert not re.search(r">line \d", path.read_text(encoding="utf-8")), path.name


def test_a_report_on_other_hidden_cards_is_the_same(tmp_path: Path) -> None:
    """No figure whatever follows from them: the match is shorter than the 100 hands that would hide one in a sum."""
    log = simulate("holdem-mit", [("Hawk", "loose-aggressive"), ("Dove", "tight-aggressive")], 60, 8)
    assert swapped(log) != log
    made = []
    for name, text in (("one", log), ("other", swapped(log))):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "log.txt").write_text(text, newline="")
        ingest([folder / "log.txt"], folder / "store", event="Open cup")
        with open_store(folder / "store") as store:
            assert store.execute("select distinct verdict from hands").fetchall() == [("ok",)]
            report = write_report(store, folder / "report", public=True).parent
        made.append(texts(report) | {path.name: path.read_bytes() for path in report.glob("plots/*.png")})
    one, other = made
    assert one.keys() == other.keys() and "1.png" in one
    for name in one:
        assert one[name] == other[name], name


def test_evidence_is_not_public(run: Run, tmp_path: Path) -> None:
    said = run("report", "--public", "--evidence", "--store", tmp_path, "--out", tmp_path / "pages")
    assert said == (2, "", "railbird: --evidence rests on hidden cards: a --public report has none\n")
