-- Ends of the Wilson score interval at 95% (Wilson, JASA 22 (1927) 209-212) of k successes in n; null where n is 0.
create macro share_low(p, m) as
  (p * m + z_975() ** 2 / 2 - z_975() * sqrt(p * (1 - p) * m + z_975() ** 2 / 4)) / (m + z_975() ** 2);
create macro share_high(p, m) as
  (p * m + z_975() ** 2 / 2 + z_975() * sqrt(p * (1 - p) * m + z_975() ** 2 / 4)) / (m + z_975() ** 2);
create macro wilson_low(k, n) as case when n > 0 and k = 0 then 0.0 when n > 0 then share_low(k / n, n) end;
create macro wilson_high(k, n) as case when n > 0 and k = n then 1.0 when n > 0 then share_high(k / n, n) end;

-- Whether a match is one of some. Their range, too, is compared, since a reader skips rows outside a range, and reaches
-- through a view's groups with it, which it cannot do with a list.
create macro among(match_id, ids) as list_contains(ids, match_id) and match_id between list_min(ids) and list_max(ids);

-- A sum of chips as sums are compared: parts of a chip sum to other last bits in another order, and would break ties.
create macro settled(chips) as round(chips, 6);
create macro chips_of(won) as settled(sum(won));

-- Chips that a hand's pay moved, of what its seats gained: they changed hands, were lost, or came from nowhere.
create macro moved_by(gained) as greatest(sum(greatest(gained, 0)), sum(greatest(-gained, 0)));

-- Whether a hand of a match lies in the second half of its first `hands` hands.
create macro in_second_half(hand_index, hands) as 2 * hand_index >= hands;

-- What a player may do more or less often as a match goes on; not where all bet at once (`games`), whose hands are not alike.
create macro may_drift(statistic, simultaneous) as
  not simultaneous and statistic in ('vpip', 'pfr', 'rfi', '3bet', 'cbet_flop', 'fold_to_cbet', 'wtsd');

-- Place by total bankroll in the competition of an event and game, from 1; equal chips share it.
create macro place_of(chips, event, game) as rank() over (partition by event, game order by chips desc);

-- What share k is of n; null where n is 0.
create macro rate_of(k, n) as case when n > 0 then k / n end;

-- The 97.5% quantile of Student's t: from 3 degrees of freedom on the expansion of Abramowitz and Stegun 26.7.5 with two
-- more terms fitted to the quantile, right to 0.000001; from 1 to 3 its logarithm is a polynomial in 1 / df fitted to it,
-- right to a ten-millionth of it. Null below 1.
create macro t_975(df) as
  case
    when df >= 3 then z_975() + 2.3722712302986 / df + 2.8224986157396 / df ** 2 + 2.5558496795077 / df ** 3
      + 1.5895340533938 / df ** 4 + 0.7426 / df ** 5 + 0.564 / df ** 6
    when df >= 1 then exp(
      0.67228797 + 1.21925695 / df + 0.65536126 / df ** 2 + 0.31931601 / df ** 3 - 0.5480348 / df ** 4
      + 0.27610938 / df ** 5 - 0.05220637 / df ** 6
    )
  end;

-- The streets' names, hold'em's unless `games` has others; streets after the last are a run.
create macro street_name(street, of_game := 'holdem') as
  coalesce(
    (
      select r.named_streets
      from (select game as named_game, streets as named_streets from stored.games) as r
      where r.named_game = of_game
    )[street + 1],
    ['preflop', 'flop', 'turn', 'river'][street + 1],
    'run ' || (street - 3)
  );

-- Whether no card can follow: on the street of the last board cards (`matches`, `games`), the river where neither names
-- any; never where runs may follow.
create macro is_last_street(street, runs, board_cards) as street = coalesce(len(board_cards), 4) - 1 and not runs;

