"""What the models of llm-poker-arena thought: `agent_view_snapshots.jsonl`, beside a session's private file.

A snapshot is a decision, a line of JSON; its turn names it: hand, street, number of the action on the street.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

_HANDS: Final = "canonical_private"
_SNAPSHOTS: Final = "agent_view_snapshots"
_LONGEST: Final = 1 << 24
"""Bytes of a snapshot that is read."""


class _Step(msgspec.Struct):
    text_content: str = ""
    reasoning_artifacts: list[Any] = []


class _Snapshot(msgspec.Struct):
    seat: int
    turn: str = msgspec.field(name="turn_id")
    milliseconds: float = msgspec.field(name="wall_time_ms", default=0.0)
    steps: list[_Step] = msgspec.field(name="iterations", default_factory=list)
    is_default: bool = msgspec.field(name="default_action_fallback", default=False)
    is_late: bool = msgspec.field(name="turn_timeout_exceeded", default=False)
    refused: int = msgspec.field(name="illegal_action_retry_count", default=0)


@dataclass(frozen=True)
class Thought:
    """What a model said of a decision."""

    seat: int
    seconds: float
    status: str
    text: str


def turn(hand: int, street: str, number: int) -> str:
    """The name of a decision."""
    return f"{hand}-{street}-{number}"


def thoughts_beside(path: str) -> Mapping[str, Thought]:
    """By turn, what stands in the snapshots beside a private file; nothing where there are none."""
    own = Path(path)
    if _HANDS not in own.name:
        return {}
    found: dict[str, Thought] = {}
    decode = msgspec.json.Decoder(_Snapshot).decode
    try:
        with own.with_name(own.name.replace(_HANDS, _SNAPSHOTS)).open("rb") as stream:
            while line := stream.readline(_LONGEST):
                try:
                    said = decode(line)
                except (msgspec.MsgspecError, RecursionError):
                    continue
                found[said.turn] = Thought(said.seat, said.milliseconds / 1000, _status(said), _text(said))
    except OSError:
        return {}
    return found


def _status(said: _Snapshot) -> str:
    """What became of the answers."""
    parts = [f"{said.refused} illegal answers"] if said.refused else []
    parts += ["timed out"] * said.is_late + ["default action"] * said.is_default
    return ", ".join(parts)


def _text(said: _Snapshot) -> str:
    """What a model wrote with its answers; its reasoning where it wrote nothing."""
    written = [step.text_content.strip() for step in said.steps if step.text_content.strip()]
    if not written:
        artifacts = (one for step in said.steps for one in step.reasoning_artifacts if isinstance(one, dict))
        written = [str(one["content"]) for one in artifacts if one.get("content")]
    return "\n\n".join(written)
