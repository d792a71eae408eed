// Tabs, sorting and filtering. Without this script a page shows the same, one part below the other.
"use strict";
(() => {
  // Tabs: the children .tab of each .tabs; the address's #id opens the tab that holds it.
  let made = 0;
  function tabs(box) {
    const panels = [...box.querySelectorAll(":scope > .tab")];
    if (panels.length < 2) return;
    const list = document.createElement("div");
    list.className = "tablist";
    list.setAttribute("role", "tablist");
    const buttons = panels.map((panel, place) => {
      const button = document.createElement("button");
      made += 1;
      panel.id ||= `tab-${made}`;
      button.type = "button";
      button.id = `for-${panel.id}`;
      button.textContent = panel.dataset.title;
      button.setAttribute("role", "tab");
      button.setAttribute("aria-controls", panel.id);
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", button.id);
      button.addEventListener("click", () => show(place, false));
      list.append(button);
      return button;
    });
    function show(place, focus) {
      panels.forEach((panel, k) => {
        panel.classList.toggle("closed", k !== place);
        buttons[k].setAttribute("aria-selected", String(k === place));
        buttons[k].tabIndex = k === place ? 0 : -1;
      });
      if (focus) buttons[place].focus();
    }
    list.addEventListener("keydown", (event) => {
      const place = buttons.indexOf(document.activeElement);
      const to = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: buttons.length - 1 }[event.key];
      if (to === undefined || place < 0) return;
      event.preventDefault();
      show((to + buttons.length) % buttons.length, true);
    });
    box.prepend(list);
    box.classList.add("tabbed");
    box.openTab = (node) => {
      const place = panels.findIndex((panel) => panel.contains(node));
      if (place >= 0) show(place, false);
    };
    show(0, false);
  }
  document.querySelectorAll(".tabs").forEach(tabs);
  function follow() {
    let id = "";
    try { id = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const node = id && document.getElementById(id);
    if (!node) return;
    // What is folded is opened: around the element, and the fold that an event's section is.
    const folds = [...node.querySelectorAll(":scope > details")];
    for (let fold = node.closest("details"); fold; fold = fold.parentElement.closest("details")) folds.push(fold);
    folds.forEach((fold) => { fold.open = true; });
    const box = node.closest(".tabs");
    if (box && box.openTab) box.openTab(node);
    if (folds.length || (box && box.openTab)) node.scrollIntoView();
  }

  // Sorting: a heading of table.sortable is a button; numbers by data-value or by what the cell says.
  function valueOf(row, column) {
    const cell = row.cells[column];
    if (!cell) return null;
    const text = cell.dataset.value ?? (cell.childNodes[0]?.textContent.trim() || cell.textContent.trim());
    if (text === "" || text === "–" || text === "n 0") return null;
    const number = Number(text.replace(/,/g, "").replace("−", "-").replace(/%$/, ""));
    return Number.isNaN(number) ? cell.textContent.trim().toLowerCase() : number;
  }
  function compare(a, b) {
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    if (typeof a === typeof b) return typeof a === "number" ? a - b : a.localeCompare(b);
    return typeof a === "number" ? -1 : 1;
  }
  function sort(table, heading, column) {
    const body = table.tBodies[0];
    const before = heading.getAttribute("aria-sort");
    const numeric = heading.classList.contains("num");
    const down = before ? before === "ascending" : numeric;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const rows = [...body.rows].map((row, place) => ({ row, place, value: valueOf(row, column) }));
    rows.sort((a, b) => {
      const order = compare(a.value, b.value);
      const known = a.value !== null && b.value !== null;
      return (down && known ? -order : order) || a.place - b.place;
    });
    body.append(...rows.map((one) => one.row));
  }
  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      heading.scope = "col";
      if (heading.classList.contains("plain") || table.tBodies[0].rows.length < 2) return;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => sort(table, heading, column));
    });
  }

  // Filtering: the rows of table.filterable that hold every word; #KEY+KEY of players shows their matches.
  for (const table of document.querySelectorAll("table.filterable")) {
    if (table.tBodies[0].rows.length < 8) continue;
    const input = document.createElement("input");
    const count = document.createElement("span");
    const label = document.createElement("label");
    input.type = "search";
    input.placeholder = "player, event, log …";
    count.className = "sub";
    count.setAttribute("aria-live", "polite");
    label.className = "filter";
    label.append("Show only ", input, " ", count);
    table.closest(".scroll").before(label);
    const rows = [...table.tBodies[0].rows].map((row) => ({ row, text: row.textContent.toLowerCase(), keys: row.dataset.keys || "" }));
    let keys = [];
    let others = [];
    const apply = () => {
      if (input.value || keys.length) unfold(table);
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const one of rows) {
        const fits = words.every((word) => one.text.includes(word)) && keys.every((key) => one.keys.includes(key));
        one.row.hidden = !fits;
        shown += fits;
      }
      const few = shown < rows.length;
      const where = few && table.dataset.list ? " of this page" : "";
      count.textContent = few ? `${shown.toLocaleString("en-GB")} of ${rows.length.toLocaleString("en-GB")}${where}` : "";
      others.forEach((one, k) => {
        const link = document.createElement("a");
        link.href = `${table.dataset.list}-${one}.html${location.hash}`;
        link.textContent = one;
        count.append(k ? " · " : "; more on page ", link);
      });
    };
    input.addEventListener("input", () => { keys = []; others = []; apply(); });
    const byAddress = () => {
      const [found, pages] = location.hash.slice(1).split("&");
      if (!rows.some((one) => one.keys)) return;
      keys = found.split("+").filter((key) => /^[0-9a-f]{16}$/.test(key));
      // Of a list that is divided among pages the address names those that have such rows.
      others = (keys.length && pages ? pages.split(",") : []).filter((one) => /^\d+$/.test(one) && !location.pathname.endsWith(`/${table.dataset.list}-${one}.html`));
      if (keys.length) input.value = "";
      apply();
    };
    window.addEventListener("hashchange", byAddress);
    byAddress();
  }

  // A table of blocks that would be endless shows the first of them, in the order of sorting, and a button.
  const ROWS_MOST = 15;
  function unfold(table) {
    table.dataset.unfolded = "";
    shorten(table);
  }
  function shorten(table) {
    const box = table.parentElement;
    const rows = table.tBodies[0].rows.length;
    const isShort = table.classList.contains("stacked") && rows > ROWS_MOST && !("unfolded" in table.dataset);
    let button = box.nextElementSibling?.classList.contains("more-rows") ? box.nextElementSibling : null;
    table.classList.toggle("shortened", isShort);
    if (!isShort) { button?.remove(); return; }
    if (!button) {
      button = document.createElement("button");
      button.type = "button";
      button.className = "more-rows";
      button.addEventListener("click", () => unfold(table));
      box.after(button);
    }
    button.textContent = `Show all ${rows.toLocaleString("en-GB")} rows`;
  }

  // On a phone a row of a table that is wider than its box is a block of cells, each below its heading.
  const narrow = matchMedia("(max-width: 40rem)");
  function label(table) {
    const labels = [...(table.tHead.rows[0]?.cells ?? [])].map((heading) => heading.textContent.trim());
    for (const row of table.tBodies[0].rows) [...row.cells].forEach((cell, column) => { cell.dataset.label = labels[column] ?? ""; });
  }
  function stack(box) {
    const table = box.firstElementChild;
    if (!narrow.matches) table.classList.remove("stacked");
    else if (table.scrollWidth > box.clientWidth && !table.classList.contains("stacked")) {
      label(table);
      table.classList.add("stacked");
    }
    shorten(table);
  }
  // Rows that a script writes come later, perhaps with other columns; a box in a closed tab has no width until it is opened.
  const boxes = new ResizeObserver((all) => all.forEach((one) => { if (one.contentRect.width) stack(one.target); }));
  function followTable(table) {
    if (!table.tHead) return;
    boxes.observe(table.parentElement);
    if (table.tBodies[0].rows.length) return;
    new MutationObserver(() => {
      table.classList.remove("stacked");
      stack(table.parentElement);
    }).observe(table.tBodies[0], { childList: true });
  }
  document.querySelectorAll(".scroll > table:not(.crosstable, .grid, .matrix)").forEach(followTable);
  globalThis.Tables = { follow: followTable };
  window.addEventListener("hashchange", follow);
  follow();

  // Paper shows what is folded.
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    folded.forEach((fold) => { fold.open = true; });
  });
  window.addEventListener("afterprint", () => folded.forEach((fold) => { fold.open = false; }));
  document.documentElement.dataset.ready = "yes";
})();