-- The cards of a deck (`matches`, `games`), the highest first; null where it is not known.
create macro deck_cards(suits, ranks) as
  case
    when suits is null then null
    when suits = 4 and ranks = 13 then full_deck()
    else list_filter(full_deck(), lambda card, n: (n - 1) // 4 < ranks and (n - 1) % 4 < suits)
  end;

-- The place of a seat's position in its match (`positions`): the seat counted from the dealer. Hands that lack some of
-- the match's players have places of their own (`short_tables`), null in all others.
create macro position_of(short_place, seat, dealer_seat, n_players) as
  coalesce(short_place, (seat - dealer_seat + n_players) % n_players);

-- Where a position comes when positions are listed: by the order to act preflop where it has a name, by its number
-- in games that number them.
create macro position_place(position) as
  coalesce(
    list_position(preflop_order(), position),
    try_cast(position as integer),
    0
  );

-- What is drawn together, so that opportunities in it are alike (`games`): hands with consecutive numbers, a hand with
-- several boards, or the match. Null where each hand stands for itself.
create macro cluster_of(cluster, cluster_hands, hand_index, hand_no) as
  case cluster
    when 'numbers' then (hand_no - 1) // cluster_hands
    when 'hand' then hand_index
    when 'match' then 0
  end;

-- Number in its match of what is drawn anew: of the cluster, else of the hand; matches on the same cards have them under
-- the same numbers, those printed where other matches have the cards as well (`games`).
create macro unit_of(cluster, cluster_hands, shared_cards, hand_index, hand_no) as
  coalesce(cluster_of(cluster, cluster_hands, hand_index, hand_no), if(shared_cards, hand_no, hand_index));

-- The place in a tournament's first match of a seat in a later one, where seats rotate (`games`); elsewhere the seat.
create macro entrant_of(seats_rotate, players, seat, seating) as
  cast(if(seats_rotate, (seat + coalesce(seating, 0)) % len(players), seat) as tinyint);

-- That place of a player whose name the match holds twice; null where the name alone tells who it is.
create macro namesake_seat_of(seats_rotate, players, seat, seating) as
  if(
    len(list_filter(players, lambda name: name = players[seat + 1])) > 1,
    entrant_of(seats_rotate, players, seat, seating),
    null
  );

-- The number of the cards that a match was dealt: its log's, else one of its `card_sequences`; null where none was seen.
-- The hash of null is a number, the same for all.
create macro seen_card_set(card_set, cards) as coalesce(card_set, if(cards is null, null, hash(cards)));

-- What a match's cards go by: other matches may have them too.
create macro deck_of(match_id, card_set) as coalesce(card_set, match_id);

-- Whether a spot is in a set of `street_flags`: bits for those below 64, and a list of the others.
create macro has_spot(bits, others, spot) as
  coalesce(if(spot < 64, bits >> spot & 1 = 1, list_contains(others, spot)), false);

-- Chips that a fold before the flop costs in each blind, at most: with bounties (`games`) the opponent may hit its rank.
create macro fold_costs(bounty_factor, bounty_bonus, blinds) as
  if(
    bounty_factor is null,
    blinds,
    list_transform(blinds, lambda blind: ceil(bounty_factor * blind + bounty_bonus))
  );

-- Over the clusters of a rate, k of n in each: what effective_n needs. It adds up over matches. Of none: clusters 0. One
-- without an opportunity says nothing, and is none. Cluster is null in every row (of a game without) or where n is 0.
create macro spread_of(n, k, cluster) as {
  'clusters': count(if(n > 0, cluster, null)),
  'kk': if(count(cluster) > 0, sum(k * k), 0)::double,
  'nn': if(count(cluster) > 0, sum(n * n), 0)::double,
  'kn': if(count(cluster) > 0, sum(k * n), 0)::double
};
create macro added_spread(spread) as {
  'clusters': sum(spread.clusters)::bigint,
  'kk': sum(spread.kk),
  'nn': sum(spread.nn),
  'kn': sum(spread.kn)
};

-- A sum of squares that was got by subtracting from another; null where rounding is all that is left.
create macro squares_of(rest, from_squares) as if(rest > 1e-9 * from_squares, rest, null);

-- Standard error of a mean, k / n, over clusters of k of n each (Cochran, Sampling Techniques, 1977, 6.3): kk, kn and nn are
-- the sums of k k, k n and n n over them. Null of fewer than two.
create macro ratio_se(mean, n, clusters, kk, kn, nn) as
  case when clusters > 1 then sqrt(clusters / (clusters - 1) * greatest(kk - 2 * mean * kn + mean ** 2 * nn, 0)) / n end;

-- Half of the 95% interval of a mean, k / n: over clusters, of a game without over the n values, `squares` being the sum of
-- their squares. Null of one cluster, and of one value.
create macro mean_half(k, n, squares, spread) as
  case
    when spread.clusters > 1 then
      t_975(spread.clusters - 1) * ratio_se(k / n, n, spread.clusters, spread.kk, spread.kn, spread.nn)
    when n > 1 and spread.clusters = 0 then t_975(n - 1) * sqrt(greatest(squares - k * k / n, 0) / (n - 1) / n)
  end;

-- Ends of an interval within the range of what is measured. Null stays null: greatest() and least() would pass it over.
create macro no_clusters() as {'clusters': 0, 'kk': 0.0, 'nn': 0.0, 'kn': 0.0};
create macro low_end(value) as if(value is null, null, greatest(value, 0));
create macro high_end(value, most) as if(value is null, null, least(value, most));

-- n, the mean of a value over the games of one match, and its 95% interval within 0 and `most`.
create macro mean_within(value, most) as {
  'n': count(value),
  'mean': avg(value),
  'low': low_end(avg(value) - mean_half(sum(value), count(value), sum(value ** 2), no_clusters())),
  'high': high_end(avg(value) + mean_half(sum(value), count(value), sum(value ** 2), no_clusters()), most)
};

-- n as it would be if opportunities were independent, with the same variance of k / n: n p (1 - p) / v, v being the
-- ratio estimator's variance over G clusters, G / (G - 1) * sum (k - p n)^2 / n^2 (Cochran, Sampling Techniques, 1977,
-- 6.3), and for so few clusters (Korn and Graubard, Survey Methodology 24 (1998) 193-201) times (z / t(G - 1))^2.
-- At most n; n itself where there is nothing to estimate it from: no clusters, one, or k of 0 or n.
create macro effective_n(k, n, spread) as
  case
    when spread.clusters > 1 and k > 0 and k < n then
      coalesce(
        least(
          n,
          k::double * (n - k) * (spread.clusters - 1) / spread.clusters
          / squares_of(spread.kk - 2.0 * k / n * spread.kn + (k / n) ** 2 * spread.nn, spread.kk)
          * (z_975() / t_975(spread.clusters - 1)) ** 2
        ),
        n
      )
    else n::double
  end;

