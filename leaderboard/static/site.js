// Sorting and filtering of tables and lists, and the line that says which snapshot the site shows.
(() => {
  "use strict";
  const snapshot = window.botpitSnapshot;
  const line = document.querySelector("[data-snapshot]");
  if (snapshot && line && !line.textContent.trim()) {
    const code = document.createElement("code");
    code.textContent = snapshot.snapshot;
    line.append("Site as of " + snapshot.made + ", snapshot ", code, ".");
  }

  const value = (row, key) => {
    const text = row.dataset[key] ?? "";
    const number = Number(text);
    return text !== "" && !Number.isNaN(number) ? number : text;
  };
  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));

  for (const table of document.querySelectorAll("table[data-sort]")) {
    const heads = [...table.querySelectorAll("th[data-key]")];
    for (const head of heads) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        const next = now ? (now === "ascending" ? "descending" : "ascending") : head.dataset.first || "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", next);
        const sign = next === "ascending" ? 1 : -1;
        const body = table.tBodies[0];
        const rows = [...body.rows].map((row) => [value(row, head.dataset.key), row]);
        rows.sort((a, b) => sign * compare(a[0], b[0]));
        body.append(...rows.map((pair) => pair[1]));
      });
    }
  }

  for (const form of document.querySelectorAll("[data-filter-for]")) {
    const target = document.getElementById(form.dataset.filterFor);
    const rows = [...(target.tBodies ? target.tBodies[0].rows : target.children)];
    const output = form.querySelector("output");
    const passes = (row, field) => {
      const wanted = field.value.trim();
      if (!wanted) return true;
      if (field.name === "text") return ((row.dataset.name ?? "") + " " + (row.dataset.author ?? "")).toLowerCase().includes(wanted.toLowerCase());
      const has = row.dataset[field.name] ?? "";
      if (wanted === "*") return has !== "";
      return field.name === "author" || field.name === "language" ? has === wanted : has.split(" ").includes(wanted);
    };
    const fields = [...form.elements].filter((field) => field.name);
    const filter = () => {
      let left = 0;
      for (const row of rows) {
        row.hidden = !fields.every((field) => passes(row, field));
        left += row.hidden ? 0 : 1;
      }
      output.textContent = left === rows.length ? "" : `${left} of ${rows.length} shown`;
    };
    const fromAddress = () => {
      const wanted = new URLSearchParams(location.hash.slice(1));
      for (const field of fields) if (wanted.has(field.name)) field.value = wanted.get(field.name);
      filter();
    };
    form.hidden = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", filter);
    window.addEventListener("hashchange", fromAddress);
    fromAddress();
  }
})();
