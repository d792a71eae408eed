-- name: street_statistics
-- grain: statistic
-- table: in all stores
-- columns:
--   statistic  VARCHAR  its name in every view
--   label  VARCHAR  its usual name
--   place  INTEGER  order in which statistics are shown
--   bit  INTEGER  its bit in street_flags
--   opportunity  VARCHAR  what counts as an opportunity
--   success  VARCHAR  what counts as a success
-- definition: the tendencies that are counted street by street, from the actions. An opportunity is a
--   decision of the player's own (origin = 'choice'); earlier actions count whether a player or the engine
--   made them. Heads-up a steal is the small blind's RFI. In River of Blood's run, the streets after the
--   river, only check-raises are counted.
select statistic, label, cast(place as integer) as place, cast(bit as integer) as bit, opportunity, success
from (
  values
    ('2bet', '2-bet', 1, 1, 'preflop: faces bet level 1, the blinds', 'raises'),
    ('steal', 'steal', 2, 2, 'preflop: cutoff, button or small blind in an unopened pot', 'raises'),
    ('fold_to_steal', 'fold to steal', 3, 4, 'preflop: big blind facing a steal, called or not', 'folds'),
    ('cbet', 'c-bet', 4, 8,
      'made the last raise preflop and the first bet of every street since, and acts with no bet before', 'bets'),
    ('fold_to_cbet', 'fold to c-bet', 5, 16, 'the first answer to a c-bet of the street, not yet raised', 'folds'),
    ('delayed_cbet', 'delayed c-bet', 6, 32,
      'made the last raise preflop and checked the flop, nobody has bet since; acts with no bet before', 'bets'),
    ('probe', 'probe bet', 7, 64,
      'the last raiser preflop checked the flop, nobody has bet since; another player acts with no bet before', 'bets'),
    ('donk', 'donk bet', 8, 128,
      'acts with no bet before, ahead of who made the last bet or raise of the street before (of the flop: preflop)',
      'bets'),
    ('check_raise', 'check-raise', 9, 256, 'checked this street and faces a bet, the flop or later', 'raises')
) as listed (statistic, label, place, bit, opportunity, success)
