"""The vocabulary of events: a code each, and faults where the walks look for them."""

from railbird.parsers import events


def test_each_event_has_a_code_of_its_own() -> None:
    own = range(events.FIRST_OWN, events.FIRST_OWN + events.MOST_OWN)
    joint = range(events.FIRST_JOINT, events.FIRST_JOINT + events.MOST_JOINTS)
    codes = [*events.CODES.values(), *own, *joint]
    assert len(set(codes)) == len(codes)
    assert max(codes) < 256


def test_faults_lie_where_the_walks_look_for_them() -> None:
    assert all(events.FIRST_FAULT <= code <= events.LAST_FAULT for code in events.FAULT_KINDS)
    own = range(events.FIRST_OWN, events.FIRST_OWN + events.MOST_OWN)
    assert not any(events.FIRST_FAULT <= code <= events.LAST_FAULT for code in own)
    assert events.FAULT_TEXTS.keys() <= events.FAULT_KINDS.keys()
