-- name: integrity_findings
-- grain: finding
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   hand_no  BIGINT  printed number of the hand
--   file_id  UBIGINT  the file
--   line  BIGINT  the line of the log that shows it
--   seat  TINYINT  seat of the player concerned; null if it is not one player
--   player  VARCHAR  name of the player in the log
--   aspect  VARCHAR  aspect of the audit (audit_rules)
--   rule  VARCHAR  the rule that was checked
--   verdict  VARCHAR  engine_deviation, violation, damaged, unverified
--   deviation  VARCHAR  known deviations that explain the finding, joined by +; null if none does
--   chips  DOUBLE  chips gained against the written rules
--   message  VARCHAR  the finding in words; for a card that the seed does not deal also its place
-- definition: replay's findings, by the questions of an audit. A card that the header's seed does not deal is an
--   edited one; the finding names it with its seat and street, board cards by their place on the board.
select
  m.event, m.game, f.match_id, f.hand_index, h.hand_no, f.file_id, f.line, f.seat, f.player, r.aspect, f.rule, f.verdict,
  f.deviation, f.chips,
  case
    when f.rule <> 'seed' then f.message
    when f.seat is not null then f.message || ' (hole card of seat ' || f.seat || ', preflop)'
    else f.message || ' (board, ' || case
      when len(h.board) < 3 then 'second round'
      when list_position(h.board, f.logged) <= 3 then 'flop'
      when list_position(h.board, f.logged) = 4 then 'turn'
      else 'river'
    end || ')'
  end as message
from findings as f
join matches as m on m.match_id = f.match_id
left join audit_rules as r on r.rule = f.rule
left join stored.hands as h on h.match_id = f.match_id and h.hand_index = f.hand_index