-- Ends of the Wilson interval of k / n for the effective n. A lambda's parameter stands for what DuckDB would otherwise
-- bind five times: share_low and share_high name it that often.
create macro rate_low(k, n, spread) as
  case
    when n > 0 and k = 0 then 0.0
    when n > 0 then list_transform([{'p': k / n, 'm': effective_n(k, n, spread)}], lambda x: share_low(x.p, x.m))[1]
  end;
create macro rate_high(k, n, spread) as
  case
    when n > 0 and k = n then 1.0
    when n > 0 then list_transform([{'p': k / n, 'm': effective_n(k, n, spread)}], lambda x: share_high(x.p, x.m))[1]
  end;

-- Minimum defence frequency: who defends less often lets any two cards bet at a profit. Bet: the chips that a bet or raise
-- risked; pot: those before it.
create macro mdf_of(pot, bet) as pot / (pot + bet);

-- Chips of a bet or raise that a player cannot call for want of chips. What is to call may be no more than the stack already.
-- Of null and 0 greatest() is 0.
create macro uncallable_of(raise_to, pip_before, to_call, stack) as
  greatest(raise_to - pip_before - least(to_call, stack), 0);

-- What a bet or raise risked against a player: nothing of it that this player cannot call. Null without one.
create macro risk_against(risk, raise_to, pip_before, to_call, stack) as
  if(risk is null, null, greatest(risk - uncallable_of(raise_to, pip_before, to_call, stack), 0));

