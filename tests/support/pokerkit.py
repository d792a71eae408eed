"""What PokerKit does by itself where it plays a replayed hand again."""

from pokerkit import Automation

DONE_BY_ITSELF = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
