-- name: pots
-- grain: hand
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   pot  DOUBLE  chips that all players put in, as hands.pot
--   uncalled  DOUBLE  chips of the last bet, raise or blind of a street that no other player matched; 0 in games of simultaneous bets
--   played_for  DOUBLE  pot - uncalled: the chips that could be won
-- definition: what a hand was played for. A push that nobody calls puts a stack into the pot, and wins the blinds. On
--   each street and board, what the player with the most chips has put in beyond the second is uncalled. The command
--   `hands` and the report take played_for as the pot: `select h.*, p.played_for from hands as h join pots as p using
--   (match_id, hand_index)`.
select h.match_id, h.hand_index, h.pot, coalesce(u.uncalled, 0) as uncalled, h.pot - coalesce(u.uncalled, 0) as played_for
from hands as h
left join (
  select match_id, hand_index, sum(most[1] - coalesce(most[2], 0)) as uncalled
  from (
    select match_id, hand_index, max(put, 2) as most
    from (
      select match_id, hand_index, coalesce(board_no, 0) as board_no, street, seat,
        max(coalesce(raise_to, pip_before + if(action = 'call', to_call, 0))) as put
      from stored.actions
      group by all
    )
    group by match_id, hand_index, board_no, street
  )
  group by match_id, hand_index
) as u on u.match_id = h.match_id and u.hand_index = h.hand_index
  and not (select g.simultaneous from stored.games as g where g.game = h.game)
