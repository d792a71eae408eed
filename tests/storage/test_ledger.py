"""A match that is replaced leaves its file's account and its stored row alike."""

from collections import Counter

import pytest

from railbird.storage.ledger import KNOWN, Account, files_table, left_out, take_back


def account(**more: object) -> Account:
    given: dict[str, object] = {"matches": 3, "hands_stored": 90, "hands_damaged": 4, "lines_seen": 900}
    return Account(7, "a.txt", 1000, **(given | more))  # type: ignore[arg-type]


ACCOUNTS = [
    account(),
    account(matches=1, hands_stored=30, hands_damaged=2),
    account(rejected=Counter({KNOWN: 12})),
    account(cut=True),
    account(cut=True, rejected=Counter({KNOWN: 1})),
    account(problem="broken archive", rejected=Counter({KNOWN: 1})),
]


@pytest.mark.parametrize("number", range(len(ACCOUNTS)))
@pytest.mark.parametrize("hands", [1, 30])
def test_a_row_is_taken_back_as_an_account_is(number: int, hands: int) -> None:
    held, other = ACCOUNTS[number], account(fits=Counter({"toss": 1}))
    other.file_id = 8
    stored = files_table([held, other])
    (row, untouched) = take_back(stored, 7, hands, 1).to_pylist()
    assert untouched == stored.to_pylist()[1]
    lost = Account(**{name: getattr(held, name) for name in Account.__slots__})
    lost.lose(hands, 1)
    assert row == files_table([lost]).to_pylist()[0]
    assert (row["matches"], row["hands_stored"]) == (held.matches - 1, held.hands_stored - hands)
    assert row["hands_rejected"] == held.hands_rejected + hands


def test_a_hand_is_one() -> None:
    assert [left_out(count, "why") for count in (1, 2, 1000)] == [
        "1 hand: why",
        "2 hands: why",
        "1,000 hands: why",
    ]
