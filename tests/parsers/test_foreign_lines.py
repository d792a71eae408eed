"""A line of another engine within a log is an unknown line, and takes no hand and no verdict with it."""

from pathlib import Path

import pytest
from support.stores import rows

from railbird.ingest import ingest
from railbird.replay.replaying import UnfitError, game_named, replay
from railbird.replay.simulate import simulate

LOGS = {
    "mit": "bounty/2025-01-30.txt",
    "acpc": "acpc/Heron.Otter.0.log",
    "koper-v1": "koper/v1-folds.txt",
    "koper-v2": "koper/v2-mixed.all_games.txt",
}
LINES = {
    "mit": (b"Round #hello", b"Round #1, a (0), b (0)", b"6.9630 MIT Pokerbots - a vs b"),
    "acpc": (b"STATE:hello", b"STATE:0:rc/cc/cc/cc:2c3c|4c5c/6c7c8c/9c/Tc:-20|20:a|b", b"SCORE:1|-1:a|b"),
    "koper-v1": (b"--- Starting Game x", b"--- Starting Game 3 ---"),
    "koper-v2": (b"--- Match 1 | Game 1 ---", b"TOURNAMENT LOG"),
}
CASES = [
    (log, engine, line) for log in LOGS for engine, lines in LINES.items() for line in lines if engine != log
]


def found(text: bytes, folder: Path) -> tuple[list[tuple[str, str, int]], list[str], int]:
    """Matches with their games and dialects, verdicts, unknown lines."""
    folder.mkdir()
    (folder / "log").write_bytes(text)
    (account,) = ingest([folder / "log"], folder / "store").files
    matches = [(m["game"], m["dialect"], m["hands"]) for m in rows(folder / "store", "matches")]
    verdicts = [hand["verdict"] for hand in rows(folder / "store", "hands")]
    return sorted(matches), sorted(verdicts), account.lines_unknown


@pytest.mark.parametrize(("log", "engine", "line"), CASES)
def test_a_line_of_another_engine_is_an_unknown_line(
    log: str, engine: str, line: bytes, sample_logs: Path, tmp_path: Path
) -> None:
    text = (sample_logs / LOGS[log]).read_bytes()
    middle = text.index(b"\n", len(text) // 2) + 1
    # Within the last hand, of which some lines follow.
    late = text.rindex(b"\n", 0, text.rindex(b"\n", 0, len(text) - 100)) + 1
    alone = found(text, tmp_path / "alone")
    for name, at in (("middle", middle), ("late", late)):
        matches, verdicts, unknown = found(text[:at] + line + b"\n" + text[at:], tmp_path / name)
        assert (matches, len(verdicts)) == (alone[0], len(alone[1]))
        assert verdicts.count("violation") == alone[1].count("violation")
        assert unknown == alone[2] + 1


SIGNS = (
    ("Ann bids 5", "auction"),
    ("Ann's hand: [2c 3c]", "swap"),
    ("Ann checks on board 3", "blotto"),
    (" on board 3", "blotto"),
    ("Bounties reset to 3 for player Ann and 4 for player Bea", "bounty"),
    ("Ann dealt Ah Kd [2c 3c]", "permutation"),
    ("Ann dealt [Ah Kd Qc]", "toss"),
    ("Current stacks: 5, 5", "toss"),
    ("Run [Ah Kd Qc Js Td 9c], Ann (5), Bea (5)", "river-of-blood"),
)


@pytest.mark.parametrize(("line", "game"), SIGNS)
def test_one_line_does_not_tell_a_game(line: str, game: str, tmp_path: Path) -> None:
    lines = simulate("holdem-mit", [("Ann", "random"), ("Bea", "random")], hands=12, seed=3).split("\n")
    at = [k for k, said in enumerate(lines) if said.startswith("Flop [")][1] + 2
    matches, verdicts, unknown = found("\n".join([*lines[:at], line, *lines[at:]]).encode(), tmp_path / "log")
    assert matches == [("holdem-mit", "mit", 12)]
    assert sum(verdict in ("ok", "engine_deviation") for verdict in verdicts) >= 11
    assert "violation" not in verdicts
    assert unknown == 1 or "damaged" in verdicts


def test_a_dialect_of_another_engine_is_refused(sample_logs: Path, tmp_path: Path) -> None:
    summary = ingest([sample_logs / LOGS["acpc"]], tmp_path / "store", dialect="mit")
    (said,) = summary.complaints
    assert "--dialect mit: its engine does not write lines such as '# name/game/hands/seed" in said
    assert summary.nothing_read


def test_a_file_is_told_alike_whatever_stands_beside_it(sample_logs: Path, tmp_path: Path) -> None:
    mixed = (sample_logs / LOGS["mit"]).read_bytes() + (sample_logs / LOGS["acpc"]).read_bytes()
    told = []
    for number, before in enumerate(("acpc", "koper-v1")):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "a").write_bytes((sample_logs / LOGS[before]).read_bytes().replace(b"Heron", b"Crane"))
        (folder / "b").write_bytes(mixed)
        ingest([folder], folder / "store")
        told += [
            (row["dialect"], row["revision"])
            for row in rows(folder / "store", "files")
            if row["path"].endswith("b")
        ]
    assert told[0] == told[1]
    assert told[0][0] == "mit-bounty+acpc"


def test_a_replay_refuses_a_match_with_more_players_than_its_game_has(sample_logs: Path) -> None:
    import numpy as np

    from railbird.parsers import acpc
    from railbird.parsers.reading import Pool, read_events

    text = b"STATE:0:rfc/rrc/crc/crc:7s5s|3c6h|AhKh/6c3sAc/9c/Js:-5|85|-80:Ash|Birch|Cedar\n"
    matches = acpc.cut(text)
    scanned = read_events(np.frombuffer(text, np.uint8), matches, acpc.GRAMMAR, Pool())
    with pytest.raises(UnfitError, match="holdem-mit is played by 2, and this match by 3"):
        replay(scanned, matches, game_named("holdem-mit"), Pool())
