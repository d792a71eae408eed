-- name: games
-- grain: game in the store
-- columns:
--   game  VARCHAR  stored
--   title  VARCHAR  stored
--   players  TINYINT  stored
--   streets  VARCHAR[]  stored
--   first_street  TINYINT  stored
--   runs  BOOLEAN  stored
--   board_cards  SMALLINT[]  stored
--   boards  TINYINT  stored
--   hole_cards  TINYINT  stored
--   suits  TINYINT  stored
--   ranks  TINYINT  stored
--   decisions  VARCHAR[]  stored
--   forced  VARCHAR  stored
--   unit  VARCHAR  stored
--   fixed_sizes  BOOLEAN  stored
--   simultaneous  BOOLEAN  stored
--   button  BOOLEAN  stored
--   swaps  BOOLEAN  stored
--   auctions  BOOLEAN  stored
--   discards  BOOLEAN  stored
--   permutes  BOOLEAN  stored
--   bounties  BOOLEAN  stored
--   bounty_factor  DOUBLE  stored
--   bounty_bonus  DOUBLE  stored
--   free_chips  DOUBLE[]  stored
--   win_cap  DOUBLE  stored
--   cluster  VARCHAR  stored
--   cluster_hands  SMALLINT  stored
--   shared_cards  BOOLEAN  stored
--   seats_rotate  BOOLEAN  stored
--   first_hand_no  TINYINT  stored
--   most_chips_win  BOOLEAN  stored
--   final_is_delta  BOOLEAN  stored
--   bankrolls  BOOLEAN  stored
--   shows_folded  BOOLEAN  stored
-- definition: the rules of each game as properties, so that queries need no names of games. A property states a rule that any
--   game may have: three boards, cards bid for, a forced bet.
select
  game, title, players, streets, first_street, runs, board_cards, boards, hole_cards, suits, ranks, decisions,
  forced, unit, fixed_sizes, simultaneous, button, swaps, auctions, discards, permutes, bounties, bounty_factor,
  bounty_bonus, free_chips, win_cap, cluster, cluster_hands, shared_cards, seats_rotate, first_hand_no,
  most_chips_win, final_is_delta, bankrolls, shows_folded
from stored.games
