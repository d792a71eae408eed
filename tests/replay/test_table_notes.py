"""What players said of their decisions, where hands of the match are left out."""

import numpy as np
import pytest
from support.replayed import joined_windows

from railbird.parsers import dialects
from railbird.parsers.reading import Pool, read_events
from railbird.parsers.table_lines import Lines
from railbird.replay import rows
from railbird.replay.outcome import MatchInfo
from railbird.replay.pots.table_chunk import TablesReplayed
from railbird.replay.replaying import game_named, replay
from railbird.replay.stakes import TOLD_BY_HANDS

DIALECT = "kaggle-repeated-poker"


def write(out: Lines, number: int, is_whole: bool) -> None:
    """A hand that the dealer folds; one that is not whole has no end."""
    out.lines.extend([f"hand {number} 0", "limit 0 2 0", "seat 1 200", "seat 0 200", "small 0 1", "big 1 2"])
    out.lines.extend(["deal 0 Ah Kd", "deal 1 2c 7s", "fold 0"])
    out.note(0, text=f"of hand {number}")
    if is_whole:
        out.lines.extend(["net 0 -1", "net 1 1", "end"])


def noted(*whole: bool) -> list[tuple[int, str]]:
    """The hand's index and the text of each note, of a match of such hands."""
    out = Lines()
    for k in range(2):
        out.match([f"a{k}", f"b{k}"], DIALECT, stack=200, small=1, big=2)
        for number, is_whole in enumerate(whole):
            write(out, number, is_whole)
    made, pool = out.take(), Pool()
    (dialect,) = dialects.likely(made.text, 0, len(made.text), made.matches[0].names, DIALECT)
    scanned = read_events(np.frombuffer(made.text, np.uint8), made.matches, dialect.grammar, pool)
    done = replay(scanned, made.matches, game_named(dialect.game), pool, TOLD_BY_HANDS)
    assert isinstance(done, TablesReplayed)
    tables = joined_windows(done.tables(scanned, [MatchInfo(k, k, (f"a{k}", f"b{k}"), 1) for k in range(2)]))
    if "notes" not in tables:
        return []
    table, match_of = tables["notes"]
    found = list(zip(table["hand_index"].to_pylist(), table["text"].to_pylist(), strict=True))
    assert match_of.tolist() == [0] * (len(found) // 2) + [1] * (len(found) // 2)
    assert found[: len(found) // 2] == found[len(found) // 2 :]
    return found[: len(found) // 2]


@pytest.mark.parametrize("most", [rows.WINDOW, 10])
def test_a_note_of_a_hand_that_is_left_out_is_on_no_other_hand(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(rows, "WINDOW", most)
    assert noted(True, True) == [(0, "of hand 0"), (1, "of hand 1")]
    assert noted(True, False, True) == [(0, "of hand 0"), (1, "of hand 2")]
    assert noted(False, True) == [(0, "of hand 1")]
    assert noted(True, False) == [(0, "of hand 0")]
    assert noted(False) == []
