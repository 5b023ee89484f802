// S'mores Wars: three piles and what is turned up, the Battle of the moment, and s'mores growing on plates.
"use strict";
(() => {
  const { h, svg, icon, plate, badge, counted, listed } = window.BotpitDraw;
  const NAMES = { G: "Graham", C: "Chocolate", M: "Marshmallow" };
  const LETTER = { graham: "G", chocolate: "C", marshmallow: "M" };
  const VALUES = [1, 2, 3, 5];
  const FIGHTS = {
    chomp: "M12 2a10 10 0 1 0 8.700 15L12 12l8.700-5A10 10 0 0 0 12 2zM11 5.500a1.600 1.600 0 1 1 0 3.200 1.600 1.600 0 0 1 0-3.200z",
    smash: "M3 4.500C3 3.700 3.700 3 4.500 3H15v2.500h2.500V3H21v9h-3.500V9.500H15V12h-3v10H8V12H4.500C3.700 12 3 11.300 3 10.500z",
    splat: "M12 1l1.800 5L18 2.500l-.6 5.300 5.600.4-4.500 3.500 4.500 3.600-5.600.3 1.100 5.600-4.300-3.400L12 23l-2.200-5.200-4.300 3.400 1.100-5.600-5.600-.3 4.500-3.600L1 8.200l5.600-.4L6 2.500 10.200 6z",
    stretch: "M1 12l6.500-6.500V10h9V5.500L23 12l-6.500 6.500V14h-9v4.500z",
    toast: "M12.500 1.500c.5 4.500 6.500 6.700 6.500 13a7 7 0 0 1-14 0c0-3 1.300-4.800 3-6.500.2 2.200.9 3.400 2 4C9.500 8.500 10.800 4.500 12.500 1.500z",
  };
  const spell = (card) => `${NAMES[card[0]]} ${card.slice(1)}`;
  const title = (word) => word[0].toUpperCase() + word.slice(1);

  // One layer of a s'more, 76 wide, its upper edge at `y`.
  const HEIGHT = { G: 15, C: 15, M: 19 };
  const layer = (kind, y, value) => {
    const tall = HEIGHT[kind];
    const parts = { G: [svg("rect", { class: "sw-g", x: 2, y: y + 0.5, width: 72, height: tall - 1, rx: 3.5 }), [8, 16, 58, 66].map((x) => svg("circle", { class: "sw-dot", cx: x, cy: y + tall / 2, r: 1.5 }))],
      C: [svg("rect", { class: "sw-c", x: 5, y: y + 0.5, width: 66, height: tall - 1, rx: 2 }), [21.5, 54.5].map((x) => svg("path", { class: "sw-groove", d: `M${x} ${y + 2}v${tall - 4}` }))],
      M: [svg("rect", { class: "sw-m", x: 7, y: y + 0.5, width: 62, height: tall - 1, rx: 8 }), svg("path", { class: "sw-shine", d: `M14 ${y + 5}q4 -2 10 -2` })] }[kind];
    return svg("g", {}, parts, value && svg("text", { class: `sw-n sw-n-${kind}`, x: 38, y: y + tall / 2 + 4.2 }, value));
  };
  const smore = (text, fresh) => {
    const cards = text.split(" ");
    const complete = cards.length === 4;
    let y = 68;
    const layers = [];
    for (const card of cards) { y -= HEIGHT[card[0]]; layers.push(layer(card[0], y, card.slice(1))); }
    const missing = 4 - cards.length;
    const ghosts = Array.from({ length: missing }, (_, i) => svg("rect", { class: "sw-ghost", x: 6, y: y - 4.500 - i * 6, width: 64, height: 4, rx: 2 }));
    const sum = cards.reduce((total, card) => total + Number(card.slice(1)), 0);
    return h("figure", { class: `sw-smore ${complete ? "whole" : ""} ${fresh ? "fresh" : ""}`, title: cards.map(spell).join(", ") },
      svg("svg", { viewBox: "0 0 76 72", "aria-hidden": "true" }, svg("ellipse", { class: "sw-plate", cx: 38, cy: 67.500, rx: 37, ry: 4.500 }), ghosts, layers),
      h("figcaption", {}, complete ? `+${sum}` : `\u2212${missing}`));
  };
  const ingredient = (kind) =>
    svg("svg", { viewBox: `0 0 76 ${HEIGHT[kind] + 2}`, class: "sw-pic", "aria-hidden": "true" }, layer(kind, 1, ""));
  const piece = (card, extra) =>
    h("span", { class: `sw-card sw-is-${card[0]} ${extra || ""}`, title: spell(card) }, h("b", {}, card.slice(1)), ingredient(card[0]));
  const fighting = (name, extra) =>
    h("span", { class: `sw-fight ${extra || ""}`, title: title(name) }, icon(FIGHTS[name]), h("span", {}, title(name)));

  const column = (kind, frame, context, claimed) => {
    const counts = VALUES.map((value) => frame.stacks[`${kind}${value}`] || 0);
    const total = counts.reduce((a, b) => a + b, 0);
    const up = frame.board.find((card) => card[0] === kind);
    const gone = !up && claimed[kind];
    return h("div", { class: `sw-column ${up || gone ? "" : "none"}` }, h("p", { class: "sw-head" }, NAMES[kind]),
      h("div", { class: "sw-pair" },
        h("span", { class: `sw-stack sw-is-${kind} ${total ? "" : "bare"}`, title: `${counted(total, "card")} face down` }, ingredient(kind), h("b", {}, total)),
        up ? piece(up, context.previous && !context.previous.board.includes(up) ? "large fresh" : "large")
          : h("span", { class: "sw-card large empty" }, gone ? h("small", {}, "gone") : "")),
      h("ul", { class: "sw-left" }, VALUES.map((value, i) => h("li", {}, h("b", {}, value), h("span", {}, `\u00d7${counts[i]}`)))),
      h("div", { class: "sw-claims" }, frame.tokens.map((token, seat) => LETTER[token] === kind && h("span", { class: "sw-claim" }, badge(seat)))));
  };

  // A Battle as a table: a row a reveal, a column a battler. The last reveal is told by the step when the Battle is over.
  const reveals = (battle, extra, winner) => {
    const rows = [...battle.reveals, ...extra];
    const seats = rows.length ? rows[0].map((card, seat) => (card ? seat : -1)).filter((seat) => seat >= 0) : battle.seats;
    return { seats, rows, winner };
  };
  const arena = (name, what, found, context, note) =>
    h("div", { class: "sw-battle" }, h("p", { class: "sw-head" }, what ? ["Battle for ", piece(what)] : name, note && h("small", {}, note)),
      h("div", { class: "sw-lanes" }, found.seats.map((seat) =>
        h("div", { class: `sw-lane p${seat} ${found.winner === seat ? "won" : found.winner !== null ? "lost" : ""}` },
          h("span", { class: "sw-who" }, badge(seat), h("bdi", {}, context.name(seat))),
          found.rows.map((row, i) => (row[seat] ? fighting(row[seat], i === found.rows.length - 1 ? "last fresh" : "") : h("span", { class: "sw-fight none" }, "\u2013"))),
          found.rows.length === 0 && h("span", { class: "sw-fight none" }, "choosing"),
          found.winner === seat && h("span", { class: "sw-win" }, found.by === "tiebreaker" ? "wins by tiebreaker" : "wins")))));

  const battles = (frame, context) => {
    const shown = [];
    const fight = context.events.find((event) => event.type === "fight");
    const over = context.events.find((event) => event.type === "win" || (event.type === "discard" && fight));
    if (fight && over) {
      const before = (context.previous && context.previous.battles[0]) || { reveals: [], seats: [] };
      const found = reveals(before, [fight.cards], over.type === "win" ? over.seat : -1);
      shown.push(arena("", fight.for, { ...found, by: over.by }, context, over.type === "win" ? "" : "nobody wins"));
    }
    frame.battles.forEach((battle, i) => {
      const card = frame.board.find((one) => one[0] === LETTER[battle.ingredient]);
      shown.push(arena(title(battle.ingredient), card, reveals(battle, [], null), context, i ? "to come" : ""));
    });
    return shown;
  };

  const area = (seat, frame, context) => {
    const player = frame.players[seat];
    const pending = frame.pending.find((entry) => entry.seat === seat);
    const before = context.previous && context.previous.players[seat];
    const token = frame.tokens[seat];
    const tie = frame.tiebreakers[seat];
    const flags = [token && `token: ${token === "smorage" ? "S'morage" : title(token)}`];
    return plate(context, seat,
      { active: frame.stage === "place" && frame.pending[0] && frame.pending[0].seat === seat, flags,
        right: [h("span", { class: "sw-score" }, String(player.score).replace("-", "\u2212")), h("small", {}, " points")] },
      tie && h("p", { class: "sw-tie" }, h("small", {}, "tiebreaker"), fighting(tie)),
      h("div", { class: "sw-smores" },
        player.smores.length ? player.smores.map((one, i) => smore(one, before && before.smores[i] !== one)) : h("p", { class: "hint" }, "no s'more yet")),
      h("div", { class: "sw-foot" },
        h("div", { class: "sw-box" }, h("small", {}, "S'morage"), player.smorage.map((card) => piece(card)), !player.smorage.length && h("small", {}, "empty")),
        pending && h("span", { class: "sw-pending fresh" }, h("small", {}, pending.card ? "to place " : "may move a card"), pending.card && piece(pending.card))));
  };

  const draw = (root, frame, context) => {
    const claimed = {};
    for (const token of frame.tokens) if (LETTER[token]) claimed[LETTER[token]] = true;
    const arenas = battles(frame, context);
    root.replaceChildren(h("div", { class: `sw n${frame.players.length}` },
      h("div", { class: "sw-top" },
        h("div", { class: "sw-board" }, h("p", { class: "sw-round" }, `Round ${frame.round}`), h("div", { class: "sw-columns" }, ["G", "C", "M"].map((kind) => column(kind, frame, context, claimed)))),
        h("div", { class: "sw-arena" }, arenas.length ? arenas : h("p", { class: "hint" },
          { deal: "The tiebreakers are dealt.", reveal: "New cards are turned up.", select: "Everybody picks a token in secret.", battle: "", place: "Cards are put to use.", over: "The game is over." }[frame.stage]))),
      h("div", { class: "sw-players" }, frame.players.map((_, seat) => area(seat, frame, context)))));
  };

  const words = (frame, context) => [
    `Round ${frame.round}. Face up: ${frame.board.length ? listed(frame.board.map(spell)) : "nothing"}.`,
    `Face down: ${listed(["G", "C", "M"].map((kind) => `${NAMES[kind]} ${VALUES.reduce((sum, value) => sum + (frame.stacks[`${kind}${value}`] || 0), 0)}`))}.`,
    ...frame.battles.map((battle) => `${listed(battle.seats.map(context.name))} battle for ${battle.ingredient}; ${counted(battle.reveals.length, "reveal")} so far.`),
    ...frame.players.map((player, seat) => {
      const parts = [`${context.name(seat)}: ${counted(player.score, "point")}`];
      if (frame.tokens[seat]) parts.push(`chose ${frame.tokens[seat] === "smorage" ? "S'morage" : frame.tokens[seat]}`);
      parts.push(player.smores.length ? `s'mores: ${player.smores.map((one) => one.split(" ").map(spell).join(" + ")).join("; ")}` : "no s'more");
      parts.push(`S'morage: ${player.smorage.length ? listed(player.smorage.map(spell)) : "empty"}`);
      const waiting = frame.pending.find((entry) => entry.seat === seat);
      if (waiting) parts.push(waiting.card ? `has ${spell(waiting.card)} to place` : "may move a card out of S'morage");
      return `${parts.join("; ")}.`;
    }),
  ];
  window.BotpitGames["smores-wars"] = { draw, words };
})();
