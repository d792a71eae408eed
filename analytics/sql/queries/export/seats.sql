select
  s.match_id, s.hand_index, s.seat, s.player, s.position, coalesce(s.hole, []) as hole,
  coalesce(s.hole_final, []) as hole_final, s.stack_start, s.contribution, s.delta,
  s.delta_written, s.shown
from seats as s
where s.match_id between $low and $high and s.hand_index between $first and $last
order by s.match_id, s.hand_index, s.seat