-- The size of a bet or raise to a player who faces it: a bet over the pot before it, a raise beyond its call over the pot
-- after that call, less what this player cannot call. Null without one: blinds have no size.
create macro size_against(risk, called, pot, raise_to, pip_before, to_call, stack) as
  (risk - called - uncallable_of(raise_to, pip_before, to_call, stack)) / (pot + called);

-- Sizes are shares of the pot; a bin goes up to its upper end, so that half a pot is in the bin that ends there.
create macro size_bin(size) as
  cast(
    case
      when size <= 0.25 then 1
      when size <= 0.5 then 2
      when size <= 0.75 then 3
      when size <= 1 then 4
      when size <= 2 then 5
      when size > 2 then 6
    end as tinyint
  );
create macro size_name(bin) as
  ['to 1/4 pot', 'to 1/2 pot', 'to 3/4 pot', 'to 1 pot', 'to 2 pots', 'over 2 pots'][bin];

-- The tenth of a share, from 1. Of null and 9 least() is 9.
create macro tenth_of(share) as if(share is null, null, cast(least(floor(share * 10), 9) + 1 as tinyint));

-- Tenths of a share, 2: from 20% up to 30%; the last with its end.
create macro tenth_name(bin) as 10 * bin || '–' || 10 * (bin + 1) || '%';

-- How many cards of a list are black.
create macro blacks_of(cards) as len(list_filter(cards, lambda card: card[2] in ('s', 'c')));

