// The hand replayer: draws what hand.js adds up. All text of a log is set as text, never as HTML.
"use strict";
(() => {
  const { VERDICTS, printable, known, chips, signed, make, fill, name, cardText, cardNode } = globalThis.Words;
  const STREETS = ["preflop", "flop", "turn", "river", "run"];
  const ORIGINS = { allin: "not a choice: everybody is all-in", substitute: "not a choice: the engine acts for a bot at fault",
    dummy: "not a choice: a filler of the log" };
  const CARDS = { auction: "wins ", reveal: "sees ", reveal_board: "sees the board's next card, ", bought: "is dealt ", discard: "discards ", swap: "discards a card for ", pass: "passes " };
  const TOGETHER = Number(document.body.dataset.together);
  const FIRST = document.body.dataset.first;
  const isPublic = Boolean(document.body.dataset.public);
  const COLOURS = Number(document.body.dataset.colours);
  // Of a page of chosen hands: MATCH/HAND of each, in its order.
  const CHOSEN = (document.body.dataset.chosen ?? "").split(" ").filter(Boolean);
  let shown = null; // {match, index, hand, events, step}

  const byId = (id) => document.getElementById(id);
  const percent = (share) => `${(100 * share).toFixed(1)}%`;

  // A name, and the seat where the match holds the name twice.
  function called(seat) {
    const { players, namesakes } = shown.file.match;
    return printable(players[seat]) + (known(namesakes[seat]) ? ` (seat ${seat})` : "");
  }
  function seatName(seat) {
    const { players, namesakes } = shown.file.match;
    return make("span", `seat-${seat % COLOURS}`, name(players[seat]), ...(known(namesakes[seat]) ? [" ", make("span", "sub", `seat ${seat}`)] : []));
  }

  // Words.
  function streetName(street) {
    return shown.file.match.streets[street] ?? "run";
  }
  // A position that is a number, from 0, is the turn. As `markup.position_name`.
  function positionName(position) {
    if (!/^\d+$/.test(position)) return position;
    const turn = Number(position) + 1;
    return `acts ${turn}${[11, 12, 13].includes(turn % 100) ? "th" : ["th", "st", "nd", "rd"][turn % 10] ?? "th"}`;
  }
  // Antes are the same for all: they are nothing to raise.
  function hasBlinds() { return new Set(shown.file.match.blinds ?? []).size > 1; }
  function saying(event) {
    const to = chips(event.amountTo);
    if (event.out) return `is eliminated${event.added ? ` and leaves ${chips(event.added)} in the pot` : ""}`;
    switch (event.action) {
      case "bet": return `bets ${to}`;
      case "bid": return `bids ${chips(event.amountLogged)}`;
      case "raise": return `raises to ${to}`;
      case "accept": return event.added ? `pays ${chips(event.added)}` : "accepts";
      case "play": return `puts in ${to}`;
      case "call": case "post": return `${event.action}s ${chips(event.added)}`;
      case "assign": return event.cards ? "" : "sends two cards";
      default: return CARDS[event.kind] ? `${CARDS[event.kind]}${event.cards.map(cardText).join(" ")}` : `${event.action}${event.action?.endsWith("ss") ? "es" : "s"}`;
    }
  }
  function title(event) {
    const on = known(event.board) ? ` on board ${event.board}` : "";
    if (event.type === "start") return [`The hand begins`];
    if (event.type === "end") return ["Result"];
    if (event.type === "fault") return [...who(event), event.text ? `${event.kind}: ${printable(event.text)}` : event.kind];
    if (event.type === "action" && !event.cards) return [...who(event), saying(event) + on];
    if (event.kind === "board") return [known(event.board) ? `Board ${event.board}: ` : "", `${streetName(event.street)} `, cardsOf(event.cards, event.effective, true)];
    if (event.kind === "redraw" || event.kind === "board_redraw") {
      const drawn = event.kind === "redraw" ? "draws " : "the board has ";
      return [...who(event), drawn, cardsOf(event.cards, null, true), "for ", cardsOf([event.replaced ?? "?"], null, true)];
    }
    const word = event.type === "deal" && Hands.REPLACES.has(event.kind) ? "now holds " : event.kind === "assign" ? `sends to board ${event.board} ` : CARDS[event.kind];
    return [...who(event), word || "is dealt ", cardsOf(event.cards, event.effective, true)];
  }
  function who(event) { return known(event.seat) ? [seatName(event.seat), " "] : []; }

  // Cards.
  function cardsOf(cards, effective, small) {
    const node = make("span", "cards");
    (cards || []).forEach((card, k) => node.append(cardNode(card, effective?.[k], small), small ? " " : ""));
    return node;
  }
  function held(cards) {
    const node = make("span", "cards");
    for (const one of cards) node.append(cardNode(one.card, one.as, false));
    return node;
  }

  // Drawing.
  function equityNode(one, folded) {
    if (!one || folded || !known(one.actual)) return null;
    const share = make("span", "share", make("span", `part part-${Math.round(20 * one.actual)}`));
    const node = make("div", "equity sub", `equity ${percent(one.actual)}`, share);
    const told = [`${percent(one.actual)} of the pot with the hands really held`];
    if (known(one.own)) told.push(`${percent(one.own)} against two unseen cards`);
    if (known(one.value)) told.push(`worth ${signed(one.value)} chips ${asCame(one.street)}, if from then on everybody only checked, by this game’s rules`);
    if (known(one.gain)) told.push(`this street’s cards brought ${signed(one.gain)} chips`);
    node.title = told.join("; ");
    return node;
  }
  function asCame(street) {
    return !street ? "as dealt" : street < STREETS.length - 1 ? `as the ${streetName(street)} came` : "as the last card came";
  }
  function worthNode(one, folded) {
    return one && !folded && known(one.value) ? make("div", "sub", `worth ${signed(one.value)} ${asCame(one.street)}`) : null;
  }
  function seatNode(seat, hand, event, ended, state) {
    const row = seat.row;
    const node = make("div", "seat" + (event.seat === row.seat ? " acting" : "") + (seat.folded ? " folded" : ""));
    node.dataset.seat = row.seat;
    const head = make("div", "seat-head", seatName(row.seat), " ");
    if (hand.dealer === row.seat) head.append(make("abbr", "dealer", "D"), " ");
    const dealer = head.querySelector(".dealer");
    if (dealer) dealer.title = "dealer button";
    if (known(row.position) && !row.eliminated) head.append(make("span", "sub", positionName(row.position)));
    node.append(head);
    const facts = [];
    if (known(seat.stack)) facts.push(`stack ${chips(seat.stack)}`);
    // Elsewhere a stack is the bankroll.
    if (known(row.bankroll) && shown.file.match.bankrolls) facts.push(`bankroll ${signed(row.bankroll)}`);
    node.append(make("div", "sub", facts.join(" · ")));
    if (known(row.bountyRank)) {
      node.append(make("div", "ranked" + (ended && row.bountyHit ? " hit" : ""), `bounty rank ${row.bountyRank}`, ended ? (row.bountyHit ? " – hit" : " – not hit") : ""));
    }
    if (seat.on.size || hand.boards.length) {
      if (seat.cards.length) node.append(held(seat.cards));
      const grid = make("div", "boards");
      for (const board of hand.boards) {
        const at = seat.on.get(board.board) || { cards: [], said: "", folded: false };
        const alone = state.seats.some((one) => one !== seat && one.on.get(board.board)?.folded);
        const equity = at.cards.length && !alone ? equityNode(state.equities.get(`${board.board}/${row.seat}`), at.folded) : null;
        const cell = make("div", "on-board" + (at.folded ? " folded" : ""), held(at.cards), make("div", "said", at.said || " "));
        if (equity && !ended) cell.append(equity);
        grid.append(cell);
      }
      node.append(grid);
    } else {
      node.append(held(seat.cards));
      node.append(make("div", "said", seat.said || (seat.out ? "eliminated" : seat.folded ? "folded" : " "), seat.pip && !/\d/.test(seat.said) ? ` (${chips(seat.pip)} in)` : ""));
    }
    if (!ended && !hand.boards.length && seat.cards.length) {
      const equity = state.equities.get(`0/${row.seat}`);
      node.append(...[equityNode(equity, seat.folded), worthNode(equity, seat.folded)].filter(known));
    }
    if (ended) node.append(make("div", `won ${row.delta > 0 ? "good" : ""}`, known(row.delta) ? `${signed(row.delta)} chips` : "not in the log"));
    return node;
  }
  function boardNode(number, cards, pot, label) {
    const node = make("div", "board");
    if (label) node.append(make("div", "sub", label));
    const row = make("div", "streets");
    for (const street of cards) row.append(make("div", "street", make("span", "sub", streetName(street.street)), held(street.cards)));
    if (!cards.length && shown.file.match.has_board) row.append(make("span", "sub none", "no cards yet"));
    node.append(row, make("div", "pot", `pot ${chips(pot)}`));
    node.dataset.board = number;
    return node;
  }
  function drawTable(hand, state, event) {
    const ended = event.type === "end";
    const nodes = state.seats.map((seat) => seatNode(seat, hand, event, ended, state));
    byId("table").className = hand.boards.length ? "several" : nodes.length > 3 ? "many" : "";
    const half = Math.ceil(nodes.length / 2);
    const middle = make("div", "middle");
    if (hand.boards.length) {
      const grid = make("div", "boards");
      for (const board of hand.boards) {
        grid.append(boardNode(board.board, state.boards.get(board.board), ended ? board.pot : state.pots.get(board.board), `board ${board.board}`));
      }
      middle.append(grid);
    } else {
      const cards = [];
      for (const one of state.boards.get(0) || []) {
        const before = cards.at(-1);
        if (before && streetName(before.street) === streetName(one.street)) before.cards.push(...one.cards);
        else cards.push({ street: one.street, cards: [...one.cards] });
      }
      middle.append(boardNode(0, cards, ended ? hand.pot : state.pots.get(0), ""));
      // The first board stands above; the log's order has the cards of the second one behind all of its cards.
      for (const second of ended ? hand.shared.slice(1) : []) {
        const row = make("div", "streets", make("div", "street", held(second.cards.map((card) => ({ card })))));
        middle.append(make("div", "second-board", make("div", "sub", "second board, for half of each pot"), row));
      }
    }
    // Players without chips, or gone, have no row in the hand.
    const away = shown.file.match.players.map((_, seat) => seat).filter((seat) => !state.bySeat.has(seat));
    const gone = away.length ? make("p", "sub", "Not in this hand: ", ...away.flatMap((seat, k) => [k ? ", " : "", seatName(seat)])) : null;
    fill(byId("table"), make("div", "side", ...nodes.slice(0, half)), middle, make("div", "side lower", ...nodes.slice(half).reverse()), gone);
  }
  function drawNow(hand, event, state) {
    const head = make("p", "now-head", ...title(event));
    const said = [];
    if (event.type === "action" && event.origin === "choice" && event.action !== "bid" && !event.cards) {
      if (event.toCall > 0) {
        const pot = Hands.winnable(shown.events.filter((one) => one.type === "action"), event);
        const part = pot < event.potBefore ? `, of which a call can win ${chips(pot)}` : "";
        said.push(`Faced ${chips(event.toCall)} to call into a pot of ${chips(event.potBefore)}${part}: a call needs ${percent(event.toCall / (pot + event.toCall))} equity.`);
      }
      if (known(event.minTo) && known(event.maxTo)) {
        const span = event.minTo === event.maxTo ? chips(event.minTo) : `${chips(event.minTo)} to ${chips(event.maxTo)}`;
        said.push(`${event.action === "play" ? "Could put in" : event.toCall > 0 || (!event.street && hasBlinds()) ? "Could raise to" : "Could bet"} ${span}.`);
      }
      if (known(event.winProb)) said.push(`The engine gave the player an equity of ${percent(event.winProb)}.`);
    }
    if (ORIGINS[event.origin]) said.push(ORIGINS[event.origin][0].toUpperCase() + ORIGINS[event.origin].slice(1) + ".");
    const byEquity = hand.ended === "showdown" && (hand.board || []).length < shown.file.match.showdown_cards;
    if (event.type === "end" && byEquity) said.push("Ended by equity: both were all-in, and no more cards are dealt.");
    else if (event.type === "end" && hand.ended) said.push(`Ended by ${hand.ended === "mixed" ? "folds on some boards and showdown on others" : hand.ended === "fold" ? "a fold" : "a showdown"}.`);
    fill(byId("now"), head, ...said.map((text) => make("p", "note", text)));
  }
  function drawSteps(hand, events, step) {
    const list = byId("steps");
    if (list.dataset.hand !== `${shown.match}/${shown.index}`) {
      list.dataset.hand = `${shown.match}/${shown.index}`;
      fill(list, ...events.map((event, k) => {
        const button = make("button", `step ${event.type}${event.origin && event.origin !== "choice" && event.origin !== "post" ? " faint" : ""}`, ...title(event));
        button.type = "button";
        button.addEventListener("click", () => go(k));
        return make("li", event.kind === "board" && !(event.board > 1) ? "new-street" : "", button);
      }));
    }
    list.querySelectorAll("button").forEach((button, k) => {
      if (k === step) button.setAttribute("aria-current", "step"); else button.removeAttribute("aria-current");
    });
    scrollInto(list, list.querySelector("[aria-current]"));
  }
  function scrollInto(box, node) {
    if (!node) return;
    const inner = node.getBoundingClientRect(), outer = box.getBoundingClientRect();
    if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top + 20;
    if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + 20;
  }
  function drawLog(hand, events, step) {
    const box = byId("log");
    if (box.dataset.hand !== `${shown.match}/${shown.index}`) {
      box.dataset.hand = `${shown.match}/${shown.index}`;
      const odd = new Set(hand.findings.map((finding) => finding.line));
      if (!hand.text) {
        fill(box, make("p", "note", isPublic ? "A public report leaves out the log, which has hidden cards." : `The log was not at hand, or had changed, when this report was made. The hand begins at line ${hand.line} of its file.`));
      } else {
        const list = make("ol", "lines");
        list.start = hand.from;
        hand.text.forEach((text, k) => {
          const line = make("li", odd.has(hand.from + k) ? "odd" : "", make("code", "", printable(text) || " "));
          line.value = hand.from + k;
          const step = events.findIndex((event) => event.line === hand.from + k && event.type !== "start");
          if (step > 0) { line.classList.add("jump"); line.addEventListener("click", () => go(step)); }
          list.append(line);
        });
        fill(box, list);
      }
    }
    const line = events[step].line;
    for (const item of box.querySelectorAll("li")) item.classList.toggle("current", item.value === line);
    scrollInto(box, box.querySelector(".current"));
  }
  function drawPaid(hand) {
    const effects = shown.file.match.effects;
    const [word, kind] = VERDICTS[hand.verdict] || [hand.verdict, ""];
    const rows = hand.seats.map((row) => {
      const off = known(row.delta) && known(row.deltaWritten) ? row.delta - row.deltaWritten : null;
      return make("tr", "", make("th", "", seatName(row.seat)),
        make("td", "num", chips(row.contribution)), make("td", "num", signed(row.delta)),
        ...(isPublic ? [] : [make("td", "num", signed(row.deltaWritten)), make("td", `num ${off ? "warn" : "none"}`, off === null ? "?" : off ? signed(off) : "same")]));
    });
    rows.forEach((row) => { row.firstChild.scope = "row"; });
    const head = make("tr", "", ...(isPublic ? ["Player", "Put in", "The engine paid"] : ["Player", "Put in", "The engine paid", "The rules say", "Difference"]).map((text, k) => {
      const cell = make("th", k ? "num" : "", text);
      cell.scope = "col";
      return cell;
    }));
    const table = make("div", "scroll", make("table", "", make("thead", "", head), make("tbody", "", ...rows)));
    table.tabIndex = 0;
    const parts = [make("p", "", "Verdict of the replay: ", make("span", `badge ${kind}`, word)), table];
    for (const board of hand.boards) {
      const paid = hand.seats.map((row) => `${called(row.seat)} ${chips(board.payout?.[row.seat])}`).join(", ");
      parts.push(make("p", "note", `Board ${board.board}: pot ${chips(board.pot)}${board.inflation ? `, of which ${chips(board.inflation)} that nobody put in` : ""}; paid out: ${paid}.`));
    }
    for (const each of hand.deviations || []) parts.push(make("p", "", make("strong", "", each), effects[each] ? `: ${effects[each]}` : ""));
    if (hand.findings.length) {
      parts.push(make("ul", "findings", ...hand.findings.map((finding) => {
        const item = make("li", "", known(finding.line) ? `Line ${finding.line}: ` : "", known(finding.seat) ? seatName(finding.seat) : null, known(finding.seat) ? ", " : "", printable(finding.message),
          finding.chips ? ` (${signed(finding.chips)} chips against the rules)` : "");
        return item;
      })));
    }
    fill(byId("paid"), ...parts);
    globalThis.Tables.follow(table.firstChild);
  }
  const chosenAt = () => CHOSEN.indexOf(`${shown.match}/${shown.index}`);
  function placeOf(match) {
    if (CHOSEN.length) return `${chosenAt() + 1} of ${CHOSEN.length} chosen hands`;
    return `of #0 to #${match.hands - 1}`;
  }
  function oddOf(match) {
    return CHOSEN.length ? match.odd.filter((index) => CHOSEN.includes(`${shown.match}/${index}`)) : match.odd;
  }
  // The match and index of the hand before or after, null at an end.
  function neighbour(by) {
    if (CHOSEN.length) return CHOSEN[chosenAt() + by]?.split("/") ?? null;
    const index = shown.index + by;
    return index >= 0 && index < shown.file.match.hands ? [shown.match, index] : null;
  }
  function drawHead(hand) {
    const match = shown.file.match;
    document.title = `Hand #${hand.index}, ${match.players.map((_, seat) => called(seat)).join(" v ")} · ${document.body.dataset.title ?? "railbird"}`;
    const names = [];
    match.players.forEach((_, seat) => names.push(seat ? " v " : "", seatName(seat)));
    fill(byId("title"), ...names);
    fill(byId("lead"), `${match.game} · hand #${hand.index} (${placeOf(match)}) · `, name(match.file), isPublic ? "" : ` line ${hand.line}`, `, number ${hand.no} in the log`);
    byId("match-link").hidden = CHOSEN.length > 0;
    byId("match-link").querySelector("a").href = `match-${shown.match}.html`;
    if (!isPublic) fill(byId("command"), `railbird replay '${shown.match}#${shown.index}'`);
    byId("hand").value = String(hand.index);
    byId("no-hand").textContent = "";
    byId("hand").max = String(match.hands - 1);
    byId("hand").closest("label").hidden = CHOSEN.length > 0;
    byId("previous").disabled = !neighbour(-1);
    byId("next").disabled = !neighbour(1);
    const odd = oddOf(match);
    for (const link of document.querySelectorAll("#chosen a")) {
      if (link.hash === `#${shown.match}/${shown.index}`) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
    }
    byId("flagged").disabled = !odd.length;
    byId("flagged").textContent = odd.length ? `Next finding (${odd.length})` : "No findings";
    byId("slider").max = String(shown.events.length - 1);
  }
  function draw() {
    const { hand, events, step } = shown;
    const state = Hands.stateAt(hand, events, step);
    drawTable(hand, state, events[step]);
    drawNow(hand, events[step], state);
    drawSteps(hand, events, step);
    drawLog(hand, events, step);
    byId("slider").value = String(step);
    byId("count").textContent = `step ${step} of ${events.length - 1}`;
    for (const [id, least] of [["first", 0], ["back", 0]]) byId(id).disabled = step <= least;
    for (const id of ["forward", "last"]) byId(id).disabled = step >= events.length - 1;
    const hash = `#${shown.match}/${shown.index}/${step}`;
    if (location.hash !== hash) history.replaceState(null, "", hash);
  }
  function complain(text) {
    byId("replayer").hidden = true;
    byId("complaint").hidden = false;
    byId("complaint").textContent = text;
  }

  // Moving.
  async function open(match, index, step) {
    stop();
    let file;
    try { file = await Hands.load(match, Math.floor(index / TOGETHER)); } catch { file = null; }
    const raw = file?.hands.find((hand) => hand.index === index);
    if (!raw) return complain(`This report has no hand ${match}#${index}.`);
    const hand = Hands.unfold(raw);
    shown = { match, index, hand, file };
    shown.events = Hands.eventsOf(hand, file.match, saying);
    shown.step = Math.min(step ?? 0, shown.events.length - 1);
    byId("complaint").hidden = true;
    byId("replayer").hidden = false;
    drawHead(hand);
    drawPaid(hand);
    draw();
    document.body.dataset.ready = `${match}/${index}`;
  }
  function go(step) {
    if (!shown) return;
    shown.step = Math.max(0, Math.min(step, shown.events.length - 1));
    draw();
  }
  function seek(from, by, fits) {
    for (let k = from + by; k > 0 && k < shown.events.length; k += by) if (fits(shown.events[k], k)) return go(k);
    return go(by > 0 ? shown.events.length - 1 : 0);
  }
  const isDecision = (event) => event.type === "action" && event.origin === "choice";
  const isStreet = (event, k) => event.type === "deal" && event.kind === "board" && shown.events[k - 1].street < event.street;
  function handBy(by) {
    const found = neighbour(by);
    if (found) open(found[0], Number(found[1]), 0);
  }
  function flaggedBy(by) {
    const odd = oddOf(shown.file.match);
    const found = by > 0 ? odd.find((index) => index > shown.index) ?? odd[0] : odd.findLast((index) => index < shown.index) ?? odd.at(-1);
    if (known(found)) open(shown.match, found, 0);
  }
  let playing = null;
  function stop() {
    clearInterval(playing);
    playing = null;
    byId("play").textContent = "Play";
  }
  function play() {
    if (playing) return stop();
    if (shown.step >= shown.events.length - 1) go(0);
    byId("play").textContent = "Pause";
    playing = setInterval(() => { if (shown.step >= shown.events.length - 1) stop(); else go(shown.step + 1); }, 700);
  }
  const MOVES = {
    first: () => go(0),
    last: () => go(shown.events.length - 1),
    back: () => go(shown.step - 1),
    forward: () => go(shown.step + 1),
    "street-back": () => seek(shown.step, -1, isStreet),
    "street-forward": () => seek(shown.step, 1, isStreet),
    "decision-back": () => seek(shown.step, -1, isDecision),
    "decision-forward": () => seek(shown.step, 1, isDecision),
    previous: () => handBy(-1),
    next: () => handBy(1),
    flagged: () => flaggedBy(1),
    "flagged-back": () => flaggedBy(-1),
    play,
  };
  const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", "[": "street-back", "]": "street-forward",
    D: "decision-back", d: "decision-forward", p: "previous", n: "next", f: "flagged", F: "flagged-back", " ": "play" };
  document.addEventListener("keydown", (event) => {
    if (!shown || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input:not([type=range]), select, textarea")) return;
    if (event.key === " " && event.target.closest("button, summary, a")) return;
    const move = KEYS[event.key];
    if (!move) return;
    event.preventDefault();
    MOVES[move]();
  });
  for (const button of document.querySelectorAll("button[id]")) {
    if (MOVES[button.id]) button.addEventListener("click", () => { if (shown) MOVES[button.id](); });
  }
  byId("slider").addEventListener("input", (event) => go(Number(event.target.value)));
  byId("hand").addEventListener("change", (event) => {
    const number = event.target.valueAsNumber;
    if (!shown) return;
    if (Number.isInteger(number) && number >= 0 && number < shown.file.match.hands) { open(shown.match, number, 0); return; }
    byId("no-hand").textContent = `The match has no hand ${event.target.value ? `#${event.target.value}` : "without a number"}.`;
    event.target.value = String(shown.hand.index);
  });
  function follow() {
    const found = /^#(\d{1,20})\/(\d{1,9})(?:\/(\d{1,6}))?$/.exec(location.hash || `#${FIRST}`);
    if (!found) return complain("A hand is named #MATCH/HAND after the page's address.");
    const step = found[3] === undefined ? undefined : Number(found[3]);
    if (shown && shown.match === found[1] && shown.index === Number(found[2])) return go(step ?? 0);
    return open(found[1], Number(found[2]), step);
  }
  window.addEventListener("hashchange", follow);
  follow();
})();
