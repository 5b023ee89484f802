// The head-to-head matrix: a grid of the bots that pass the filter, drawn from data/pairs.js.
(() => {
  "use strict";
  const { bots, pairs, now } = window.botpitPairs;
  const [RANK, NAME, SLUG, AUTHOR, LANGUAGE] = [0, 1, 2, 3, 4];
  const mirrored = (listed) => {
    const cells = new Map();
    for (const [row, column, share, low, high, met] of listed) {
      cells.set(row * bots.length + column, [share, low, high, met]);
      cells.set(column * bots.length + row, [1000 - share, 1000 - high, 1000 - low, met]);
    }
    return cells;
  };
  const every = mirrored(pairs);
  const playing = now && mirrored(now);
  const form = document.getElementById("matrix-tools");
  const table = document.getElementById("matrix");
  const says = document.getElementById("matrix-says");
  const [back, on] = form.querySelectorAll("[data-step]");
  const hint = says.textContent;
  const percent = (mille) => Math.round(mille / 10);
  const asNow = () => form.elements.versions?.value === "now";
  let first = 0;

  const element = (tag, text, attributes = {}) => {
    const made = document.createElement(tag);
    if (text) made.textContent = text;
    for (const [key, set] of Object.entries(attributes)) made.setAttribute(key, set);
    return made;
  };
  const named = (bot) => { const b = element("b"); const inner = element("bdi", bots[bot][NAME]); b.append(inner); return b; };

  const cell = (row, column) => {
    const td = element("td");
    const place = row * bots.length + column;
    const all = every.get(place);
    const found = asNow() ? playing.get(place) : all;
    if (row === column || !found) {
      td.className = row === column ? "self" : "";
      td.append(element("span", row === column ? "" : "–", { title: row === column ? "" : all ? "They have not met in the versions that play now" : "They have not met" }));
      return td;
    }
    const [share, low, high, met] = found;
    const open = low <= 500 && high >= 500;
    td.className = open ? "thin " + (share > 500 ? "up" : share < 500 ? "down" : "even") : "h" + Math.min(8, Math.floor((share * 9) / 1000));
    const link = element("a", String(percent(share)), {
      href: `played/${bots[row][SLUG]}.html#vs=${bots[column][SLUG]}${asNow() && found[3] !== all[3] ? "@now" : ""}`, tabindex: "-1",
    });
    link.append(element("small", ` ${percent(low)}–${percent(high)}`), element("span", ` percent, ${met} meetings`, { class: "sr" }));
    link.addEventListener("focus", () => tell(row, column, found));
    td.addEventListener("mouseenter", () => tell(row, column, found));
    td.append(link);
    return td;
  };

  const tell = (row, column, [share, low, high, met]) => {
    says.replaceChildren(named(row), ` takes ${percent(share)} % of the points from `, named(column), `, interval ${percent(low)}–${percent(high)} %, in ${met} meeting${met === 1 ? "" : "s"}.`);
  };

  const chosen = () => {
    const text = form.elements.text.value.trim().toLowerCase();
    const language = form.elements.language.value;
    return bots.map((_, n) => n).filter((n) =>
      (!text || (bots[n][NAME] + " " + bots[n][AUTHOR]).toLowerCase().includes(text)) && (!language || bots[n][LANGUAGE] === language));
  };

  const draw = () => {
    const all = chosen();
    const size = Number(form.elements.size.value);
    first = Math.max(0, Math.min(first, all.length - size));
    const shown = all.slice(first, first + size);
    const head = element("tr");
    const corner = element("th", "", { scope: "col" });
    corner.append(element("span", "Bot", { class: "sr" }));
    head.append(corner, ...shown.map((n) => { const th = element("th", "", { scope: "col" }); th.append(element("span", bots[n][NAME])); return th; }));
    const rows = shown.map((row) => {
      const tr = element("tr");
      const th = element("th", "", { scope: "row" });
      const link = element("a", bots[row][NAME], { class: "bot", href: `bots/${bots[row][SLUG]}.html` });
      th.append(element("span", `${bots[row][RANK] || "–"} `, { class: "soft" }), link);
      tr.append(th, ...shown.map((column) => cell(row, column)));
      return tr;
    });
    const thead = element("thead");
    const tbody = element("tbody");
    thead.append(head);
    tbody.append(...rows);
    table.replaceChildren(element("caption", "Share of points of the row's bot against the column's, in percent", { class: "sr" }), thead, tbody);
    const start = table.querySelector("td > a");
    if (start) start.tabIndex = 0;
    says.textContent = hint;
    table.classList.toggle("roomy", shown.length <= 12);
    back.parentElement.hidden = all.length <= size;
    back.disabled = first === 0;
    on.disabled = first + size >= all.length;
    form.querySelector("output").textContent = all.length > shown.length ? `${first + 1}–${first + shown.length} of ${all.length} bots` : all.length < bots.length ? `${all.length} of ${bots.length} bots` : "";
  };

  table.addEventListener("keydown", (event) => {
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const td = event.target.closest("td");
    if (!td || !moves[event.key]) return;
    event.preventDefault();
    const [down, right] = moves[event.key];
    let row = td.parentElement.sectionRowIndex, column = td.cellIndex;
    for (;;) {
      row += down; column += right;
      const next = table.tBodies[0].rows[row]?.cells[column];
      if (!next || next.tagName === "TH") return;
      const link = next.querySelector("a");
      if (link) { event.target.tabIndex = -1; link.tabIndex = 0; link.focus(); return; }
    }
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => { first = 0; draw(); });
  for (const button of [back, on]) button.addEventListener("click", () => { first += Number(button.dataset.step) * Number(form.elements.size.value); draw(); });
  form.elements.size.parentElement.hidden = bots.length <= 12;
  form.hidden = false;
  draw();
})();
