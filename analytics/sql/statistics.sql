-- name: statistics
-- grain: statistic
-- table: in all stores
-- columns:
--   statistic  VARCHAR  its name in every view
--   label  VARCHAR  its usual name
--   place  INTEGER  order in which statistics are shown
--   opportunity_flag  VARCHAR  column of seats that is true for an opportunity; null: every hand is one
--   success_flag  VARCHAR  column of seats that is true for a success; null: counted by a view of its own
--   opportunity  VARCHAR  what counts as an opportunity
--   success  VARCHAR  what counts as a success
-- definition: the tendencies that are counted once a hand, each as two flags of seats, and those that views
--   such as koper_chances count. Unless stated otherwise an opportunity is a decision of the player's own
--   (origin = 'choice'); earlier actions count whether a player or the engine made them. docs/definitions.md
--   says what unopened and saw flop mean exactly.
select
  statistic, label, cast(place as integer) as place, opportunity_flag, success_flag, opportunity, success
from (
  values
    ('vpip', 'VPIP', 1, 'acted_preflop', 'vpip',
      'acts preflop (walks excluded)', 'calls or raises; a blind is no call'),
    ('pfr', 'PFR', 2, 'acted_preflop', 'pfr',
      'acts preflop (walks excluded)', 'raises at least once'),
    ('rfi', 'RFI', 3, 'rfi_chance', 'rfi',
      'acts in an unopened pot; heads-up the small blind''s first action, so this is also the steal', 'raises'),
    ('limp', 'limp', 4, 'limp_chance', 'limp',
      'the small blind''s first action, in an unopened pot', 'calls'),
    ('3bet', '3-bet', 5, 'threebet_chance', 'threebet',
      'faces one raise preflop', 'raises'),
    ('4bet', '4-bet', 6, 'fourbet_chance', 'fourbet',
      'made the first raise preflop and faces a second', 'raises'),
    ('fold_to_3bet', 'fold to 3-bet', 7, 'fold_to_3bet_chance', 'fold_to_3bet',
      'made the first raise preflop and faces a second', 'folds'),
    ('cbet_flop', 'c-bet flop', 8, 'cbet_flop_chance', 'cbet_flop',
      'made the last raise preflop and acts on the flop with no bet before', 'bets'),
    ('cbet_turn', 'c-bet turn', 9, 'cbet_turn_chance', 'cbet_turn',
      'c-bet the flop and acts on the turn with no bet before', 'bets'),
    ('cbet_river', 'c-bet river', 10, 'cbet_river_chance', 'cbet_river',
      'c-bet the turn and acts on the river with no bet before', 'bets'),
    ('fold_to_cbet', 'fold to c-bet', 11, 'fold_to_cbet_chance', 'fold_to_cbet',
      'first response to a c-bet on the flop', 'folds'),
    ('donk', 'donk bet', 12, 'donk_chance', 'donk',
      'out of position on the flop, before the last raiser preflop acts', 'bets'),
    ('probe', 'probe bet', 13, 'probe_chance', 'probe',
      'another player raised last preflop and checked the flop, nobody bet it; acts on the turn with no bet before',
      'bets'),
    ('delayed_cbet', 'delayed c-bet', 14, 'delayed_cbet_chance', 'delayed_cbet',
      'raised last preflop and checked the flop, nobody bet it; acts on the turn with no bet before', 'bets'),
    ('check_raise', 'check-raise', 15, 'check_raise_chance', 'check_raise',
      'checked and faces a bet on that street, the flop or later; one a hand, however many streets', 'raises'),
    ('saw_flop', 'saw flop', 16, null, 'saw_flop',
      'every hand', 'the flop was dealt before the player folded, all-in or not'),
    ('wtsd', 'WTSD', 17, 'saw_flop', 'went_to_showdown',
      'saw the flop', 'the hand came to a showdown and the player had not folded'),
    ('w$sd', 'W$SD', 18, 'went_to_showdown', 'won_showdown',
      'a showdown', 'won it; a tie is no win'),
    ('tied_showdown', 'tied at showdown', 19, 'went_to_showdown', 'tied_showdown',
      'a showdown', 'the pot was split'),
    ('wwsf', 'WWSF', 20, 'saw_flop', 'won_hand',
      'saw the flop', 'won the hand, by fold or by cards; a tie is no win'),
    /*counted*/
) as listed (statistic, label, place, opportunity_flag, success_flag, opportunity, success)
