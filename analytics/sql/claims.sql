-- name: claims
-- grain: decision x kind x statement of a player about its own cards
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   seq  SMALLINT  the decision, as in actions.seq
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   namesake_seat  TINYINT  as in the view players
--   seat  TINYINT  seat in the match, from 0
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river
--   kind  VARCHAR  cards, starting hand, pocket pair, pair, top pair, lower pair, overpair, two pair, three of a kind, set, straight, flush, full house, four of a kind, straight flush, high card, flush draw, straight draw
--   said  VARCHAR  the statement, quoted from notes.text
--   hole  VARCHAR[]  the player's hole cards
--   board  VARCHAR[]  the board at the decision
--   is_wrong  BOOLEAN  the cards contradict the statement
-- definition: what players say about their own cards in notes.text (`I have 9d 5c`, `I have top pair`,
--   `giving me a flush draw`), compared with the cards they hold, in games of two hole cards and a board of
--   3, 4 and 5 cards from 52. Only statements in forms such as `I have` count, each once per decision;
--   conditions, doubts and thoughts about other players do not. A statement is wrong if the hole cards and
--   the board do not make it: `top pair` needs a hole card of the board's highest rank, `lower pair` (second,
--   middle, bottom) one of another rank of the board, `overpair` a pair above the board, `set` a pair in the
--   hand and its rank on the board; if a rank is named, it must be the right one. A better hand does not make
--   a statement wrong, except for `high card`, which needs no pair with a hole card, no straight and no
--   flush. A draw lacks one card that can still be dealt: `open-ended` is completed by two ranks or more,
--   other straight draws by one. A draw `that didn't complete` does not count. Damaged hands are left out.
with texts as (
  select t.match_id, t.hand_index, t.seq, t.seat, t.text, s.hole, a.street, h.board[1:[0, 3, 4, 5][a.street + 1]] as board
  from stored.notes as t
  join stored.actions as a
    on a.match_id = t.match_id and a.hand_index = t.hand_index and a.seq = t.seq and a.seat = t.seat
  join stored.seats as s on s.match_id = t.match_id and s.hand_index = t.hand_index and s.seat = t.seat
  join stored.hands as h on h.match_id = t.match_id and h.hand_index = t.hand_index
  join stored.games as g on g.game = h.game
  anti join damaged_hands as d on d.match_id = t.match_id and d.hand_index = t.hand_index
  where t.text is not null and len(s.hole) = 2 and a.street between 0 and 3
    and g.boards = 1 and g.board_cards = [0, 3, 4, 5] and g.ranks = 13 and g.suits = 4
),
found as (
  select
    * exclude (text),
    unnest(
      list_concat(
        list_transform(list_distinct(regexp_extract_all(text, made_claim())), lambda quote: {'form': 'made', 'quote': quote}),
        list_transform(list_distinct(regexp_extract_all(text, cards_claim())), lambda quote: {'form': 'cards', 'quote': quote}),
        list_transform(list_distinct(regexp_extract_all(text, start_claim())), lambda quote: {'form': 'start', 'quote': quote})
      ),
      recursive := true
    )
  from texts
),
parsed as (
  select
    * exclude (quote, form),
    trim(quote, ' *(,:') as said,
    form,
    case form
      when 'made' then regexp_extract(quote, made_claim(), ['hedge', 'phrase', 'of_rank', 'tail'])
      when 'cards' then regexp_extract(quote, cards_claim(), ['hedge', 'phrase', 'of_rank', 'tail'])
      else regexp_extract(quote, start_claim(), ['hedge', 'phrase', 'of_rank', 'tail'])
    end as parts
  from found
),
named as (
  select
    * exclude (parts),
    lower(parts.phrase) as phrase,
    if(form = 'made', claim_rank(parts.of_rank), null) as of_rank,
    case
      when form = 'cards' then 'cards'
      when form = 'start' then if(parts.phrase ilike 'pocket%' or parts.phrase[1] = parts.phrase[2], 'pocket pair', 'starting hand')
      when phrase in ('royal flush', 'straight flush') then 'straight flush'
      when phrase in ('quads', 'four of a kind') then 'four of a kind'
      when phrase in ('full house', 'boat') then 'full house'
      when phrase like '%flush draw' then 'flush draw'
      when phrase like '%flush' then 'flush'
      when regexp_matches(phrase, '^(open|oesd|gut|.*straight draw)') then 'straight draw'
      when phrase like '%straight' then 'straight'
      when phrase = 'set' then 'set'
      when phrase in ('three of a kind', 'trips', 'trip') then 'three of a kind'
      when phrase in ('two pair', 'two pairs', 'top two') then 'two pair'
      when phrase = 'top pair' then 'top pair'
      when phrase in ('second pair', 'middle pair', 'bottom pair', 'third pair') then 'lower pair'
      when phrase = 'overpair' then 'overpair'
      when phrase like '%high' then 'high card'
      else 'pair'
    end as kind,
    list_transform(
      regexp_extract_all(parts.phrase, claim_card()),
      lambda card: translate(replace(card, '10', 'T'), '♣♦♥♠', 'cdhs')
    ) as told_cards,
    parts.phrase as told
  from parsed
  where parts.hedge = '' and parts.tail = ''
),
counted as (
  select
    *,
    ranks_of(hole) as own,
    ranks_of(board) as shared,
    list_concat(hole, board) as cards,
    ranks_held(cards) as held,
    list_transform(range(1, 14), lambda r: len(list_filter(list_concat(own, shared), lambda x: x = r))) as copies,
    list_transform(
      ['c', 'd', 'h', 's'], lambda suit: len(list_filter(cards, lambda card: card[2] = suit))
    ) as of_suit,
    list_transform(['c', 'd', 'h', 's'], lambda suit: list_contains(suits_of(hole), suit)) as own_suit,
    list_has_any(own, shared) or own[1] = own[2] as is_paired
  from named
),
judged as (
  select
    *,
    case kind
      when 'cards' then list_sort(told_cards) = list_sort(hole)
      when 'starting hand' then
        list_sort(list_transform([told[1], told[2]], lambda rank: strpos(ranks(), rank))) = list_sort(own)
        and (hole[1][2] = hole[2][2]) = (regexp_matches(lower(told), '^..\s?s'))
      when 'pocket pair' then own[1] = own[2] and own[1] = claim_rank(regexp_replace(told, '^(?i:pocket )', ''))
      when 'straight flush' then
        len(
          list_filter(
            ['c', 'd', 'h', 's'],
            lambda suit: has_straight(ranks_held(list_filter(cards, lambda card: card[2] = suit)))
          )
        ) > 0
      when 'four of a kind' then list_max(copies) = 4 and coalesce(copies[of_rank] = 4, true)
      when 'full house' then list_max(copies) >= 3 and len(list_filter(copies, lambda n: n >= 2)) >= 2
      when 'flush' then suited(cards) >= 5
      when 'straight' then has_straight(held)
      when 'set' then own[1] = own[2] and list_contains(shared, own[1]) and coalesce(of_rank = own[1], true)
      when 'three of a kind' then list_max(copies) >= 3 and coalesce(copies[of_rank] >= 3, true)
      when 'two pair' then len(list_filter(copies, lambda n: n >= 2)) >= 2
      when 'top pair' then list_contains(own, list_max(shared)) and coalesce(of_rank = list_max(shared), true)
      when 'lower pair' then
        len(list_filter(own, lambda r: list_contains(shared, r) and r < list_max(shared) and coalesce(r = of_rank, true))) > 0
      when 'overpair' then own[1] = own[2] and own[1] > list_max(shared)
      when 'pair' then list_max(copies) >= 2 and coalesce(copies[of_rank] >= 2, true)
      when 'high card' then
        list_max(own) = claim_rank(regexp_extract(phrase, '^\w+'))
        and not is_paired and not has_straight(held) and suited(cards) < 5
      when 'flush draw' then
        len(
          list_filter(
            range(1, 5),
            lambda k: of_suit[k] = if(phrase like 'backdoor%', 3, 4) and own_suit[k]
          )
        ) > 0
        and len(board) between 3 and if(phrase like 'backdoor%', 3, 4)
      when 'straight draw' then
        not has_straight(held) and straight_outs(held) >= if(phrase like 'o%', 2, 1) and len(board) in (3, 4)
    end as is_so
  from counted
  where kind <> 'cards' or len(told_cards) = len(hole)
)
select
  j.match_id, j.hand_index, j.seq, p.event, p.game, p.player, p.namesake_seat, j.seat, j.street, j.kind, j.said, j.hole,
  j.board,
  not coalesce(j.is_so, false) as is_wrong
from judged as j
join players as p on p.match_id = j.match_id and p.seat = j.seat
