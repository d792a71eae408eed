"""Cards as tests write them."""

from railbird.replay.cards import CARD_CODE


def parse_cards(text: str) -> list[int]:
    """The codes of cards in a row, `AhKd` or `Ah Kd`."""
    return [CARD_CODE[word[at : at + 2]] for word in text.split() for at in range(0, len(word), 2)]
