// The live page: asks for news every second and draws them. Nothing from a log becomes HTML.
"use strict";
(() => {
  const SHOWN_ROWS = 200;
  const byId = (id) => document.getElementById(id);
  let version = null;
  let chosen = null;

  function node(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }
  const { VERDICTS, known, printable, signed } = globalThis.Words;
  const count = (value) => value.toLocaleString("en-GB");
  const plain = (text) => known(text) ? printable(text) : "–";
  // As `markup.rate`: one digit below 100.
  const rate = (value) => {
    if (value === null) return "–";
    const digits = Math.abs(value) < 99.95 ? 1 : 0;
    const said = Math.abs(value).toLocaleString("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits });
    return (value < 0 ? "−" : "+") + said;
  };
  const named = (row) => plain(row.player) + (known(row.seat) ? ` (seat ${row.seat})` : "");
  const isolated = (text) => node("bdi", {}, text);
  const cell = (text, kind) => node("td", kind ? { class: kind } : {}, text);

  function scoreboard(players) {
    let rank = 0;
    byId("players").replaceChildren(...players.map((row, place) => {
      if (place === 0 || row.chips !== players[place - 1].chips) rank = place + 1;
      const span = row.bb_per_100_low === null ? "–" : `${rate(row.bb_per_100_low)} to ${rate(row.bb_per_100_high)}`;
      return node("tr", {}, cell(String(rank), "num"), node("th", { scope: "row" }, isolated(named(row))),
        cell(signed(row.chips), row.chips > 0 ? "num good" : "num"), cell(count(row.hands), "num"),
        cell(rate(row.bb_per_100), "num"), cell(span, "num"));
    }));
  }

  // The curves of all players at the same hands; null after a player's last one.
  function aligned(curves, matches) {
    const x = [...new Set([0, ...curves.flatMap((curve) => curve.hands)])].sort((a, b) => a - b);
    const places = new Map(x.map((hand, place) => [hand, place]));
    const players = curves.map((curve, colour) => {
      const empty = () => new Array(x.length).fill(null);
      const [chips, match, hand] = [empty(), empty(), empty()];
      chips[0] = 0;
      curve.hands.forEach((each, k) => {
        const place = places.get(each);
        [chips[place], match[place], hand[place]] = [curve.chips[k], curve.matches[k], curve.indices[k]];
      });
      return { name: named(curve), colour, curves: { bankroll: chips }, match, hand };
    });
    return { x, players, matches, lead: 0 };
  }
  let shown = null;
  function chart(curves, matches, players) {
    const data = aligned(curves, matches);
    if (shown) shown.update(data);
    else shown = Curves.show(byId("chart"), data, { replayer: "/report/replay.html", gaps: true });
    byId("drawn").textContent = curves.length < players.length
      ? `The ${curves.length} players with most chips, of ${players.length}.` : "";
  }

  function checks(faults, verdicts) {
    const hands = verdicts.reduce((sum, row) => sum + row.hands, 0);
    const told = verdicts.map((row) => `${count(row.hands)} ${VERDICTS[row.verdict]?.[0] ?? row.verdict}`);
    byId("verdicts").textContent = `${count(hands)} hand${hands === 1 ? "" : "s"}: ${told.join(", ")}.`;
    byId("no-faults").hidden = faults.length > 0;
    byId("faulty").hidden = faults.length === 0;
    byId("faults").replaceChildren(...faults.map((row) => {
      const hand = row.hand === null ? "–" : node("a", { href: `/report/replay.html#${row.hand.replace("#", "/")}` }, `#${row.hand.split("#")[1]}`);
      return node("tr", {}, cell(hand), node("th", { scope: "row" }, isolated(plain(row.player))), cell(plain(row.kind)),
        cell(isolated(plain(row.said || "–"))), cell(isolated(`${plain(row.file)}:${row.line ?? ""}`)));
    }));
  }

  function competitions(listed, event, game) {
    byId("choice").hidden = listed.length < 2;
    const box = byId("competition");
    if (document.activeElement === box) return;
    const options = listed.map((one) => {
      const made = node("option", { value: JSON.stringify([one.event, one.game]) }, `${plain(one.game)}, ${plain(one.event)}`);
      made.selected = chosen !== null && one.event === event && one.game === game;
      return made;
    });
    const newest = node("option", { value: "" }, "the one with the newest hands");
    newest.selected = chosen === null;
    box.replaceChildren(newest, ...options);
  }

  function draw(told) {
    version = told.version;
    competitions(told.competitions, told.event, told.game);
    byId("passes").hidden = !told.passes.length;
    byId("said").replaceChildren(...[...told.passes].reverse().map((text) => node("li", {}, text)));
    const there = told.players !== undefined;
    for (const id of ["scores", "curves", "checks"]) byId(id).hidden = !there;
    if (there) {
      byId("title").replaceChildren(isolated(told.event === told.game ? plain(told.game) : `${plain(told.game)}, ${plain(told.event)}`));
      byId("leaders").textContent = told.leaders;
      scoreboard(told.players);
      chart(told.curves, told.matches, told.players);
      checks(told.faults, told.verdicts);
    }
    byId("state").textContent = told.watches ? "Follows the logs as they are written." : "Follows the store.";
    byId("state").classList.remove("gone");
    document.documentElement.dataset.version = version;
  }

  async function ask() {
    const asked = new URLSearchParams();
    if (version !== null) asked.set("since", version);
    if (chosen) { asked.set("event", chosen[0]); asked.set("game", chosen[1]); }
    const answer = await fetch(`/api/live?${asked}`);
    if (answer.status === 200) draw(await answer.json());
    else if (answer.status !== 204) throw new Error(String(answer.status));
    else if (byId("state").classList.contains("gone")) version = null;
  }
  async function follow() {
    try { await ask(); } catch {
      byId("state").textContent = "The server does not answer; what is shown may be old.";
      byId("state").classList.add("gone");
    }
    setTimeout(follow, 1000);
  }
  byId("competition").addEventListener("change", (event) => {
    chosen = event.target.value === "" ? null : JSON.parse(event.target.value);
    version = null;
    event.target.blur();
    ask().catch(() => {});
  });

  function text(value) {
    return value === null ? "" : typeof value === "object" ? JSON.stringify(value) : plain(value);
  }
  async function query() {
    const button = byId("run");
    button.disabled = true;
    byId("answered").textContent = "running";
    byId("columns").replaceChildren();
    byId("rows").replaceChildren();
    try {
      const answer = await fetch("/api/sql", {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ query: byId("query").value }),
      });
      const told = await answer.json();
      if (answer.status === 200) {
        const numeric = (place) => told.rows.some((row) => typeof row[place] === "number");
        byId("columns").replaceChildren(node("tr", {}, ...told.columns.map((name, place) =>
          node("th", numeric(place) ? { scope: "col", class: "num" } : { scope: "col" }, plain(name)))));
        byId("rows").replaceChildren(...told.rows.slice(0, SHOWN_ROWS).map((row) =>
          node("tr", {}, ...row.map((value) => cell(text(value), typeof value === "number" ? "num" : "")))));
      }
      byId("answered").textContent = told.error ? plain(told.error)
        : `${count(told.rows.length)} row${told.rows.length === 1 ? "" : "s"}${told.truncated ? ", there are more" : ""}`;
    } catch { byId("answered").textContent = "The server does not answer."; }
    button.disabled = false;
  }
  byId("run").addEventListener("click", query);
  byId("query").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) query();
  });
  follow();
})();
