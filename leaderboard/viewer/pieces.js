// What every drawn table is made of: elements without markup, seat plates, cards, backs, piles.
// Texts of strangers (names, notes, reasons) become text nodes and nothing else.
"use strict";
(() => {
  const build = (element, attributes, children) => {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name === "style") for (const [property, v] of Object.entries(value)) element.style.setProperty(property, String(v));
      else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value === true ? "" : String(value));
    }
    for (const child of children.flat(Infinity)) {
      if (child === null || child === undefined || child === false || child === "") continue;
      element.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
    return element;
  };
  const h = (tag, attributes, ...children) => build(document.createElement(tag), attributes, children);
  const svg = (tag, attributes, ...children) =>
    build(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

  // A picture on a field of 24 by 24 from path data; `d` may be several paths.
  const icon = (d, className) =>
    svg("svg", { viewBox: "0 0 24 24", class: `icon ${className || ""}`, "aria-hidden": "true", focusable: "false" },
      [d].flat().map((path) => (typeof path === "string" ? svg("path", { d: path }) : path)));

  // A playing card: what stands in its corner, the picture below it, and the large one in its middle.
  const card = (className, corner, small, large, title) =>
    h("span", { class: `card ${className}`, title }, h("b", { class: corner.length > 1 ? "corner two" : "corner" }, corner, small), large && h("span", { class: "face" }, large));
  const back = () => h("span", { class: "card back" });

  // A row of cards that closes up when there is little room; every card keeps its left edge in sight.
  const fan = (cards, className) =>
    h("div", { class: `fan ${className || ""}`, style: { "--n": cards.length } }, cards.map((one) => h("span", { class: "slot" }, one)));

  const pile = (count, label, className) =>
    h("span", { class: `pile ${className || ""} ${count ? "" : "bare"}` }, h("span", { class: "card back" }, h("b", { class: "count" }, count)), label && h("small", {}, label));

  const badge = (seat) => h("span", { class: `badge p${seat}` }, seat);

  // Who sits there: number, name, flags such as "deals", and what the game adds.
  const plate = (context, seat, { active, out, flags = [], right = null, className = "" }, ...children) =>
    h("section", { class: `plate p${seat} ${active ? "active" : ""} ${out ? "out" : ""} ${context.seat === seat ? "mine" : ""} ${className}` },
      h("header", {}, badge(seat), h("b", { class: "name", dir: "auto", title: context.name(seat) }, context.name(seat)),
        flags.filter(Boolean).map((flag) => h("span", { class: "flag" }, flag)), right && h("span", { class: "right" }, right)),
      children);

  // Seats around a middle, clockwise from the near side as at a real table.
  const around = (seats, middle, className) =>
    h("div", { class: `around n${seats.length} ${className || ""}` },
      seats.map((seat, i) => h("div", { class: `at a${i}` }, seat)), h("div", { class: "middle" }, middle));

  const counted = (n, one, many) => `${n} ${n === 1 ? one : many || one + "s"}`;
  const listed = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`);

  window.BotpitGames = {};
  window.BotpitDraw = { h, svg, icon, card, back, fan, pile, badge, plate, around, counted, listed };
})();
