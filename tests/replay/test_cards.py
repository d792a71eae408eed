"""Card codes and texts."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.replay.cards import CARD_TEXT, NO_CARD, card_text, card_texts, parse_card, parse_cards


def test_code_is_rank_times_four_plus_suit() -> None:
    assert len(CARD_TEXT) == len(set(CARD_TEXT)) == 52
    assert CARD_TEXT[:5] == ("2c", "2d", "2h", "2s", "3c")
    assert (parse_card("2c"), parse_card("Th"), parse_card("As")) == (0, 8 * 4 + 2, 51)


def test_every_text_is_read_back() -> None:
    assert [parse_card(text) for text in CARD_TEXT] == list(range(52))
    assert [card_text(code) for code in range(52)] == list(CARD_TEXT)


def test_cards_in_a_row_with_and_without_spaces() -> None:
    assert parse_cards("AhKd") == parse_cards(" Ah  Kd\n") == [50, 45]
    assert parse_cards("") == []


def test_texts_of_an_array_leave_out_its_padding() -> None:
    assert card_texts(np.array([50, NO_CARD, 0, NO_CARD], dtype=np.int8)) == ["Ah", "2c"]


@pytest.mark.parametrize("text", ["", "A", "ah", "AH", "1h", "10h", "Ahh", "hA", " Ah"])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=f"^not a card: {text!r}$"):
        parse_card(text)


def test_the_misfit_among_several_is_named() -> None:
    with pytest.raises(ValueError, match=r"^not a card: 'K'$"):
        parse_cards("Ah 2cK")


@pytest.mark.parametrize("code", [NO_CARD, -2, 52])
def test_other_code_is_refused(code: int) -> None:
    with pytest.raises(ValueError, match=f"^not a card code: {code}$"):
        card_text(code)
