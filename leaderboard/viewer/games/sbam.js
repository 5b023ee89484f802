// Sbam!: players in a circle, a rope between each two neighbours, their cards along it, damage as stars.
"use strict";
(() => {
  const { h, svg, icon, back, plate, badge, counted, listed } = window.BotpitDraw;
  const COLOURS = { r: "red", b: "blue", y: "yellow" };
  const SHAPES = { r: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20z", b: "M3 3h18v18H3z", y: "M12 2l11 19H1z" };
  const STAR = "M12 1.500l3.200 6.900 7.500.9-5.600 5.100 1.500 7.400-6.600-3.700-6.600 3.700 1.500-7.400L1.300 9.300l7.500-.9z";
  const BURST = "M12 .5l2.200 5L19 2.800l-1 5.400 5.500.4-4.300 3.400 4.300 3.400-5.500.4 1 5.400-4.800-2.700-2.200 5-2.200-5L5 21.200l1-5.400-5.500-.4L4.800 12 .5 8.600l5.500-.4-1-5.400 4.800 2.700z";
  const SIGNS = { "=": ["=", "bars"], "+": ["+", "plus"], x: ["\u00d7", "X"] };
  const DAMAGE = 5;

  const spell = (name) => {
    if (name === "sbam") return "Sbam!";
    if (name === "oops") return "Oops";
    if (name === "no3") return "no 3s";
    return SIGNS[name[0]] ? `${SIGNS[name[0]][1]} ${COLOURS[name[1]]}` : `${COLOURS[name[0]]} ${name[1]}`;
  };
  const card = (name, extra) => {
    const sign = SIGNS[name[0]];
    const colour = sign ? name[1] : COLOURS[name[0]] && name.length === 2 ? name[0] : "";
    const inside = colour ? [h("b", {}, sign ? sign[0] : name[1]), icon(SHAPES[colour])]
      : name === "sbam" ? [icon(BURST, "burst"), h("b", { class: "tiny" }, "SBAM")]
      : name === "oops" ? [h("b", { class: "tiny" }, "OOPS"), h("b", {}, "\u21ba")] : [h("b", { class: "struck" }, "3")];
    return h("span", { class: `card sb-card sb-${colour || name} ${sign ? "sign" : ""} ${extra || ""}`, title: spell(name) }, inside);
  };
  const damage = (taken, fresh) =>
    h("span", { class: "sb-damage", title: `${taken} of ${DAMAGE} damage` },
      Array.from({ length: Math.max(DAMAGE, taken) }, (_, i) => icon(STAR, i < taken ? `on ${i >= taken - fresh ? "fresh" : ""}` : "")));

  // The table as a step left it. A round that has just ended is shown as it was reckoned, with its last plays.
  const table = (frame, context) => {
    const end = context.events.find((event) => event.type === "round_end");
    const tick = context.events.find((event) => event.type === "tick");
    const called = context.events.find((event) => event.type === "sbam");
    const undone = context.events.find((event) => event.type === "oops");
    const base = end && context.previous ? context.previous : frame;
    const left = base.left.map((cards) => cards.split(" ").filter(Boolean));
    const right = base.right.map((cards) => cards.split(" ").filter(Boolean));
    const before = context.previous;
    if (end && tick) tick.moves.forEach((move, seat) => {
      const [name, side] = move.split(" ");
      if (side === "left" || side === "right") (side === "left" ? left : right)[seat].push(name);
    });
    const played = (seat, side) => (tick && tick.moves[seat].endsWith(` ${side}`) ? 1 : 0);
    const calls = Object.fromEntries((called ? called.calls : frame.calls.length ? frame.calls : end && before ? before.calls : []).map((call) => [call.seat, call.count]));
    return { alive: base.alive, left, right, played, end, calls, undone, cancelled: undone ? undone.cancelled : frame.cancelled, round: end ? end.round : frame.round };
  };

  const seatBox = (seat, frame, shown, context) => {
    const hand = frame.hands ? frame.hands[seat] : context.seat === seat ? frame.hand : null;
    const hurt = shown.end ? shown.end.hurt[seat] : 0;
    const call = shown.calls[seat];
    const undone = shown.cancelled.some((one) => one.seat === seat);
    const flags = [undone && "undone", frame.bound[seat] > 0 && `${frame.bound[seat]} known`, frame.oops && frame.oops.seat === seat && "played Oops"];
    return plate(context, seat, { active: frame.asked.includes(seat), out: !frame.alive.includes(seat), flags, className: "sb-plate" },
      h("div", { class: "sb-row" }, h("span", { class: "sb-hand" }, hand ? hand.map((name) => card(name)) : Array.from({ length: frame.hand_sizes[seat] }, back)), damage(frame.damage[seat], hurt)),
      call && !undone ? h("span", { class: "sb-call fresh" }, icon(BURST), h("b", {}, { 1: "Sbam!", 2: "Sbabam!", 3: "Sbababam!" }[call])) : "",
      shown.undone && shown.undone.seat === seat ? h("span", { class: "sb-call oops fresh" }, h("b", {}, "Oops!")) : "",
      hurt > 0 && h("span", { class: "sb-hurt fresh" }, `+${hurt}`));
  };

  const fightOf = (shown, a, b) => shown.end && shown.end.fights.find((fight) => fight.left_seat === a && fight.right_seat === b);
  const verdict = (fight) => h("span", { class: "sb-verdict fresh" }, h("b", { class: `p${fight.left_seat} ${fight.hurt.includes(fight.left_seat) ? "hurt" : ""}` }, fight.left_sum), ":",
    h("b", { class: `p${fight.right_seat} ${fight.hurt.includes(fight.right_seat) ? "hurt" : ""}` }, fight.right_sum));
  const middle = (frame, shown) =>
    h("div", { class: "sb-middle" }, h("b", {}, `Round ${shown.round}`), h("span", {}, shown.end ? { sbam: "ended by Sbam!", triple: "triple: no fight is checked", pile: "the pile is empty", passes: "everybody passed" }[shown.end.cause] : frame.tick ? `tick ${frame.tick}` : frame.phase === "over" ? "over" : "deal"),
      h("span", { class: `pile ${frame.pile ? "" : "bare"}` }, h("span", { class: "card back" }, h("b", { class: "count" }, frame.pile))));

  // Where a rope runs, as points with their distance along it; outside the plates at its two ends.
  const along = (a, b, bend, boxes) => {
    const points = [];
    let length = 0;
    for (let i = 0; i <= 80; i += 1) {
      const t = i / 80;
      const u = 1 - t;
      const x = u * u * a.x + 2 * u * t * bend.x + t * t * b.x;
      const y = u * u * a.y + 2 * u * t * bend.y + t * t * b.y;
      if (i) length += Math.hypot(x - points[i - 1].x, y - points[i - 1].y);
      points.push({ x, y, s: length });
    }
    const inside = (p, c) => Math.abs(p.x - c.x) < boxes.w / 2 + 18 && Math.abs(p.y - c.y) < boxes.h / 2 + 24;
    return points.filter((p) => !inside(p, a) && !inside(p, b));
  };
  const pointAt = (points, s) => points.find((p) => p.s >= s) || points[points.length - 1];

  const ring = (frame, shown, context, width) => {
    const n = shown.alive.length;
    const boxes = { w: n > 4 ? 178 : 205, h: 104 };
    const H = n > 4 ? 640 : n === 3 ? 480 : n === 2 ? 460 : 560;
    const cx = width / 2;
    const cy = H / 2;
    const rx = Math.min(width / 2 - boxes.w / 2 - 6, 400);
    const ry = H / 2 - boxes.h / 2 - 16;
    // On a circle pulled out to the corners, so that the sides leave room for cards and nothing lies idle.
    const turn = shown.alive.map((_, i) => Math.PI / 2 + (i * 2 * Math.PI) / n);
    const out = (value, power) => Math.sign(value) * Math.abs(value) ** power;
    const unit = turn.map((angle) => ({ x: out(Math.cos(angle), 0.8), y: out(Math.sin(angle), 0.75) }));
    const spread = (axis, middle, radius) => {
      const values = unit.map((p) => p[axis]);
      const low = Math.min(...values);
      const high = Math.max(...values);
      return values.map((v) => (high - low < 0.01 ? middle : middle + radius * ((2 * (v - low)) / (high - low) - 1)));
    };
    const xs = spread("x", cx, rx);
    const ys = spread("y", cy, ry);
    const place = unit.map((_, i) => ({ x: xs[i], y: ys[i] }));
    const ropes = [];
    const cards = [];
    shown.alive.forEach((seat, i) => {
      const j = (i + 1) % n;
      const other = shown.alive[j];
      if (n < 2) return;
      const a = place[i];
      const b = place[j];
      const mid = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
      const bend = n === 2 ? { x: mid.x + (b.y - a.y) * 1.15, y: mid.y - (b.x - a.x) * 1.15 } : { x: cx + (mid.x - cx) * 1.22, y: cy + (mid.y - cy) * 1.22 };
      const d = `M${a.x} ${a.y}Q${bend.x} ${bend.y} ${b.x} ${b.y}`;
      ropes.push(svg("path", { class: "sb-rope", d }), svg("path", { class: "sb-twist", d }));
      const points = along(a, b, bend, boxes);
      const from = points[0].s;
      const to = points[points.length - 1].s;
      const knot = pointAt(points, (from + to) / 2);
      const fight = fightOf(shown, seat, other);
      ropes.push(svg("circle", { class: "sb-knot", cx: knot.x, cy: knot.y, r: 7 }));
      const room = (to - from) / 2 - (fight ? 34 : 20);
      const lay = (names, fresh, at) => {
        const step = Math.min(32, names.length > 1 ? room / (names.length - 1) : 0);
        names.forEach((name, k) => {
          const p = pointAt(points, at(k * step));
          cards.push(h("span", { class: "sb-at", style: { left: `${p.x}px`, top: `${p.y}px` } }, card(name, fresh && k === names.length - 1 ? "fresh" : "")));
        });
      };
      lay(shown.left[seat], shown.played(seat, "left"), (s) => from + s);
      lay(shown.right[other], shown.played(other, "right"), (s) => to - s);
      if (fight) cards.push(h("span", { class: "sb-at above", style: { left: `${knot.x}px`, top: `${knot.y}px` } }, verdict(fight)));
    });
    return h("div", { class: "sb-ring", style: { height: `${H}px` } },
      svg("svg", { viewBox: `0 0 ${width} ${H}`, width, height: H, "aria-hidden": "true" }, svg("ellipse", { class: "sb-ground", cx, cy, rx: Math.max(60, rx * 0.5), ry: ry * 0.42 }), ropes),
      shown.alive.map((seat, i) => h("div", { class: "sb-at", style: { left: `${place[i].x}px`, top: `${place[i].y}px`, width: `${boxes.w}px` } }, seatBox(seat, frame, shown, context))),
      cards, h("div", { class: "sb-at", style: { left: `${cx}px`, top: `${cy}px` } }, n > 1 ? middle(frame, shown) : ""));
  };

  // The circle unrolled for narrow windows: a player, the rope to its left, the next player.
  const unrolled = (frame, shown, context) =>
    h("div", { class: "sb-list" }, h("div", { class: "sb-line" }, middle(frame, shown)), shown.alive.map((seat, i) => {
      const other = shown.alive[(i + 1) % shown.alive.length];
      const fight = fightOf(shown, seat, other);
      return [seatBox(seat, frame, shown, context), shown.alive.length > 1 && h("div", { class: "sb-strip" },
        h("span", { class: "sb-end" }, badge(seat), shown.left[seat].map((name) => card(name))), fight ? verdict(fight) : h("span", { class: "sb-knot" }),
        h("span", { class: "sb-end far" }, shown.right[other].map((name) => card(name)), badge(other)))];
    }));

  const draw = (root, frame, context) => {
    const shown = table(frame, context);
    const style = getComputedStyle(root);
    const width = root.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
    const out = frame.damage.map((_, seat) => seat).filter((seat) => !shown.alive.includes(seat));
    root.replaceChildren(h("div", { class: "sb" }, width < 680 ? unrolled(frame, shown, context) : ring(frame, shown, context, width),
      out.length ? h("div", { class: "sb-out" }, out.map((seat) => h("span", { class: `sb-gone p${seat}` }, badge(seat), h("bdi", {}, context.name(seat)), h("small", {}, `out in round ${frame.out[seat]}`)))) : ""));
  };

  const words = (frame, context) => {
    const shown = table(frame, context);
    const cards = (names) => (names.length ? listed(names.map(spell)) : "nothing");
    return [
      shown.end ? `Round ${shown.end.round} has ended.` : `Round ${frame.round}, tick ${frame.tick}; ${counted(frame.pile, "card")} in the pile.`,
      ...shown.alive.map((seat, i) => {
        const other = shown.alive[(i + 1) % shown.alive.length];
        const fight = fightOf(shown, seat, other);
        return `Rope between ${context.name(seat)} and ${context.name(other)}: ${cards(shown.left[seat])} against ${cards(shown.right[other])}` +
          (fight ? `; ${fight.left_sum} to ${fight.right_sum}, ${fight.hurt.length ? `${listed(fight.hurt.map(context.name))} hurt` : "nobody hurt"}.` : ".");
      }),
      ...frame.damage.map((taken, seat) => {
        const hand = frame.hands ? frame.hands[seat] : context.seat === seat ? frame.hand : null;
        const holds = frame.out[seat] ? `out since round ${frame.out[seat]}` : hand ? `holds ${cards(hand)}` : `holds ${counted(frame.hand_sizes[seat], "card")} that cannot be seen`;
        return `${context.name(seat)}: ${taken} damage; ${holds}${shown.calls[seat] ? "; called Sbam!" : ""}.`;
      }),
    ];
  };
  window.BotpitGames.sbam = { draw, words };
})();
