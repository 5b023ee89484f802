// The Marshmallow Test: hands around a felt, the trick in its middle, points as marshmallows on a stick.
"use strict";
(() => {
  const { h, svg, icon, card, back, fan, plate, around, counted, listed } = window.BotpitDraw;
  const SUITS = {
    R: ["red hearts", "M12 21C5 15.5 2.5 12 2.5 8.3c0-2.9 2.2-5.1 5-5.1 1.8 0 3.5 1 4.5 2.5 1-1.5 2.7-2.5 4.5-2.5 2.8 0 5 2.2 5 5.1 0 3.7-2.5 7.2-9.5 12.7z"],
    U: ["blue drops", "M12 1.5c4.2 5.4 7.2 9.1 7.2 13.1a7.2 7.2 0 0 1-14.4 0C4.8 10.600 7.800 6.900 12 1.5z"],
    G: ["green firs", "M12 1.500l6.600 8.700h-3.400l5 6.800h-6.700v5.500h-3V17H3.800l5-6.800H5.400z"],
    Y: ["yellow stars", "M12 1.500l3.200 6.900 7.500.9-5.600 5.100 1.500 7.400-6.600-3.700-6.600 3.700 1.500-7.400L1.300 9.300l7.500-.9z"],
    P: ["purple diamonds", "M12 1l8.500 11L12 23 3.500 12z"],
  };
  const suit = (letter) => icon(SUITS[letter][1], "suit");
  const playing = (name, extra) =>
    card(`mt-${name[0]} ${extra || ""}`, name.slice(1), suit(name[0]), suit(name[0]), `${name.slice(1)} of ${SUITS[name[0]][0]}`);
  const spoken = (name) => `${SUITS[name[0]][0].split(" ")[0]} ${name.slice(1)}`;
  const read = (trick) => (trick ? trick.split(" ").map((play) => play.split(":")).map(([seat, name]) => ({ seat: Number(seat), name })) : []);

  // A marshmallow a point, on a stick that is full at the target.
  const stick = (points, target) => {
    const room = Math.max(target, points);
    const step = 200 / room;
    return svg("svg", { viewBox: "0 0 224 16", class: "mt-stick", "aria-hidden": "true" },
      svg("path", { class: "wood", d: "M2 9.500 L218 8 l5 -2" }),
      Array.from({ length: room }, (_, i) =>
        i < points
          ? svg("rect", { class: "mallow", x: 6 + i * step, y: 2.5, width: step - 1.4, height: 12, rx: 3.2 })
          : svg("circle", { class: "slot-mark", cx: 6 + i * step + step / 2, cy: 8.800, r: 1 })));
  };
  const pips = (won, needed) =>
    h("span", { class: "mt-pips", title: `${won} of ${needed} tricks` },
      Array.from({ length: needed }, (_, i) => h("i", { class: i < won ? "on" : "" })));

  const counts = (frame) => {
    const left = Array(frame.players).fill(frame.round ? 12 : 0);
    for (const trick of [...frame.tricks, frame.trick]) for (const { seat } of read(trick)) left[seat] -= 1;
    return left;
  };
  const handOf = (frame, context, seat) => {
    if (frame.hands) return frame.hands[seat];
    if (context.seat !== seat) return null;
    return frame.hand.length ? frame.hand : frame.laid_aside;
  };
  const inSuits = (hand, trump) =>
    [...hand].sort((a, b) => (a[0] === trump) - (b[0] === trump) || "RUGYP".indexOf(a[0]) - "RUGYP".indexOf(b[0]) || a.slice(1) - b.slice(1));

  const draw = (root, frame, context) => {
    const left = counts(frame);
    const dealing = frame.phase === "deal" || frame.phase === "first_dealer" || frame.phase === "over";
    const shown = read(frame.trick || frame.tricks[frame.tricks.length - 1]);
    const winner = frame.trick ? null : frame.winners[frame.winners.length - 1];
    const seats = Array.from({ length: frame.players }, (_, seat) => {
      const hand = handOf(frame, context, seat);
      const out = frame.round > 0 && !frame.in.includes(seat);
      const cards = hand ? inSuits(hand, frame.trump).map((name) => playing(name, name[0] === frame.trump ? "trump" : "")) : Array.from({ length: left[seat] }, back);
      return plate(context, seat,
        { active: frame.turn === seat, out, flags: [frame.phase !== "over" && frame.dealer === seat && (dealing ? "deals next" : "dealer")],
          right: [h("span", { class: "mt-points" }, frame.points[seat]), h("small", {}, ` / ${frame.points_to_win}`)] },
        stick(frame.points[seat], frame.points_to_win),
        h("div", { class: "mt-row" }, pips(frame.tricks_won[seat], frame.tricks_to_go_out), h("small", {}, counted(frame.tricks_won[seat], "trick"), out ? ", out" : "")),
        fan(cards, out ? "aside" : ""));
    });
    const middle = h("div", { class: "mt-felt" },
      h("div", { class: "mt-facts" }, h("span", {}, frame.round ? `Round ${frame.round}` : "Before the first deal"),
        frame.round > 0 && h("span", { class: `mt-trump ${frame.trump ? `mt-${frame.trump}` : ""}` },
          frame.trump ? [suit(frame.trump), `trump: ${SUITS[frame.trump][0]}`] : frame.phase === "trump" ? "trump not named yet" : "no trump"),
        frame.round > 0 && h("span", {}, `out at ${counted(frame.tricks_to_go_out, "trick")}`)),
      h("div", { class: `mt-trick ${frame.trick ? "" : "done"}` },
        shown.length
          ? shown.map(({ seat, name }, i) =>
              h("figure", { class: `p${seat} ${seat === winner ? "won" : ""} ${frame.trick && i === shown.length - 1 ? "fresh" : ""}` },
                playing(name, `big ${name[0] === frame.trump ? "trump" : ""}`),
                h("figcaption", { dir: "auto" }, context.name(seat))))
          : h("p", { class: "hint" }, frame.round ? "The first card is still to come." : "Nobody has a card yet.")),
      h("p", { class: "mt-say" }, winner !== null && winner !== undefined ? [h("bdi", {}, context.name(winner)), ` took trick ${frame.tricks.length}`]
        : shown.length ? `trick ${frame.tricks.length + 1}` : ""));
    root.replaceChildren(around(seats, middle, "mt"));
  };

  const words = (frame, context) => {
    const left = counts(frame);
    const trick = read(frame.trick).map(({ seat, name }) => `${context.name(seat)} ${spoken(name)}`);
    return [
      frame.round ? `Round ${frame.round}; ${frame.trump ? `trump is ${SUITS[frame.trump][0].split(" ")[0]}` : "no trump"}; ${counted(frame.tricks_to_go_out, "trick")} put a player out.` : "Nothing is dealt yet.",
      trick.length ? `On the table: ${trick.join(", ")}.` : `${counted(frame.tricks.length, "trick")} finished in this round.`,
      ...context.seats.map((_, seat) => {
        const hand = handOf(frame, context, seat);
        const state = frame.round > 0 && !frame.in.includes(seat) ? ", out of the round" : "";
        return `${context.name(seat)}: ${counted(frame.points[seat], "point")}, ${counted(frame.tricks_won[seat], "trick")}${state}; ` +
          (hand ? (hand.length ? `holds ${listed(inSuits(hand, frame.trump).map(spoken))}.` : "holds no cards.") : `holds ${counted(left[seat], "card")} that cannot be seen.`);
      }),
    ];
  };
  // "Y5" in an account as a yellow star and a 5; a screen reader hears "yellow 5".
  const spell = (text) =>
    text.split(/\b([RUGYP](?:1[0-2]|[1-9])|[RUGYP](?= trump))\b/).map((part, i) =>
      i % 2 === 0 ? part : h("span", { class: `mini mt-${part[0]}` }, suit(part[0]), h("span", { class: "sr" }, `${SUITS[part[0]][0].split(" ")[0]} `), part.slice(1)));

  window.BotpitGames["marshmallow-test"] = { draw, words, spell };
})();
