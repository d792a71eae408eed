// The list of a match's hands: chosen as `railbird hands` chooses them, by the facts in hands/MATCH/list.js.
"use strict";
(() => {
  const box = document.getElementById("hand-list");
  if (!box) return;
  const { known, chips, signed, make, fill, name, printable, cardNode } = globalThis.Words;
  const { address, match, most } = box.dataset;
  const [COMPARED, COMPARISON] = [/[<>]=?[^<>,]*/g, /^\s*(>=|<=|>|<)\s*(\d+(?:\.\d+)?|\.\d+)\s*(bb)?\s*$/i];
  const byId = (id) => document.getElementById(`list-${id}`);
  const FIELDS = ["index", "pot", "streets", "ended", "verdict", "board", "seats", "moves", "situations"];
  let about, hands;

  // Conditions on the pot, such as `>100, <=20bb`; null where something else is written.
  function comparisons(text) {
    const found = (text.match(COMPARED) ?? []).map((one) => COMPARISON.exec(one));
    const rest = text.replace(COMPARED, "").replace(/[\s,]/g, "");
    return rest || found.includes(null) ? null : found.map(([, sign, number, bb]) => ({ sign, number: Number(number), bb: Boolean(bb), text: `${sign}${number}${bb ? "bb" : ""}` }));
  }
  function compares(pot, { sign, number, bb }) {
    const value = bb ? pot / about.unit : pot;
    return sign === ">" ? value > number : sign === ">=" ? value >= number : sign === "<" ? value < number : value <= number;
  }
  const streetOf = (street) => about.streets[street] ?? "run";
  function asked() {
    const seat = (id) => byId(id)?.value ? Number(byId(id).value) : null;
    return {
      player: seat("player"), against: seat("against"), did: byId("did").value, street: byId("street").value,
      situation: byId("situation")?.value ?? "", pots: comparisons(byId("pot").value), showdown: byId("showdown").checked, sort: byId("sort").value,
    };
  }
  // The players of a hand of whom all is true that is asked of one.
  function seatsThat(hand, want) {
    return hand.seats.filter(([seat]) => (known(want.player) ? seat === want.player : true)
      && (!known(want.against) || (want.against !== seat && hand.seats.some(([other]) => other === want.against)))
      && (!want.did || hand.moves.some(([who, street, move]) => who === seat && move === want.did && (!want.street || streetOf(street) === want.street)))
      && (!want.situation || hand.situations.some(([who, street, word]) => (who ?? seat) === seat && word === want.situation
        && (!want.street || !known(street) || want.did || streetOf(street) === want.street))));
  }
  function reached(hand, street) {
    const place = about.streets.indexOf(street);
    return (place >= 0 && place < hand.streets) || (street === "run" && hand.streets > about.streets.length);
  }
  function chosen(want) {
    const found = [];
    for (const hand of hands) {
      if (want.street && !reached(hand, want.street)) continue;
      if (want.showdown && !["showdown", "mixed"].includes(hand.ended)) continue;
      if (!want.pots.every((one) => compares(hand.pot, one))) continue;
      const won = seatsThat(hand, want);
      if (!won.length) continue;
      const deltas = won.map(([, delta]) => delta).filter(known);
      found.push({ hand, best: deltas.length ? Math.max(...deltas) : null, worst: deltas.length ? Math.min(...deltas) : null });
    }
    const keys = { pot: (one) => [-one.hand.pot, known(one.best) ? -Math.max(one.best, -one.worst) : null], won: (one) => [known(one.best) ? -one.best : null], lost: (one) => [one.worst] }[want.sort];
    if (!keys) return found;
    const order = (a, b) => (a === b ? 0 : a === null ? 1 : b === null ? -1 : a - b);
    const keyed = found.map((one) => ({ one, key: keys(one) }));
    keyed.sort((a, b) => a.key.map((value, k) => order(value, b.key[k])).find(Boolean) || a.one.hand.index - b.one.hand.index);
    return keyed.map(({ one }) => one);
  }
  const quoted = (text) => /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\"'\"'")}'`;
  function command(want) {
    const given = [["--match", match], ["--player", known(want.player) ? about.names[want.player] : ""], ["--against", known(want.against) ? about.names[want.against] : ""],
      ["--did", want.did], ["--street", want.street], ["--situation", want.situation], ...want.pots.map((one) => ["--pot", one.text])];
    const said = given.filter(([, value]) => value).map(([option, value]) => `${option} ${quoted(printable(value))}`);
    return ["railbird hands", ...said, ...(want.showdown ? ["--showdown"] : []), ...(want.sort === "play" ? [] : [`--sort ${want.sort}`])].join(" ");
  }
  function row({ hand }, want) {
    const link = make("a", "", `#${hand.index}`);
    link.href = `replay.html#${address}/${hand.index}`;
    const won = known(want.player)
      ? hand.seats.filter(([seat]) => seat === want.player).map(([, delta]) => make("span", delta > 0 ? "good" : "", signed(delta)))
      : hand.seats.filter(([, delta]) => delta > 0).sort((a, b) => b[1] - a[1]).flatMap(([seat, delta], k) => [k ? ", " : "", name(about.players[seat]), ` ${signed(delta)}`]);
    const board = (hand.board ?? []).flatMap((card, k) => [k ? " " : "", cardNode(card, null, true)]);
    const verdict = hand.verdict === "ok" ? "" : hand.verdict.replace("_", " ");
    return make("tr", "", make("td", "num", link), make("td", "num", chips(hand.pot)), make("td", "", make("span", "together", ...board)), make("td", "", hand.ended === "mixed" ? "folds and showdown" : hand.ended ?? "–"), make("td", "", ...won), make("td", "", verdict));
  }
  function draw() {
    const want = asked();
    byId("pot").setAttribute("aria-invalid", String(!want.pots));
    if (!want.pots) { byId("count").textContent = "A pot is compared with a number, as in >100 or <=20bb."; return; }
    const found = chosen(want);
    const rows = found.slice(0, Number(most));
    fill(box.querySelector("tbody"), ...rows.map((one) => row(one, want)));
    const number = (count) => count.toLocaleString("en-GB");
    byId("count").textContent = `${number(found.length)} of ${number(hands.length)} hands${found.length > rows.length ? `; the first ${number(rows.length)} are shown` : ""}`;
    if (byId("command")) byId("command").textContent = command(want);
    box.dataset.drawn = String(Number(box.dataset.drawn ?? 0) + 1);
  }
  async function start() {
    let file;
    try { file = await globalThis.Hands.load(address, "list"); } catch { file = null; }
    if (!file) { byId("count").textContent = "The file of this list is missing."; return; }
    about = file.match;
    hands = file.hands.map((values) => Object.fromEntries(FIELDS.map((field, place) => [field, values[place]])));
    byId("form").addEventListener("input", draw);
    byId("form").addEventListener("submit", (event) => event.preventDefault());
    byId("form").hidden = false;
    box.querySelector(".scroll").hidden = false;
    draw();
  }
  start();
})();
