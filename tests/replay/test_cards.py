"""Card codes and texts."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.replay.cards import CARD_CODE, CARD_TEXT, NO_CARD, card_text, card_texts


def test_code_is_rank_times_four_plus_suit() -> None:
    assert len(CARD_TEXT) == len(set(CARD_TEXT)) == 52
    assert CARD_TEXT[:5] == ("2c", "2d", "2h", "2s", "3c")
    assert (CARD_CODE["2c"], CARD_CODE["Th"], CARD_CODE["As"]) == (0, 8 * 4 + 2, 51)


def test_every_text_is_read_back() -> None:
    assert [CARD_CODE[text] for text in CARD_TEXT] == list(range(52))
    assert [card_text(code) for code in range(52)] == list(CARD_TEXT)


def test_texts_of_an_array_leave_out_its_padding() -> None:
    assert card_texts(np.array([50, NO_CARD, 0, NO_CARD], dtype=np.int8)) == ["Ah", "2c"]


@pytest.mark.parametrize("code", [NO_CARD, -2, 52])
def test_other_code_is_refused(code: int) -> None:
    with pytest.raises(ValueError, match=f"^not a card code: {code}$"):
        card_text(code)
