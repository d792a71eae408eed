"""Peek, a game that railbird does not have, is one file of at most 40 lines (docs/add-a-variant.md).

Another program writes its logs: `oracles/peek.py` deals, compares hands and pays, and plants three wrong payouts.
"""

import os
import re
from pathlib import Path

import pytest
from support.commands import railbird, rows

from oracles import peek

PAGE = Path(__file__).parents[2] / "docs" / "add-a-variant.md"
(PEEK,) = re.findall(r"```python\n(\"\"\"Peek.*?)```", PAGE.read_text(), re.DOTALL)
HANDS, SEED = 1500, 11
NAMED = ("--variant", "peek.py")


@pytest.fixture(scope="module")
def match() -> peek.Match:
    return peek.Match(HANDS, SEED)


@pytest.fixture(scope="module")
def folder(match: peek.Match, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file, its log, and a store of them."""
    made = tmp_path_factory.mktemp("peek")
    (made / "peek.py").write_text(PEEK)
    (made / "peek.log").write_text(match.text)
    done = railbird(made, "ingest", "peek.log", *NAMED)
    assert done.returncode == 0, done.stderr
    return made


def test_the_file_has_at_most_forty_lines_and_the_oracle_knows_nothing_of_railbird() -> None:
    assert PEEK.count("\n") <= 40
    assert "railbird" not in re.sub(r'""".*?"""', "", Path(peek.__file__).read_text(), flags=re.DOTALL)


def test_exactly_the_planted_payouts_are_violations(match: peek.Match, folder: Path) -> None:
    assert len(match.planted) == 3
    assert len(match.flushes) > 8
    assert rows(folder, "select game, dialect, hands from matches") == [["peek", "peek", HANDS]]
    assert rows(folder, "select count(*) from unknown_lines") == [[0]]
    found = rows(folder, "select hand_no from hands where verdict <> 'ok' order by 1")
    assert [number for (number,) in found] == match.planted
    assert rows(folder, "select distinct verdict from hands where verdict <> 'ok'") == [["violation"]]
    lines = rows(folder, "select line, rule from findings order by 1")
    assert [rule for _, rule in lines] == ["award"] * 3


def test_steps_are_decisions_and_what_they_show_is_seen_by_one_player(
    match: peek.Match, folder: Path
) -> None:
    peeks, kept = match.text.count(" pays 5 to peek\n"), match.text.count(" keeps its chips\n")
    found = rows(
        folder,
        "select action, count(*) from actions where action in ('accept', 'decline') group by 1 order by 1",
    )
    assert found == [["accept", peeks], ["decline", kept]]
    assert rows(folder, "select sum(chips_added) from actions where action = 'accept'") == [[5.0 * peeks]]
    (seen,) = rows(
        folder,
        """select count(*), count(*) filter (where v.cards[1] = h.board[4] and v.from_street = 1 and v.from_seq > 0)
        from visible v join hands h using (match_id, hand_index) where v.item = 'reveal_board' and len(h.board) > 3""",
    )
    assert seen == [peeks, peeks]


def test_bets_have_one_size_and_at_most_four_stand_on_a_street(match: peek.Match, folder: Path) -> None:
    bounds = "select distinct min_raise_to = max_raise_to, amount_to = min_raise_to from actions"
    assert rows(folder, f"{bounds} where action in ('bet', 'raise')") == [[True, True]]
    capped = "select count(*) > 0 from actions where bet_level = 4 and to_call > 0 and max_raise_to is null"
    assert rows(folder, capped) == [[True]]


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        (r"(.+) bets 2\n", r"\1 bets 3\n", "too-large"),
        (r"(.+) sees \[..\]\n", r"\1 sees [{other}]\n", "ahead"),
        (r"(.+) sees \[..\]\n", "", "told-missing"),
        (r"(.+) keeps its chips\n", "", "unasked"),
        (r"(.+) antes 1\n", r"\1 antes 2\n", "blind"),
    ],
)
def test_an_edit_of_a_line_is_found(old: str, new: str, rule: str, tmp_path: Path) -> None:
    clean = peek.Match(40, SEED, wrong=0).text
    # The edited line is a player's last of its kind before a street.
    said = re.search(old + r"(?=Turn|Flop|.*? calls\n|.*? antes)", clean)
    assert said is not None
    other = next(card for card in ("2c", "2d", "2h") if card not in clean[: said.end() + 300][-700:])
    edited = clean[: said.start()] + said.expand(new.replace("{other}", other)) + clean[said.end() :]
    (tmp_path / "peek.py").write_text(PEEK)
    (tmp_path / "peek.log").write_text(edited)
    assert railbird(tmp_path, "ingest", "peek.log", *NAMED).returncode == 0
    assert rule in {rule for (rule,) in rows(tmp_path, "select distinct rule from findings")}


def test_every_command_works_on_it_without_the_file(folder: Path) -> None:
    (match_id,) = rows(folder, "select match_id::varchar from matches")[0]
    expected = {
        ("verify",): (1, "3 violations in 3 hands."),
        ("audit",): (1, "Aspects with a violation: 1."),
        ("bankroll",): (0, "Lynx Two"),
        ("stats",): (0, "peek"),
        ("luck",): (0, "Not adjusted, because the cards to come are not counted: peek"),
        ("standings",): (0, "Mole"),
        ("opponent", "Mole"): (0, "Tendencies"),
        ("collusion",): (0, "no pair tested"),
        ("replay", f"{match_id}#2"): (0, "peek"),
        ("report", "--out", "pages"): (0, "pages/index.html"),
        ("export", "tables"): (0, "tables"),
    }
    for words, (code, said) in expected.items():
        done = railbird(folder, *words)
        assert (done.returncode, said in done.stdout) == (code, True), (words, done.stdout, done.stderr)
    tables = {path.stem for path in (folder / "tables").iterdir()}
    assert {"actions", "equities", "games", "hands", "seats"} <= tables
    page = "".join(path.read_text() for path in (folder / "pages").rglob("*.html"))
    assert f"<span>{folder.name}, peek</span>" in page
    assert "Peek" not in railbird(folder, "games").stdout
    listed = railbird(folder, "games", *NAMED)
    assert re.search(r"peek +peek +200 +1/1 ", listed.stdout), listed.stdout


def test_what_the_simulator_plays_is_explained_by_the_file(folder: Path) -> None:
    done = railbird(folder, "simulate", "peek", *NAMED, "--hands", "150", "--out", "played.log")
    assert done.returncode == 0, done.stderr
    text = (folder / "played.log").read_text()
    assert all(f" {words}\n" in text for words in ("pays 5 to peek", "keeps its chips", "antes 1"))
    done = railbird(folder, "variant", "check", "peek.py", "played.log")
    assert (done.returncode, done.stdout) == (0, "The file explains all 150 hands of peek.\n")


def test_check_shows_the_first_wrong_payout(match: peek.Match, folder: Path) -> None:
    done = railbird(folder, "variant", "check", "peek.py", "peek.log")
    assert done.returncode == 1
    assert done.stdout.startswith(f"Not explained yet: 3 of {HANDS:,} hands of peek.\n")
    assert f"The first such hand: #{match.planted[0]}, peek.log:" in done.stdout


@pytest.mark.parametrize("compiled", ["0", "1"])
@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("hand.usual", "hand.usually", 25, "a hand has no 'usually'; it has number, street, "),
        ("hand.usual", "'all'", 25, "pay cannot be compiled: Can't unify return type"),
        ("        return hand.usual\n", "        return\n", 21, "pay returns nothing"),
        ("hand.pot * 2 // 5", "hand.pot * 2 // (hand.number - hand.number)", 26, "ZeroDivisionError"),
        ("hand.pot * 2 // 5", "hand.board[hand.number + 16]", 26, "IndexError"),
        ("hand.pot * 2 // 5", "hand.pot + 'x'", 26, "pay cannot be compiled"),
        ("hand.pot * 2 // 5", "hand.pot * 1e300 * 1e300", 21, "inf, which is no number of chips"),
        ("def pay(hand):", "def pay(hand, more):", 21, "takes one argument"),
        ('does="peeks"', 'does="peks"', 32, "the dialect 'peek' has no line 'peks'"),
        ('before="turn"', 'before="trun"', 29, "comes before a street after the first, not 'trun'"),
        ("    keeps    {p} keeps", "    keps     {p} keeps", 9, "no event is called 'keps'"),
        ("    sees     {p} sees", "    sees     {*} sees", 15, "must begin with the player"),
        ('sees="board"', 'sees="bord"', 32, "sees is one of board, other"),
    ],
)
def test_a_mistake_is_one_line_with_its_place(
    old: str, new: str, line: int, said: str, compiled: str, tmp_path: Path
) -> None:
    if compiled == "1" and os.environ.get("RAILBIRD_COMPILE", "1") == "0":
        pytest.skip("nothing is to be compiled")
    text = PEEK
    assert old in text
    (tmp_path / "peek.py").write_text(text.replace(old, new, 1))
    (tmp_path / "peek.log").write_text(peek.Match(250, SEED, wrong=0).text)
    done = railbird(tmp_path, "ingest", "peek.log", *NAMED, RAILBIRD_COMPILE=compiled)
    messages = [one for one in done.stderr.splitlines() if "uncompiled" not in one and "compiling" not in one]
    assert (done.returncode, len(messages)) == (2, 1), done.stderr
    assert re.match(rf"railbird: (?:{tmp_path}/)?peek\.py:{line}: ", messages[0]), messages
    assert said in messages[0]
