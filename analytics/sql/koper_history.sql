-- name: koper_history
-- grain: match x game x player
-- only_if: games: simultaneous
-- table: in a small store
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the game within the match, from 0
--   hand_no  BIGINT  number of the game, as printed
--   player_index  TINYINT  the player's seat, from 0
--   player  VARCHAR  name of the player in the log
--   hole_cards  VARCHAR[]  the player's two cards; none if the player was eliminated at the buy-in
--   community_cards  VARCHAR[]  the cards of the board that were shown
--   folded  BOOLEAN  folded in round 1
--   eliminated  BOOLEAN  lost the match in this game
--   bet_1  DOUBLE  chips bet in round 1; null if the player did not bet
--   bet_2  DOUBLE  chips bet in round 2; null if there was none
--   bet_3  DOUBLE  chips bet in round 3; null if there was none
--   win_prob_1  DOUBLE  equity given to the player in round 1, 0 to 1; null if the player did not act
--   win_prob_2  DOUBLE  equity given to the player in round 2; null if none was given
--   win_prob_3  DOUBLE  equity given to the player in round 3; null if none was given
--   hand_score  SMALLINT  1 the best hand to 7,462; null without a showdown
--   final_pot  DOUBLE  chips that all players put in
--   final_stack  DOUBLE  the player's chips after the game
-- definition: the match history of the rules' section 5. Before game g of a match a strategy is given the
--   rows of that match with hand_no < g, all completed; it learns nothing else about the cards of others.
select
  s.match_id, s.hand_index, h.hand_no,
  s.seat as player_index,
  s.player,
  s.hole as hole_cards,
  h.board[1:if(h.streets > 1, h.streets + 1, 0)] as community_cards,
  coalesce(a.folded, false) as folded,
  s.eliminated,
  a.bet_1, a.bet_2, a.bet_3, a.win_prob_1, a.win_prob_2, a.win_prob_3,
  s.hand_score,
  sum(s.contribution) over (partition by s.match_id, s.hand_index) as final_pot,
  s.stack_start + s.delta as final_stack
from stored.seats as s
join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
left join (
  select
    match_id, hand_index, seat,
    bool_or(action = 'fold') as folded,
    max(raise_to) filter (where street = 1) as bet_1,
    max(raise_to) filter (where street = 2) as bet_2,
    max(raise_to) filter (where street = 3) as bet_3,
    max(win_prob) filter (where street = 1) as win_prob_1,
    max(win_prob) filter (where street = 2) as win_prob_2,
    max(win_prob) filter (where street = 3) as win_prob_3
  from stored.actions
  where origin = 'choice' and match_id in (
      select m.match_id from stored.matches as m join stored.games as g on g.game = m.game where g.simultaneous
    )
  group by match_id, hand_index, seat
) as a on a.match_id = s.match_id and a.hand_index = s.hand_index and a.seat = s.seat
where h.ended_by is not null
  and s.match_id in (
    select m.match_id from stored.matches as m join stored.games as g on g.game = m.game where g.simultaneous
  )
