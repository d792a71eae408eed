-- name: gains
-- suffixes: before_lock
-- grain: own decision x exploit that answers it
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   namesake_seat  TINYINT  as in the view players
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   seq  SMALLINT  order within the hand
--   board_no  TINYINT  number of the board in games of several boards; else null
--   cluster  BIGINT  number of the cluster in the match (cluster_of)
--   exploit  VARCHAR  the opponent's plan: bluff, never_bluff, call or fold
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   size  TINYINT  size bin of the bet or raise (size_name)
--   taken  BOOLEAN  bluff, never_bluff: the player folded; call, fold: the player bluffed
--   break_even  DOUBLE  share of taken at which the exploit breaks even
--   gain  DOUBLE  bb that the exploit would have won here by the model
-- definition: models, not results: what simple plans would have won at the decisions that a player faced or
--   made, with one other player left and the rest of the hand unchanged. bluff: bet as much with a hand that
--   loses whenever it is called, and put in no more; a fold wins the pot, anything else costs the bet;
--   compared with giving up that hand. never_bluff: do not bet such hands; compared with bluffing as often as
--   pot odds allow (call / (pot + bet + call) of the bets). call: on the last street call a bet or raise with
--   a hand that beats all bluffs (strengths) and no value; a bluff wins pot and bet, value costs the call;
--   compared with folding that hand. fold: fold it; compared with calling with the minimum defence frequency
--   of such hands. Bets with unseen cards are left out, and so are bounties.
with models as (
  select
    *,
    bet_faced / (pot_faced + bet_faced) as break_even,
    if(action = 'fold', pot_faced, -bet_faced) / unit as bluff,
    to_call / (pot_before - uncallable + to_call) as bluff_share
  from situations
  where faced is not null and active_players = 2
), answers as (
  select *, if(is_bluff, pot_after, -price) / unit as call, pot_before / pot_after as mdf
  from strengths
  where is_last_street and is_bluff is not null and active_players = 2
)
select
  event, game, player, namesake_seat, match_id, hand_index, seq, board_no, cluster, e.exploit, street, faced as size,
  action = 'fold' as taken, break_even,
  if(e.exploit = 'bluff', bluff, -bluff * bluff_share) as gain
from models
cross join (values ('bluff'), ('never_bluff')) as e (exploit)
union all
select
  event, game, player, namesake_seat, match_id, hand_index, seq, board_no, cluster, e.exploit, street, made_bin,
  is_bluff, price / (pot_after + price),
  if(e.exploit = 'call', call, -call * mdf)
from answers
cross join (values ('call'), ('fold')) as e (exploit)
