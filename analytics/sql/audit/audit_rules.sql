-- name: audit_rules
-- grain: rule that replay checks
-- columns:
--   rule  VARCHAR  as in findings
--   aspect  VARCHAR  pay, blinds, rotation, order, legality, deck, seed, carry, final, hands, faults, log
--   asks  VARCHAR  the question that the aspect asks
-- definition: the questions of an audit, and the checks of replay that answer each.
select unnest(rules) as rule, aspect, asks
from (
  values
    ('pay', 'who wins the pot and how much',
      ['award', 'zero-sum', 'paid', 'left', 'share', 'sharers', 'winner', 'winners', 'unknown-bounty',
      'unknown-board', 'unknown-hands', 'hidden-hands', 'not-checked', 'hidden-runout', 'runout', 'unknown-game',
      'other-game', 'uncalled',
      'no-result', 'last-state']),
    ('blinds', 'who posts which blind',
      ['blind', 'blind-order', 'stakes']),
    ('rotation', 'who sits where, and whose turn the blinds are',
      ['rotation', 'seats', 'names', 'header', 'deal-order']),
    ('order', 'whose turn it is, and when a street and a hand end',
      ['turn', 'again', 'street-early', 'no-flop-betting', 'misplaced', 'street', 'betting', 'dummy', 'ending',
      'third-turn', 'not-asked', 'asked-for-nothing', 'asked-all-in', 'card-due',
      'board-after-end', 'street-open', 'no-option']),
    ('legality', 'which actions and sizes a player may choose',
      ['free-fold', 'check', 'call', 'raise', 'too-small', 'too-large', 'spent', 'unmatched', 'assignment',
      'eliminated', 'plays-on', 'bet-low', 'bet-high', 'bid', 'redraw', 'more-than-stack', 'call-back',
       'pass-count', 'not-reopened', 'declined', 'own-line',
       'doubled-minimum', 'last-chip']),
    ('deck', 'each card once, as many as the rules deal',
      ['deal', 'deck', 'board', 'board-size', 'show', 'run', 'run-stops', 'permuted', 'discard', 'reveal', 'not-in-deck',
      'look', 'not-held', 'ahead']),
    ('seed', 'the cards that the header''s seed deals',
      ['seed', 'seed-wrong']),
    ('carry', 'chips and counts that one hand hands on to the next',
      ['bankroll', 'counts', 'stacks', 'table', 'wins', 'chips-after', 'chips-gone', 'bank-changes']),
    ('final', 'the totals that the log ends with',
      ['final', 'score', 'sums', 'hands', 'straights', 'bets-ev']),
    ('hands', 'missing, repeated and torn hands',
      ['sequence', 'incomplete', 'marker', 'spliced', 'row-unread', 'undealt', 'undecided']),
    ('faults', 'what the engine says of bots'' errors (illegal, late, misformatted) and does for them',
      ['substitute', 'fault', 'exception', 'not-folded', 'noted']),
    ('log', 'whatever else the log prints twice',
      ['wording', 'contribution', 'stacks-missing', 'show-missing', 'show-unasked', 'hit', 'hit-missing',
      'hit-order', 'bounties', 'counts-missing', 'pot', 'all-in', 'all-in-missing', 'sweep', 'sweep-missing',
      'table-missing', 'board-result', 'board-winnings', 'win-cap', 'hand-score', 'win-prob', 'bare-street',
      'run-missing', 'run-unasked', 'run-won', 'hole-missing', 'swapped', 'unswapped', 'card-won',
      'card-won-missing', 'bids', 'auction', 'bids-missing', 'street-note', 'street-note-missing', 'reveal-seat',
      'reveal-place', 'reveal-missing', 'look-missing', 'fold-shown', 'pass-order', 'pass-missing', 'hand-kind', 'call-amount', 'award-lines',
       'all-in-checks', 'published', 'told-missing', 'unasked', 'repeated-end'])
) as t (aspect, asks, rules)
