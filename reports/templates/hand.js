// Hands of the report: loaded from hands/MATCH/N.js, unfolded, put in order and added up step by step. The files are
// scripts that call `railbird(match, number, data)`: a page opened from the file system may load scripts, but fetch nothing.
"use strict";
globalThis.Hands = (() => {
  const FIELDS = {
    seats: ["seat", "position", "hole", "holeFinal", "stackStart", "contribution", "delta", "deltaWritten",
      "deltaEngine", "bankroll", "bountyRank", "bountyHit", "shown", "eliminated"],
    actions: ["line", "street", "seat", "action", "origin", "amountLogged", "amountTo", "added", "toCall",
      "potBefore", "stackBefore", "minTo", "maxTo", "board", "winProb"],
    deals: ["line", "street", "seat", "kind", "cards", "effective", "board", "replaced"],
    faults: ["line", "seat", "kind", "text"],
    findings: ["line", "seat", "rule", "kind", "verdict", "deviation", "expected", "logged", "chips", "message"],
    boards: ["board", "cards", "pot", "inflation", "ended", "contribution", "payout"],
    equities: ["street", "board", "seat", "own", "actual", "value", "gain"],
  };
  // The action that brings cards of a kind.
  const LOOKS = ["reveal", "reveal_board"];
  const GIVEN = { assign: "assign", discard: "discard", swap: "discard", pass: "pass" };
  // What a change does to the cards of a hand: all are replaced, or some are added.
  const REPLACES = new Set(["swap"]), ADDS = new Set(["auction", "bought"]);
  const ONE_REPLACED = new Set(["redraw", "board_redraw"]);
  const known = (value) => value !== null && value !== undefined;
  const files = new Map();

  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return JSON.parse(await new Response(stream).text());
  }
  window.railbird = (match, number, text) => files.get(`${match}/${number}`)?.arrived(unpack(text));
  function load(match, number) {
    const key = `${match}/${number}`;
    if (!files.has(key)) {
      const entry = {};
      entry.ready = new Promise((arrived, failed) => {
        entry.arrived = arrived;
        const script = document.createElement("script");
        script.src = `hands/${key}.js`;
        script.onerror = () => { files.delete(key); failed(new Error("missing")); };
        script.onload = () => script.remove();
        document.head.append(script);
      });
      files.set(key, entry);
    }
    return files.get(key).ready;
  }
  function unfold(raw) {
    const hand = { ...raw };
    for (const [part, fields] of Object.entries(FIELDS)) {
      hand[part] = (raw[part] || []).map((row) => Object.fromEntries(fields.map((field, place) => [field, row[place]])));
    }
    // Two boards that share each pot, of a hand that is run twice, have no pots of their own.
    hand.shared = hand.boards.filter((board) => !known(board.pot));
    hand.boards = hand.boards.filter((board) => known(board.pot));
    return hand;
  }

  // Of the pot before an action the chips that its player can win by a call: from each other player no more than the
  // caller has then put in.
  function winnable(actions, action) {
    const put = new Map();
    for (const one of actions) {
      if (one === action) break;
      if (one.board === action.board) put.set(one.seat, (put.get(one.seat) ?? 0) + (one.added || 0));
    }
    const most = (put.get(action.seat) ?? 0) + action.toCall;
    return [...put].reduce((pot, [seat, chips]) => pot - (seat === action.seat ? 0 : Math.max(0, chips - most)), action.potBefore);
  }

  // In an auction a bid moves no chips. The winner pays what it put in beyond its actions, in the step in which it gets or
  // sees the card; where the log has no card there, in the next step.
  function settle(events, hand) {
    const last = events.findLastIndex((event) => event.action === "bid");
    if (last < 0) return;
    const after = events.slice(last + 1).filter((event) => event.type !== "fault");
    const next = after.findIndex((event) => event.type === "action");
    const between = next < 0 ? after : after.slice(0, next);
    for (const row of hand.seats) {
      const price = hand.actions.reduce((rest, one) => rest - (one.seat === row.seat ? one.added || 0 : 0), row.contribution);
      if (price <= 0) continue;
      const step = between.find((event) => (ADDS.has(event.kind) || event.kind === "reveal") && event.seat === row.seat) ?? after[0];
      (step.paid ??= []).push({ seat: row.seat, price });
    }
  }
  // In Koper, the last post of an eliminated player is what that player leaves in the pot.
  function eliminate(events, hand) {
    for (const row of hand.seats.filter((one) => one.eliminated)) {
      const post = events.findLast((event) => event.type === "action" && event.seat === row.seat);
      if (post) post.out = true;
    }
  }

  // A hand as a list of events in the log's order; each knows the pots and stacks after it.
  function eventsOf(hand, match, saying) {
    const last = Math.max(0, ...hand.deals.map((deal) => deal.street), ...hand.actions.map((action) => action.street));
    // An action with cards is two rows of the store: one event here.
    const given = (deal, action) => GIVEN[deal.kind] === action.action && deal.line === action.line &&
      (deal.seat === action.seat || deal.kind === "pass") && (deal.board ?? 0) === (action.board ?? 0);
    const alone = (deal) => deal.kind !== "discard" && !hand.actions.some((action) => given(deal, action));
    const events = [
      ...hand.deals.filter(alone).map((deal) => ({ type: "deal", ...deal })),
      ...hand.actions.map((action) => ({ type: "action", ...action })),
      ...hand.faults.map((fault) => ({ type: "fault", street: last, ...fault, line: fault.line ?? hand.line })),
    ];
    for (const event of events) {
      if (event.type !== "action") continue;
      const deal = hand.deals.find((one) => given(one, event));
      if (deal) Object.assign(event, { kind: deal.kind, cards: deal.cards, effective: deal.effective, to: deal.seat });
    }
    // Cards of a log that is written backwards have no lines; its actions come in the order of play.
    const backwards = hand.actions.some((action, k) => k > 0 && action.line < hand.actions[k - 1].line);
    events.sort((a, b) => (backwards ? 0 : (a.line || 0) - (b.line || 0)) || a.street - b.street);
    const manyBoards = hand.boards.length > 0;
    const nextPot = new Map(), nextStack = new Map();
    for (const event of events.slice().reverse()) {
      if (event.type !== "action") continue;
      const board = event.board ?? 0;
      const bid = event.action === "bid";
      event.potAfter = (bid ? null : nextPot.get(board)) ?? event.potBefore + (event.added || 0);
      nextPot.set(board, event.potBefore);
      if (!known(event.stackBefore) || manyBoards) continue;
      event.stackAfter = (bid ? null : nextStack.get(event.seat)) ?? event.stackBefore - (event.added || 0);
      nextStack.set(event.seat, event.stackBefore);
    }
    const open = hand.actions.reduce((found, action) => found.set(action.board ?? 0, found.get(action.board ?? 0) ?? action.potBefore), new Map());
    events.unshift({ type: "start", street: 0, line: hand.line, pots: open });
    events.push({ type: "end", street: last, line: null });
    settle(events, hand);
    eliminate(events, hand);
    for (const event of events) if (event.type === "action" || LOOKS.includes(event.kind)) event.said = saying(event);
    for (const event of events) event.joins = match.discards && event.kind === "discard";
    return events;
  }

  // The log names the new cards only. Which card one of them replaces follows from the cards at the end.
  function swap(seat, cards, events) {
    const last = seat.row.holeFinal || [];
    if (cards.length === seat.cards.length) { seat.cards = cards; return; }
    const [fresh] = cards;
    let at = last.indexOf(fresh.card);
    if (at < 0) {
      const later = events.findLast((event) => REPLACES.has(event.kind) && event.seat === seat.row.seat);
      at = later.cards.length === 1 ? last.indexOf(later.cards[0]) : -1;
    }
    seat.cards = at < 0 ? [fresh, { card: "?" }] : seat.cards.map((held, k) => (k === at ? fresh : held));
  }
  // The first card that is the old one, or not known, makes way for the one of a redraw.
  function replaceOne(cards, old, fresh) {
    const at = cards.findIndex((held) => held.card === (old ?? "?"));
    if (at >= 0) cards[at] = fresh;
  }
  // Equities by board (0: no board of its own) and seat, as of the last street whose cards lie there. They are counted
  // with all hands of the street: after a fold, or once a hand is eliminated, there are none until the next cards, nor
  // before the last card of the street is won, exchanged or given up.
  function equitiesAt(hand, state, events, step) {
    const dealt = new Map(), folded = new Map();
    for (const event of events.slice(0, step + 1)) {
      const board = event.board ?? 0;
      if (event.type === "deal" || event.action === "assign") dealt.set(board, Math.max(dealt.get(board) ?? 0, event.street));
      else if (event.action === "fold" || (event.out && event.street)) folded.set(board, event.street);
    }
    const changes = (event) => [REPLACES, ADDS, ONE_REPLACED].some((kinds) => kinds.has(event.kind)) || event.action === "discard";
    const changing = new Set(events.slice(step + 1).filter(changes).map((event) => event.street));
    const found = new Map();
    for (const given of hand.equities) {
      const one = changing.has(given.street) ? { ...given, actual: null, own: null } : given;
      const board = one.board ?? 0;
      if (dealt.has(board) && one.street <= dealt.get(board) && one.street > (folded.get(board) ?? -1)) found.set(`${board}/${one.seat}`, one);
    }
    state.equities = found;
  }
  function stateAt(hand, events, step) {
    const seats = hand.seats.map((row) => ({ row, cards: [], on: new Map(), stack: row.stackStart, put: 0, pip: 0, folded: false, out: false, said: "", street: 0 }));
    const bySeat = new Map(seats.map((seat) => [seat.row.seat, seat]));
    const state = { seats, bySeat, pots: new Map(events[0].pots), boards: new Map(), street: 0 };
    const board = (number) => state.boards.get(number) ?? state.boards.set(number, []).get(number);
    const place = (seat, number) => seat.on.get(number) ?? seat.on.set(number, { cards: [], pip: 0, folded: false, said: "" }).get(number);
    const both = (cards, effective) => (cards || []).map((card, k) => ({ card, as: effective?.[k] }));
    const send = (seat, event) => {
      place(seat, event.board).cards = both(event.cards, event.effective);
      seat.cards = seat.cards.filter((held) => !event.cards.includes(held.card));
    };
    for (const row of hand.boards) board(row.board);
    for (const event of events.slice(0, step + 1)) {
      const seat = known(event.seat) ? bySeat.get(event.seat) : null;
      if (event.street > state.street && event.type !== "fault") {
        state.street = event.street;
        for (const one of seats) { one.pip = 0; one.said = ""; for (const each of one.on.values()) { each.pip = 0; each.said = ""; } }
      }
      for (const { seat: winner, price } of event.paid ?? []) {
        state.pots.set(0, state.pots.get(0) + price);
        bySeat.get(winner).stack -= price;
      }
      if (event.type === "deal") {
        const cards = both(event.cards, event.effective);
        if (event.kind === "board") board(event.board ?? 0).push({ street: event.street, cards });
        else if (event.kind === "assign") send(seat, event);
        else if (ADDS.has(event.kind)) seat.cards.push(...cards);
        else if (REPLACES.has(event.kind)) swap(seat, cards, events);
        else if (event.kind === "redraw") replaceOne(seat.cards, event.replaced, cards[0]);
        else if (event.kind === "board_redraw") for (const dealt of board(0)) replaceOne(dealt.cards, event.replaced, cards[0]);
        else if (LOOKS.includes(event.kind)) seat.said = event.said;
        else seat.cards = cards;
      } else if (event.type === "action") {
        const number = event.board ?? 0;
        state.pots.set(number, event.potAfter);
        seat.put += event.added || 0;
        if (known(event.stackAfter)) seat.stack = event.stackAfter;
        else if (known(event.board) && known(seat.row.stackStart)) seat.stack = seat.row.stackStart - seat.put;
        const where = known(event.board) ? place(seat, number) : seat;
        where.pip = event.amountTo ?? where.pip;
        if (event.origin !== "dummy") where.said = event.said;
        if (event.action === "fold" || event.out) where.folded = true;
        seat.out ||= Boolean(event.out);
        if (event.action === "assign" && event.cards) send(seat, event);
        if (REPLACES.has(event.kind)) swap(seat, both(event.cards), events);
        if (event.kind === "discard" || event.kind === "pass") {
          seat.cards = seat.cards.filter((held) => !event.cards.includes(held.card));
          if (event.kind === "pass") bySeat.get(event.to).cards.push(...both(event.cards));
          if (event.joins) board(0).push({ street: event.street, cards: both(event.cards) });
        }
      }
    }
    equitiesAt(hand, state, events, step);
    return state;
  }

  return { load, unfold, eventsOf, stateAt, winnable, REPLACES };
})();
