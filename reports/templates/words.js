// How scripts write names, chips and cards. All text of a log is set as text, never as HTML.
"use strict";
globalThis.Words = (() => {
  const SUITS = { c: ["♣", "clubs"], d: ["♦", "diamonds"], h: ["♥", "hearts"], s: ["♠", "spades"] };
  const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten" };
  // As `markup.verdict`: a verdict in words, and the kind of its badge.
  const VERDICTS = { ok: ["as the rules say", "good"], engine_deviation: ["engine deviation", "warn"],
    violation: ["violation", "bad"], damaged: ["damaged log", "bad"], unverified: ["not verified", "warn"] };
  const printable = (text) => String(text).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, (sign) => {
    const code = sign.codePointAt(0).toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : code.length <= 4 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
  });
  const known = (value) => value !== null && value !== undefined;
  // As `terminal.chips` and `terminal.signed`: whole to the cent is whole, and nothing has no sign.
  const cents = (value) => Math.round(Math.abs(value) * 100);
  const digits = (value) => ({ minimumFractionDigits: cents(value) % 100 ? 2 : 0, maximumFractionDigits: 2 });
  const chips = (value) => !known(value) ? "?" : (value < 0 && cents(value) ? "−" : "") + (cents(value) / 100).toLocaleString("en-GB", digits(value));
  const signed = (value) => (known(value) && value > 0 && cents(value) ? "+" : "") + chips(value);
  function make(tag, className, ...inner) {
    const node = document.createElement(tag);
    if (className) node.className = className;
    node.append(...inner.filter(known));
    return node;
  }
  function fill(node, ...inner) { node.replaceChildren(...inner.filter(known)); }
  // A line may end within a long name, as in pages' names (`_UNBROKEN` of markup.py).
  const UNBROKEN = 14;
  function name(text) {
    const pieces = printable(text).match(new RegExp(`.{1,${UNBROKEN}}`, "gsu")) ?? [];
    return make("bdi", "", ...pieces.flatMap((piece, k) => (k ? [make("wbr", ""), piece] : [piece])));
  }
  function cardText(card) { return `${card[0]}${(SUITS[card[1]] || [card[1]])[0]}`; }
  function cardNode(card, as, small) {
    const [sign, suit] = SUITS[card[1]] || [card[1] || "", ""];
    const node = make("span", `${small ? "card" : "playing-card"} suit-${card[1]}`, card[0], sign);
    node.setAttribute("role", "img");
    node.setAttribute("aria-label", suit ? `${RANKS[card[0]] || card[0]} of ${suit}` : "a card that the log does not show");
    if (!as || as === card) return node;
    const counts = make("span", "counts", `= ${as[0]}${(SUITS[as[1]] || [""])[0]}`);
    counts.title = "what the card counts as in this match";
    return make("span", "as", node, counts);
  }
  return { VERDICTS, printable, known, chips, signed, make, fill, name, cardText, cardNode };
})();
