select x.event, x.game, x.aspect, x.rule, x.verdict, x.deviation, x.player, x.seat, x.chips, x.message,
  f.path, x.line, x.match_id, x.hand_index, x.verdict = 'violation' as concern
from integrity_findings as x
left join files as f on f.file_id = x.file_id
where among(x.match_id, $ids)
order by concern desc, x.verdict desc, f.path, x.line, x.match_id, x.hand_index, x.rule, x.seat
