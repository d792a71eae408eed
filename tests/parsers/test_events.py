"""The vocabulary of events: a code each, and faults where the walks look for them."""

from railbird.parsers import events


def test_each_event_has_a_code_of_its_own() -> None:
    assert len(set(events.CODES.values())) == len(events.CODES)


def test_faults_lie_where_the_walks_look_for_them() -> None:
    assert all(events.FIRST_FAULT <= code <= events.LAST_FAULT for code in events.FAULT_KINDS)
    assert events.FAULT_TEXTS.keys() <= events.FAULT_KINDS.keys()