-- Chen points of two cards (Bill Chen in Krieger, Hold'em Excellence, 2000): a rough order of strength before the flop.
create macro chen_rank(card) as strpos(ranks(), card[1]) + 1;
create macro chen_value(rank) as case rank when 14 then 10.0 when 13 then 8.0 when 12 then 7.0 when 11 then 6.0 else rank / 2 end;
create macro chen_points(cards) as
  ceil(
    if(
      cards[1][1] = cards[2][1],
      greatest(5, 2 * chen_value(chen_rank(cards[1]))),
      chen_value(greatest(chen_rank(cards[1]), chen_rank(cards[2])))
      + if(cards[1][2] = cards[2][2], 2, 0)
      - [0, 1, 2, 4, 5][least(abs(chen_rank(cards[1]) - chen_rank(cards[2])), 5)]
      + if(
        abs(chen_rank(cards[1]) - chen_rank(cards[2])) <= 2 and greatest(chen_rank(cards[1]), chen_rank(cards[2])) < 12, 1, 0
      )
    )
  );

-- The decision that a row of actions belongs to: Blotto writes a row a board for each.
create macro decision_of(board_no, seq) as if(board_no is null, seq, seq // 3)::smallint;

-- Hole cards without their suits' names: AKs, AKo, AA of two cards, K of one, AK7 of three; null of more or none.
create macro hole_class(cards) as
  case
    when len(cards) between 1 and 3 then
      list_aggregate(
        list_transform(
          list_sort(list_transform(cards, lambda card: strpos(ranks_high_first(), card[1]))),
          lambda place: ranks_high_first()[place]
        ),
        'string_agg', ''
      )
      || case
        when len(cards) <> 2 or cards[1][1] = cards[2][1] then ''
        when cards[1][2] = cards[2][2] then 's'
        else 'o'
      end
  end;

-- Two hole cards by what they share: their rank, their suit, neither; of other numbers of cards 'other', null of none.
create macro kind_of_hole(cards) as
  case
    when len(cards) = 2 and cards[1][1] = cards[2][1] then 'pair'
    when len(cards) = 2 and cards[1][2] = cards[2][2] then 'suited'
    when len(cards) = 2 then 'offsuit'
    when len(cards) > 0 then 'other'
  end;

-- The places of cards' ranks among all from 2 to A, their suits, and whether two of such are alike.
create macro ranks_of(cards) as list_transform(cards, lambda card: strpos(ranks(), card[1]));
create macro suits_of(cards) as list_transform(cards, lambda card: card[2]);
create macro alike(values_) as list_unique(values_) < len(values_);

-- Ranks of cards as bits: 1 for a deuce to 13 for an ace, which has bit 0 too, as it ends a straight below.
create macro with_rank(rank) as (1 << rank) | if(rank = 13, 1, 0);
create macro ranks_held(cards) as
  list_aggregate(list_transform(cards, lambda card: with_rank(strpos(ranks(), card[1]))), 'bit_or');
create macro has_straight(held) as (held & (held >> 1) & (held >> 2) & (held >> 3) & (held >> 4)) <> 0;

-- The most cards of one suit.
create macro suited(cards) as
  list_max(
    list_transform(['c', 'd', 'h', 's'], lambda suit: len(list_filter(cards, lambda card: card[2] = suit)))
  );
-- Hands of five or more cards as lists in the order of their strength, the usual one: the category from 0 (high card) to 8
-- (straight flush), and the ranks that decide between two of it. `groups` are 100 x copies + rank, the largest first;
-- `suited_ranks` those of the suit with five cards or more, `tops` the highest of five ranks in a row, of them and of all.
create macro straight_top(held) as
  list_max(list_filter(range(4, 14), lambda top: ((held >> (top - 4)) & 31) = 31));
create macro flush_cards(cards) as
  list_filter(cards, lambda card: len(list_filter(cards, lambda other: other[2] = card[2])) >= 5);
create macro rank_groups(held) as
  list_reverse_sort(
    list_transform(list_distinct(held), lambda rank: 100 * len(list_filter(held, lambda other: other = rank)) + rank)
  );
create macro highest_of(groups, known, n) as
  list_reverse_sort(list_filter(list_transform(groups, lambda g: g % 100), lambda rank: not list_contains(known, rank)))[1:n];
create macro strength_by(groups, suited_ranks, suited_top, top) as
  case
    when suited_top is not null then [8, suited_top]
    when groups[1] // 100 = 4 then list_concat([7, groups[1] % 100], highest_of(groups, [groups[1] % 100], 1))
    when groups[1] // 100 = 3 and groups[2] // 100 >= 2 then [6, groups[1] % 100, groups[2] % 100]
    when len(suited_ranks) >= 5 then list_concat([5], list_reverse_sort(suited_ranks)[1:5])
    when top is not null then [4, top]
    when groups[1] // 100 = 3 then list_concat([3, groups[1] % 100], highest_of(groups, [groups[1] % 100], 2))
    when groups[1] // 100 = 2 and groups[2] // 100 = 2 then
      list_concat(
        [2, groups[1] % 100, groups[2] % 100],
        highest_of(groups, [groups[1] % 100, groups[2] % 100], 1)
      )
    when groups[1] // 100 = 2 then list_concat([1, groups[1] % 100], highest_of(groups, [groups[1] % 100], 3))
    else list_concat([0], highest_of(groups, [0], 5))
  end;
create macro hand_strength(cards) as
  strength_by(
    rank_groups(ranks_of(cards)),
    ranks_of(flush_cards(cards)),
    straight_top(ranks_held(flush_cards(cards))),
    straight_top(ranks_held(cards))
  );
-- Statements of a player about its own cards in a text (view `claims`): conditions, doubts and thoughts of others that stand
-- before `I have` in a sentence; `I have` in its forms, with words that change nothing; a card; a rank in words.
create macro claim_hedge() as
  '((?i:\b(?:if|when|whenever|whether|unless|once|until|would|could|might|may|hope|hoping|suppose|assuming|not|never|without|'
  || 'thinks?|believes?|represent\w*|like|as though|chance|or)\b|n[''’]t\b)[^.;!?\n]*?)?';
create macro claim_lead() as
  '(?i:\b(?:I have|I[''’]ve got|I hold|I am holding|I[''’]m holding|I flopped|I turned|I rivered|I made|giving me|gives me|'
  || 'my hand is|my hand:|my hole cards are|my hole cards:|my hand|my))';
create macro claim_filler() as
  '(?i:[\s*:~(]|\b(?:only|just|currently|now|already|still|a|an|the|my|own|very|weak|strong|decent|solid|small|big|nice|good|'
  || 'great|marginal|mediocre|medium|modest|low|at best|at least|basically|essentially|actually|effectively|both|nut|'
  || 'second-nut|spade|heart|club|diamond|[a-z]+[- ]high)\b)*';
create macro claim_card() as '(?:10|[2-9TJQKA])[cdhs♣♦♥♠]';
create macro claim_rank(word) as
  coalesce(
    nullif(
      list_position(
        ['two', 'thr', 'four', 'fiv', 'six', 'seven', 'eight', 'nin', 'ten', 'jack', 'queen', 'king', 'ac'],
        replace(rtrim(lower(word), 'es'), 'deuc', 'two')
      ),
      0
    ),
    nullif(strpos(ranks(), nullif(regexp_extract(replace(word, '10', 'T'), '^[2-9TJQKA]'), '')), 0)
  );

-- How many ranks would make cards a straight (`ranks_held`).
create macro straight_outs(held) as
  len(list_filter(range(1, 14), lambda r: (held & (1 << r)) = 0 and has_straight(held | with_rank(r))));

-- Statements about made hands and draws, cards, and starting hands: the groups are the hedge, what is said, its rank, and a
-- word behind that makes it another statement.
create macro made_claim() as
  claim_hedge() || '(?:' || replace(claim_lead(), '|my hand|my)', ')') || ')' || claim_filler()
  || '((?i:royal flush|straight flush|quads|four of a kind|full house|boat|backdoor (?:\w+ )?flush draw|flush draw|flush|'
  || 'open-ended(?: straight)?(?: draw)?|oesd|gutshot(?: straight)?(?: draw)?|straight draw|straight|three of a kind|trips?|'
  || 'set|two pairs?|top two|top pair|second pair|middle pair|bottom pair|third pair|overpair|pair|'
  || '(?:ace|king|queen|jack|ten|nine|eight|seven)[- ]high))\b'
  || '(?:(?i:\s+of|\s*,?\s*\()?\s*(?i:pocket\s+)?((?i:aces|kings|queens|jacks|tens|nines|eights|sevens|sixes|fives|fours|threes|'
  || 'deuces|twos)|(?:10|[2-9TJQKA])[''’]?s)\b)?'
  || '([ -](?i:draws?|possib\w*|potential|chances?|outs?|blockers?|flush|straight|spade|heart|club|diamond|hands?|'
  || 'mining|or|that (?:didn[''’]?t|did not|never|missed|failed))\b)?';
create macro cards_claim() as
  claim_hedge() || '(?:' || claim_lead() || ')' || claim_filler()
  || '(?:[2-9TJQKA]{2}(?:[os]|\s(?i:offsuit|suited))?[\s(:*]+)?((?:' || claim_card() || '(?:[\s,/&*]|and\b)*){2,7})()()';
create macro start_claim() as
  claim_hedge() || '(?:' || claim_lead() || ')' || claim_filler()
  || '((?:[2-9TJQKA]{2}(?:[os]|\s?(?i:offsuit|suited))|TT|JJ|QQ|KK|AA|(?i:pocket )(?:(?i:aces|kings|queens|jacks|tens|nines|'
  || 'eights|sevens|sixes|fives|fours|threes|deuces|twos)|(?:10|[2-9TJQKA])[''’]?s))\b)()()';
