-- name: integrity_findings
-- grain: finding
-- columns:
--   event  VARCHAR  what tells players of one name apart
--   game  VARCHAR  the rules
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  the match's hands from 0
--   hand_no  BIGINT  as printed
--   file_id  UBIGINT  the file
--   line  BIGINT  the line that shows it
--   seat  TINYINT  the player concerned; null where it is no one player
--   player  VARCHAR  the log's own name
--   aspect  VARCHAR  what an auditor asks (audit_rules)
--   rule  VARCHAR  the check
--   verdict  VARCHAR  engine_deviation, violation, damaged, unverified
--   deviation  VARCHAR  names joined by +; null where none explains it
--   chips  DOUBLE  chips gained against the written rules
--   message  VARCHAR  what is wrong; of a card that is not the seed's also where it lies
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
