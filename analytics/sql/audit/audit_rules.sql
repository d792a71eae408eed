-- name: audit_rules
-- grain: rule that replay checks
-- columns:
--   rule  VARCHAR  as in findings
--   aspect  VARCHAR  pay, blinds, rotation, order, legality, deck, seed, carry, final, hands, faults, log
-- definition: what an auditor asks of a log, and which of replay's checks answer it. `hands` is missing, repeated and
--   torn hands; `log` is whatever else the log prints twice.
select unnest(rules) as rule, aspect
from (
  values
    ('pay', ['award', 'zero-sum', 'paid', 'left', 'share', 'sharers', 'winner', 'winners', 'unknown-bounty',
      'unknown-board', 'unknown-game']),
    ('blinds', ['blind', 'blind-order', 'stakes']),
    ('rotation', ['rotation', 'seats', 'names', 'header', 'deal-order']),
    ('order', ['turn', 'misplaced', 'street', 'betting', 'dummy', 'ending']),
    ('legality', ['free-fold', 'check', 'call', 'raise', 'too-small', 'too-large', 'spent', 'unmatched', 'assignment',
      'eliminated', 'plays-on', 'bet-low', 'bet-high', 'bid']),
    ('deck', ['deal', 'deck', 'board', 'board-size', 'show', 'run', 'permuted', 'discard', 'not-in-deck']),
    ('seed', ['seed', 'seed-wrong']),
    ('carry', ['bankroll', 'counts', 'stacks', 'table', 'wins']),
    ('final', ['final', 'score', 'hands', 'straights', 'bets-ev']),
    ('hands', ['sequence', 'incomplete', 'marker', 'spliced', 'undealt', 'undecided']),
    ('faults', ['substitute', 'fault', 'exception']),
    ('log', ['wording', 'contribution', 'stacks-missing', 'show-missing', 'show-unasked', 'hit', 'hit-missing',
      'hit-order', 'bounties', 'counts-missing', 'pot', 'all-in', 'all-in-missing', 'sweep', 'sweep-missing',
      'table-missing', 'board-result', 'board-winnings', 'win-cap', 'hand-score', 'win-prob', 'bare-street',
      'run-missing', 'run-unasked', 'run-won', 'hole-missing', 'swapped', 'unswapped', 'card-won',
      'card-won-missing', 'bids', 'auction', 'bids-missing', 'street-note', 'street-note-missing'])
) as t (aspect, rules)
