// Interactive curves in place of a picture: zoom, the values of all players at a hand, a choice of players, and the way
// from a point to that hand in the replayer. Without this script the picture stays. Names become text, never HTML.
"use strict";
globalThis.Curves = (() => {
  const COLOURS = 6;
  const DASHES = [[], [8, 3], [2, 2], [9, 3, 2, 3], [9, 2, 2, 2, 2, 2]];
  const KINDS = [
    ["bankroll", "bankroll", true],
    ["adjusted", "without the luck of the cards", true],
    ["band", "95% band of it", true],
    ["written", "by the written rules", true],
    ["showdown", "won at showdowns", false],
    ["no showdown", "won without showdown", false],
  ];
  const STROKES = {
    bankroll: { width: 2 }, adjusted: { width: 1.4, dash: [1.5, 2.5] }, written: { width: 1.3, dash: [5, 4] },
    showdown: { width: 1.3, dash: [10, 3] }, "no showdown": { width: 1.3, dash: [3, 5] },
  };
  // With more players at first the foremost are shown, and luck and bands only of one.
  const SHOWN_ALL = 12, SHOWN_FIRST = 6, LUCK_OF_ALL = 6;
  const NARROW = 600, CROWD = 3, NEAR = 24;
  const node = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const SVG = "http://www.w3.org/2000/svg";
  const minus = (text) => text.replace("-", "−");
  const plain = (value) => minus(value.toLocaleString("en-US", { maximumFractionDigits: 2 }));
  const signed = (value) => (value > 0 ? "+" : "") + plain(value);
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  // The files: steps from the last known value, null where there is none.
  const summed = (steps, digits = 0) => {
    let at = 0;
    return steps.map((step) => step === null ? null : (at += step) / 10 ** digits);
  };
  function unfolded(raw) {
    const players = raw.players.map((one) => ({
      name: one.name,
      colour: one.colour,
      curves: Object.fromEntries(Object.entries(one.curves).map(([kind, [digits, steps]]) => [kind, summed(steps, digits)])),
      match: one.match && summed(one.match),
      hand: one.hand && summed(one.hand),
    }));
    return { ...raw, x: summed(raw.x), players };
  }
  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return JSON.parse(await new Response(stream).text());
  }

  // A chart in `box`, before `picture`, which it hides. Options: lead (place of the player whose band is shown, by default
  // the data's), alone (only that player is shown at first), replayer (the address of its page).
  function show(box, first, options = {}) {
    let data = first;
    const lead = options.lead ?? data.lead ?? 0;
    const own = data.match !== undefined;
    let people = [], series = [], chosen = new Set(), kinds = new Set(), chart = null, values = [], pinned = false;

    const range = node("p", { class: "curve-tools" });
    const plot = node("div", { class: "curve-plot", tabindex: "0", role: "application" });
    const said = node("p", { class: "curve-said", "aria-live": "polite" });
    const list = node("ul", { class: "curve-players" });
    const choices = node("p", { class: "curve-choices" });
    const help = node("p", { class: "note" },
      "Drag to zoom, click to hold a hand. Keys in the chart: ← → step, Shift ten steps, + − zoom, 0 the whole, Enter opens the hand.");
    const all = node("div", { class: "chart" }, choices, range, plot, said, list, help);

    const button = (text, title, act) => {
      const made = node("button", { type: "button", title, "aria-label": title }, text);
      made.addEventListener("click", act);
      return made;
    };
    const extent = () => [data.x[0] ?? 0, data.x[data.x.length - 1] ?? 1];
    function window_(low, high) {
      const [first, last] = extent();
      const wide = Math.min(Math.max(high - low, Math.min(4, last - first)), last - first);
      const from = Math.min(Math.max(low, first), last - wide);
      chart.setScale("x", { min: from, max: from + wide });
    }
    const zoom = (times) => {
      const { min, max } = chart.scales.x;
      const wide = (max - min) / times;
      const at = chart.cursor.idx === null || chart.cursor.idx === undefined ? (min + max) / 2 : data.x[chart.cursor.idx];
      const share = Math.min(Math.max((at - min) / (max - min), 0), 1);
      window_(at - share * wide, at + (1 - share) * wide);
    };
    const move = (share) => {
      const { min, max } = chart.scales.x;
      window_(min + share * (max - min), max + share * (max - min));
    };
    const whole = () => window_(...extent());
    range.append(button("+", "Zoom in", () => zoom(2)), button("−", "Zoom out", () => zoom(0.5)),
      button("◀", "Earlier hands", () => move(-0.5)), button("▶", "Later hands", () => move(0.5)),
      button("Whole", "The whole curve", whole));

    // What is read at a place: the player's value, or its last one where it had no hand any more.
    function read(one, kind, place) {
      const curve = one.curves[kind];
      for (let at = place; curve && at >= 0; at--) if (curve[at] !== null) return [curve[at], at];
      return [null, null];
    }
    function address(one, place) {
      if (own) return data.x[place] >= 1 ? `${data.match}/${data.x[place] - 1}` : null;
      if (!one || !one.hand || one.hand[place] === null || one.hand[place] === undefined) return null;
      return `${data.matches[one.match[place]]}/${one.hand[place]}`;
    }
    const replayer = (target) => `${options.replayer ?? "replay.html"}#${target}`;
    const place = () => chart.cursor.idx ?? null;

    function tell() {
      const at = place() ?? data.x.length - 1;
      const live = place() !== null;
      const hand = data.x[at] ?? 0;
      const name = own ? (hand >= 1 ? `After hand #${hand - 1}` : "Before the first hand")
        : `After ${hand.toLocaleString("en-US")} hand${hand === 1 ? "" : "s"} of each`;
      said.replaceChildren(live ? name : `At the end, ${name[0].toLowerCase()}${name.slice(1)}`);
      const target = own && address(null, at);
      if (target) said.append(" · ", node("a", { href: replayer(target) }, "open this hand"));
      if (pinned) said.append(" · held, click the chart to let go");
      for (const one of people) {
        const [value, last] = read(one.data, "bankroll", at);
        const parts = [node("strong", {}, value === null ? "–" : signed(value))];
        if (kinds.has("adjusted") && one.data.curves.adjusted) {
          const [other] = read(one.data, "adjusted", at);
          if (other !== null) parts.push(node("span", { class: "sub", title: "without the luck of the cards" }, ` ${signed(Math.abs(other) < 100 ? other : Math.round(other))}`));
        }
        for (const kind of ["written", "showdown", "no showdown"]) {
          const [other] = kinds.has(kind) ? read(one.data, kind, at) : [null];
          if (other !== null) parts.push(node("span", { class: "sub" }, ` ${kind} ${signed(other)}`));
        }
        if (!own && value !== null) {
          const to = address(one.data, last);
          if (last < at) parts.push(node("span", { class: "sub", title: "all of its hands" }, ` n ${data.x[last].toLocaleString("en-US")}`));
          if (to) parts.push(" ", node("a", { href: replayer(to), "aria-label": `Open the hand of ${one.data.name}` }, "hand"));
        }
        one.value.replaceChildren(...parts);
      }
    }

    const isShown = (one, kind) => chosen.has(one.place) && kinds.has(kind === "low" || kind === "high" ? "band" : kind)
      && (kind === "bankroll" || kind === "showdown" || kind === "no showdown" || kind === "written"
        || (kind === "adjusted" ? chosen.size <= LUCK_OF_ALL || one.place === banded() : kinds.has("adjusted") && one.place === banded()));
    const banded = () => chosen.has(lead) ? lead : Math.min(...chosen);
    function apply() {
      chart.batch(() => series.forEach((each, k) => {
        const wanted = isShown(each.one, each.kind);
        if (chart.series[k + 1].show !== wanted) chart.setSeries(k + 1, { show: wanted });
      }));
      for (const one of people) {
        one.box.checked = chosen.has(one.place);
        one.item.classList.toggle("off", !chosen.has(one.place));
      }
      box.dataset.shown = [...chosen].join(" ");
      tell();
    }

    // The other players' curves are faint.
    let strong = null;
    function emphasise(one) {
      if (one === strong) return;
      strong = one;
      series.forEach((each, k) => { chart.series[k + 1].alpha = !one || each.one === one ? 1 : 0.2; });
      chart.redraw(false);
    }

    function key(one) {
      const made = document.createElementNS(SVG, "svg");
      made.setAttribute("viewBox", "0 0 28 10");
      made.setAttribute("aria-hidden", "true");
      const line = document.createElementNS(SVG, "line");
      for (const [name, value] of Object.entries({ x1: 0, x2: 28, y1: 5, y2: 5, class: `stroke-${one.colour % COLOURS}`,
        "stroke-width": 3, "stroke-dasharray": dashes(one).join(" ") })) line.setAttribute(name, value);
      made.append(line);
      return made;
    }
    const dashes = (one) => DASHES[Math.floor(one.colour / COLOURS) % DASHES.length];

    function build() {
      people = data.players.map((each, at) => {
        const tick = node("input", { type: "checkbox" });
        const value = node("span", { class: "curve-value" });
        const item = node("li", {}, node("label", {}, tick, key(each), node("bdi", {}, each.name)), value);
        const one = { data: each, place: at, box: tick, value, item };
        tick.addEventListener("change", () => {
          if (tick.checked) chosen.add(at); else chosen.delete(at);
          apply();
        });
        item.addEventListener("mouseenter", () => emphasise(chosen.has(at) ? one : null));
        item.addEventListener("mouseleave", () => emphasise(null));
        return one;
      });
      const order = options.alone ? [people[lead], ...people.filter((one) => one.place !== lead)] : people;
      list.replaceChildren(...order.map((one) => one.item));
      list.classList.toggle("many", people.length > SHOWN_ALL);
      const there = KINDS.filter(([kind]) => people.some((one) => one.data.curves[kind === "band" ? "half" : kind]));
      const ticks = there.length < 2 ? [] : there.map(([kind, label]) => {
        const tick = node("input", { type: "checkbox" });
        tick.checked = kinds.has(kind);
        tick.addEventListener("change", () => {
          if (tick.checked) kinds.add(kind); else kinds.delete(kind);
          apply();
        });
        return node("label", {}, tick, label);
      });
      const those = people.length < 3 ? [] : [
        button("All players", "Show all players", () => { chosen = new Set(people.map((one) => one.place)); apply(); }),
        button("None", "Show no player", () => { chosen = new Set(); apply(); }),
      ];
      choices.replaceChildren(...ticks, ...those);
      choices.hidden = ticks.length + those.length === 0;
    }

    function columns() {
      series = [];
      strong = null;
      values = [data.x];
      for (const one of people) {
        for (const kind of Object.keys(STROKES)) {
          if (!one.data.curves[kind]) continue;
          series.push({ one, kind });
          values.push(one.data.curves[kind]);
        }
        if (one.data.curves.half && one.data.curves.adjusted) {
          for (const [kind, sign] of [["low", -1], ["high", 1]]) {
            series.push({ one, kind });
            values.push(one.data.curves.half.map((half, k) => {
              const middle = one.data.curves.adjusted[k];
              return half === null || middle === null ? null : middle + sign * half;
            }));
          }
        }
      }
    }

    const size = () => ({ width: Math.max(plot.clientWidth, 200), height: plot.clientWidth < NARROW ? 300 : 420 });
    function draw() {
      if (chart) chart.destroy();
      columns();
      const tint = (each) => colour(`--seat-${each.one.data.colour % COLOURS}`);
      const lines = series.map((each) => {
        const band = each.kind === "low" || each.kind === "high";
        const stroke = band ? { width: 0 } : STROKES[each.kind];
        return {
          label: each.one.data.name, show: isShown(each.one, each.kind), spanGaps: !!options.gaps || ["adjusted", "low", "high"].includes(each.kind), points: { show: band ? false : undefined },
          stroke: () => tint(each), width: stroke.width, dash: each.kind === "bankroll" ? dashes(each.one.data) : stroke.dash,
        };
      });
      const bands = [];
      series.forEach((each, k) => {
        if (each.kind === "high") bands.push({ series: [k + 1, k], fill: () => `${tint(each)}2b` });
      });
      const axis = { stroke: () => colour("--faint"), grid: { stroke: () => colour("--line"), width: 1 }, ticks: { show: false },
        font: "13px system-ui, sans-serif" };
      const widest = (_, texts) => 18 + 8 * Math.max(3, ...(texts || []).map((text) => text.length));
      chart = new uPlot({
        ...size(), legend: { show: false }, bands,
        // Half of the last label of the x axis lies right of the curves.
        padding: [12, 12 + 4 * plain(extent()[1]).length, 0, 0],
        scales: { x: { time: false, range: (_, low, high) => low === high ? [low - 1, high + 1] : [low, high] } },
        series: [{ label: "hand" }, ...lines],
        axes: [
          { ...axis, size: 34, values: (_, at) => at.map((each) => each === 0 ? "hand 0" : Number.isInteger(each) ? plain(each) : ""), incrs: [0, 1, 2, 3, 4, 5, 6].flatMap((power) => [1, 2, 5].map((times) => times * 10 ** power)), space: 70 },
          { ...axis, values: (_, at) => at.map(plain), size: widest, space: 40 },
        ],
        cursor: { lock: true, drag: { x: true, y: false }, y: false,
          points: { size: (_, k) => k > 0 && (series[k - 1].kind === "low" || series[k - 1].kind === "high") ? 0 : 7 },
          bind: { dblclick: () => () => { whole(); return null; } } },
        hooks: {
          setCursor: [() => {
            if (!chart) return;
            pinned = chart.cursor._lock === true;
            if (chosen.size > CROWD) emphasise(nearest(NEAR));
            tell();
          }],
          drawAxes: [(u) => {
            const ink = u.ctx;
            ink.save();
            ink.strokeStyle = colour("--faint");
            ink.fillStyle = colour("--faint");
            ink.lineWidth = devicePixelRatio;
            const zero = u.valToPos(0, "y", true);
            if (zero > u.bbox.top && zero < u.bbox.top + u.bbox.height) {
              ink.beginPath();
              ink.moveTo(u.bbox.left, zero);
              ink.lineTo(u.bbox.left + u.bbox.width, zero);
              ink.stroke();
            }
            const { min, max } = u.scales.x;
            if (data.lock && data.lock >= min && data.lock <= max) {
              const at = u.valToPos(data.lock, "x", true);
              const right = at > u.bbox.left + 0.8 * u.bbox.width;
              ink.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
              ink.beginPath();
              ink.moveTo(at, u.bbox.top);
              ink.lineTo(at, u.bbox.top + u.bbox.height);
              ink.stroke();
              ink.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
              ink.textAlign = right ? "right" : "left";
              ink.fillText("lead safe", at + (right ? -5 : 5) * devicePixelRatio, u.bbox.top + 12 * devicePixelRatio);
            }
            ink.restore();
          }],
          setScale: [(u, name) => {
            if (name !== "x" || u.scales.x.min === null) return;
            box.dataset.from = Math.round(u.scales.x.min);
            box.dataset.to = Math.round(u.scales.x.max);
          }],
        },
      }, values, plot);
      apply();
    }

    function step(by) {
      const [first, last] = [0, data.x.length - 1];
      const from = place() ?? (by > 0 ? -1 : last + 1);
      const to = Math.min(Math.max(from + by, first), last);
      const { min, max } = chart.scales.x;
      if (data.x[to] < min) window_(data.x[to], data.x[to] + max - min);
      if (data.x[to] > max) window_(data.x[to] - max + min, data.x[to]);
      chart.setCursor({ left: chart.valToPos(data.x[to], "x"), top: chart.cursor.top >= 0 ? chart.cursor.top : 0 });
    }
    // The player whose curve is nearest to the cursor, in `most` pixels.
    function nearest(most = Infinity) {
      const at = place();
      if (at === null) return null;
      const far = (one) => {
        const [value] = read(one.data, "bankroll", at);
        return value === null ? Infinity : Math.abs(chart.valToPos(value, "y") - chart.cursor.top);
      };
      const found = people.filter((one) => chosen.has(one.place)).sort((a, b) => far(a) - far(b))[0];
      return found && far(found) <= most ? found : null;
    }
    plot.addEventListener("keydown", (event) => {
      const many = event.shiftKey ? 10 : 1;
      const act = { ArrowRight: () => step(many), ArrowLeft: () => step(-many), "+": () => zoom(2), "=": () => zoom(2), "-": () => zoom(0.5),
        0: whole, Escape: whole, Home: () => step(-data.x.length), End: () => step(data.x.length),
        Enter: () => {
          const one = own ? null : nearest();
          const [, last] = one ? read(one.data, "bankroll", place()) : [null, null];
          const target = place() === null ? null : address(one?.data, own ? place() : last);
          if (target) location.assign(replayer(target));
        } }[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act();
    });

    plot.setAttribute("aria-label", "Curves hand by hand; arrow keys step through the hands, plus and minus zoom");
    kinds = new Set(KINDS.filter(([, , on]) => on).map(([kind]) => kind));
    const places = data.players.map((_, at) => at);
    chosen = new Set(options.alone ? [lead] : places.length > SHOWN_ALL ? places.slice(0, SHOWN_FIRST) : places);
    box.prepend(all);
    box.classList.add("charted");
    build();
    draw();
    new ResizeObserver(() => { if (chart && plot.clientWidth) chart.setSize(size()); }).observe(plot);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => chart.redraw());

    return {
      // Other data of the same kind: the choice stays where the players are the same.
      update(fresh) {
        const names = (told) => JSON.stringify(told.players.map((one) => one.name));
        const kept = new Set([...chosen].map((at) => data.players[at]?.name));
        const wasAll = chosen.size === data.players.length;
        const same = names(fresh) === names(data);
        const [first, last] = extent();
        const { min, max } = chart.scales.x;
        data = fresh;
        if (!same) chosen = new Set(data.players.map((_, at) => at).filter((at) => wasAll || kept.has(data.players[at].name)));
        build();
        const zoomed = min > first || max < last;
        draw();
        if (zoomed) chart.setScale("x", { min, max });
      },
    };
  }

  // Figures of the page: the data are loaded when the figure can be seen.
  const waiting = new Map();
  window.railbirdCurve = (name, text) => waiting.get(name)?.forEach((arrived) => arrived(unpack(text)));
  function load(path) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return new Promise((arrived, failed) => {
      if (waiting.has(name)) { waiting.get(name).push(arrived); return; }
      waiting.set(name, [arrived]);
      const script = document.createElement("script");
      script.src = `${path}.js`;
      script.onerror = () => failed(new Error("missing"));
      script.onload = () => script.remove();
      document.head.append(script);
    });
  }
  for (const box of document.querySelectorAll("figure[data-curves]")) {
    const seen = new ResizeObserver(async () => {
      if (!box.clientWidth || box.dataset.asked) return;
      box.dataset.asked = "yes";
      seen.disconnect();
      try {
        const data = unfolded(await load(box.dataset.curves));
        const place = box.dataset.place;
        show(box, data, place === undefined ? {} : { lead: Number(place), alone: true });
      } catch { box.classList.remove("charted"); }
    });
    seen.observe(box);
  }
  return { show };
})();
