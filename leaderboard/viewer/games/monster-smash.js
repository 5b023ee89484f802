// Monster Smash: bases with their breakpoints and the minions of each player there, and what each player has.
"use strict";
(() => {
  const { h, svg, icon, back, plate, badge, counted, listed } = window.BotpitDraw;
  // Faction -> its name, its mark, and its cards as `id: [name, printed power]`; actions have no power.
  const FACTIONS = {
    vampires: ["Vampires", ["M12 8l1.300-3 1.200 2.200c2.600-2.100 5.600-2.800 9-2.200-1.500 2-2.100 4.100-1.900 6.300-1.900-.5-3.500 0-4.600 1.400-1-.8-2-.8-2.900-.2L12 17l-2.100-4.500c-.9-.6-1.900-.6-2.900.2-1.100-1.400-2.700-1.900-4.600-1.400C2.600 9.100 2 7 .5 5c3.400-.6 6.400.1 9 2.200L10.700 5z"], {
      "the-count": ["The Count", 5], nightstalker: ["Nightstalker", 4], "heavy-drinker": ["Heavy Drinker", 3], "fledgling-vampire": ["Fledgling Vampire", 2],
      "big-gulp": ["Big Gulp"], buffet: ["Buffet"], "crack-of-dusk": ["Crack of Dusk"], "cull-the-weak": ["Cull the Weak"], "dinner-date": ["Dinner Date"],
      "mad-monster-party": ["Mad Monster Party"], opportunist: ["Opportunist"], "summon-wolves": ["Summon Wolves"] }],
    "mad-scientists": ["Mad Scientists", ["M8.500 1.500h7v2.200h-1.200v5l6.200 10.400c.9 1.500-.1 3.400-1.900 3.400H5.400c-1.800 0-2.800-1.900-1.900-3.400L9.700 8.700v-5H8.500zM8 15.500l-2 3.600h12l-2-3.600z"], {
      "herr-doktor": ["Herr Doktor", 5], "the-monster": ["The Monster", 4], "lab-assistant": ["Lab Assistant", 3], igor: ["Igor", 2],
      "angry-mob": ["Angry Mob"], blitzed: ["Blitzed"], "body-shop": ["Body Shop"], "german-engineering": ["German Engineering"],
      "grave-situation": ["Grave Situation"], "its-alive": ["It's Alive!"], jolt: ["Jolt"], uberserum: ["Überserum"] }],
    werewolves: ["Werewolves", ["M14.500 1.500A10.700 10.700 0 1 0 22.600 15 8.800 8.800 0 0 1 14.500 1.500zM3.500 12l5-1.500-3 4zM6 18l5-3-2 5z"], {
      "pack-alpha": ["Pack Alpha", 5], "loup-garou": ["Loup-Garou", 4], "teenage-wolf": ["Teenage Wolf", 3], howler: ["Howler", 2],
      "chew-toy": ["Chew Toy"], frenzy: ["Frenzy"], "full-moon": ["Full Moon"], "leader-of-the-pack": ["Leader of the Pack"],
      "let-the-dog-out": ["Let the Dog Out"], "marking-territory": ["Marking Territory"], moontouched: ["Moontouched"], unstoppable: ["Unstoppable"] }],
    "giant-ants": ["Giant Ants", ["M12 2.500a3 3 0 0 1 2.600 4.500l2.300-1.400.9 1.400-3 2 .2 1h4.500v1.700h-4.300l4.300 3.300-1.100 1.400-3.300-2.200a4.500 5 0 1 1-6.200 0l-3.300 2.200-1.100-1.400 4.300-3.300H4.500V10H9l.2-1-3-2 .9-1.400L9.400 7A3 3 0 0 1 12 2.500z"], {
      "killer-queen": ["Killer Queen", 4], drone: ["Drone", 3], soldier: ["Soldier", 1], worker: ["Worker", 0],
      "a-kind-of-magic": ["A Kind of Magic"], "gimme-the-prize": ["Gimme the Prize"], headlong: ["Headlong"], "the-show-must-go-on": ["The Show Must Go On"],
      "under-pressure": ["Under Pressure"], "we-are-the-champions": ["We Are the Champions"], "we-will-rock-you": ["We Will Rock You"],
      "who-wants-to-live-forever": ["Who Wants to Live Forever?"] }],
  };
  const CARDS = {};
  for (const [faction, [, , cards]] of Object.entries(FACTIONS)) for (const [id, [name, power]] of Object.entries(cards)) CARDS[id] = { name, power, faction };
  const BASES = {
    "castle-blood": ["Castle Blood", [3, 1, 1], "M2.500 22V7.500H5v2h2.500V4H10v2h4V4h2.500v5.500H19v-2h2.500V22H14v-4.500a2 2 0 0 0-4 0V22z"],
    crypt: ["Crypt", [4, 2, 2], "M5.500 21V9a6.500 6.500 0 0 1 13 0v12H21v2H3v-2zM11 7v2.500H8.800v2H11V17h2v-5.500h2.200v-2H13V7z"],
    "golem-schloss": ["Golem Schloß", [4, 3, 2], "M4 22V7H2.500V2.500h3.300V4.500h3.100v-2h6.200v2h3.100v-2h3.300V7H20v15zM13.500 8L8.500 15h3l-1 5 5-7h-3z"],
    laboratorium: ["Laboratorium", [5, 3, 3], "M8.500 1.500h7v2.200h-1.200v5l6.200 10.400c.9 1.500-.1 3.400-1.900 3.400H5.400c-1.800 0-2.800-1.900-1.900-3.400L9.700 8.700v-5H8.500z"],
    "moot-site": ["Moot Site", [2, 1, 0], "M12 11c4 0 7.500 4.500 7.500 7.700 0 2.300-1.800 3.300-3.700 3.300-1.600 0-2.400-.8-3.800-.8s-2.200.8-3.800.8c-1.900 0-3.700-1-3.700-3.300C4.500 15.500 8 11 12 11zM4.500 7a2.200 2.800 0 1 1 0 5.600 2.200 2.800 0 0 1 0-5.600zM9.300 2a2.300 3 0 1 1 0 6 2.300 3 0 0 1 0-6zM14.700 2a2.300 3 0 1 1 0 6 2.300 3 0 0 1 0-6zM19.500 7a2.200 2.800 0 1 1 0 5.600 2.200 2.800 0 0 1 0-5.600z"],
    "standing-stones": ["Standing Stones", [4, 2, 1], "M1.500 22l1-11 4-1 .8 12zM9 22V8h6v14zM16.700 22l.8-12 4 1 1 11zM1.500 6.500L22 3v3.300L1.800 9.700z"],
    "egg-chamber": ["Egg Chamber", [3, 1, 1], "M12 1.500c4.600 0 8 7.300 8 12.500a8 8 0 0 1-16 0C4 8.800 7.400 1.500 12 1.500zM9 7c-1.700 2-2.600 4.600-2.600 7h1.800c0-2.300.8-4.500 2.200-6.300z"],
    "the-hill": ["The Hill", [4, 2, 1], "M.5 22C3.500 12.500 7.500 8 12 8s8.500 4.500 11.500 14zM11.200 1.500l6 2-4.600 2V8h-1.400z"],
  };
  const WIN = 15;
  const nameOf = (id) => (CARDS[id] ? CARDS[id].name : BASES[id] ? BASES[id][0] : id.replace(/-/g, " "));
  const mark = (faction, extra) => icon(FACTIONS[faction][1], `ms-mark ms-${faction} ${extra || ""}`);

  const pips = (n) => (n > 6 ? [h("i", {}), `\u00d7${n}`] : Array.from({ length: n }, () => h("i", {})));
  const attached = (action, fresh) =>
    h("span", { class: `ms-tag p${action.owner} ${fresh(action.id) ? "fresh" : ""}`, title: nameOf(action.card) }, mark(CARDS[action.card].faction), h("span", {}, nameOf(action.card)),
      action.counters > 0 && h("b", { class: "ms-pips" }, pips(action.counters)));
  const minion = (one, fresh) => {
    const { name, faction, power } = CARDS[one.card];
    const now = [one.until_end !== 0 && `${one.until_end > 0 ? "+" : "\u2212"}${Math.abs(one.until_end)} now`].filter(Boolean);
    return h("span", { class: `ms-minion p${one.owner} ms-of-${faction} ${fresh(one.id) ? "fresh" : ""}`, title: `${name}, power ${one.power}` },
      h("span", { class: "ms-art" }, mark(faction), h("b", { class: `ms-power ${one.power > power ? "up" : ""}` }, one.power), one.talent_used > 0 && h("span", { class: "ms-used", title: "talent used" }, "\u2713")),
      h("span", { class: "ms-title" }, name),
      (one.counters > 0 || now.length > 0) && h("span", { class: "ms-plus" }, one.counters > 0 && h("b", { class: "ms-pips", title: counted(one.counters, "counter") }, pips(one.counters)), now.map((text) => h("small", {}, text))),
      one.actions.map((action) => attached(action, fresh)));
  };
  const chip = (id, extra) => {
    const { name, faction, power } = CARDS[id];
    return h("span", { class: `ms-chip ms-of-${faction} ${extra || ""}`, title: power === undefined ? `${name}, action` : `${name}, minion of power ${power}` },
      mark(faction), h("span", {}, name), power !== undefined && h("b", {}, power));
  };

  const gauge = (base) => {
    const sum = base.totals.reduce((a, b) => a + b, 0);
    const room = Math.max(sum, base.breakpoint, 1);
    let x = 0;
    const parts = base.totals.map((total, seat) => {
      const from = x;
      x += (100 * total) / room;
      return total > 0 && svg("rect", { class: `p${seat}`, x: `${from}%`, width: `${Math.max(0.5, (100 * total) / room - 0.8)}%`, height: 12, rx: 2 });
    });
    return h("div", { class: `ms-gauge ${sum >= base.breakpoint ? "broken" : ""}` },
      svg("svg", { width: "100%", height: 12, "aria-hidden": "true" }, svg("rect", { class: "room", width: "100%", height: 12, rx: 3 }), parts,
        sum > base.breakpoint && svg("rect", { class: "limit", x: `${(100 * base.breakpoint) / room}%`, y: -2, width: 2.5, height: 16 })),
      h("span", { class: "ms-sum" }, h("b", {}, sum), ` / ${base.breakpoint}`));
  };
  const baseCard = (base, frame, context, fresh) => {
    const [name, rewards, drawn] = BASES[base.base];
    const scoring = frame.scoring === base.base;
    const owners = [...new Set(base.minions.map((one) => one.owner))].sort((a, b) => base.totals[b] - base.totals[a] || a - b);
    const extra = base.totals.map((total, seat) => (total > 0 && !owners.includes(seat) ? seat : -1)).filter((seat) => seat >= 0);
    return h("section", { class: `ms-base ${scoring ? "scoring" : ""}` },
      h("header", {}, icon(drawn, "ms-place"), h("b", {}, name), h("span", { class: "ms-rewards", title: "victory points for first, second and third" }, rewards.map((n) => h("i", {}, n)))),
      gauge(base), scoring && h("span", { class: "flag ms-flag" }, "scores now"),
      base.actions.length > 0 && h("div", { class: "ms-tags" }, base.actions.map((action) => attached(action, fresh))),
      h("div", { class: "ms-sides" }, [...owners, ...extra].map((seat) => h("div", { class: `ms-side p${seat}` }, h("span", { class: "ms-total", title: context.name(seat) }, badge(seat), h("b", {}, base.totals[seat])),
        h("span", { class: "ms-minions" }, base.minions.filter((one) => one.owner === seat).map((one) => minion(one, fresh)))))),
      !owners.length && h("p", { class: "hint" }, "nobody here"));
  };

  const handOf = (frame, context, seat) => (frame.hands ? frame.hands[seat] : context.seat === seat ? frame.hand : null);
  const player = (seat, frame, context) => {
    const own = frame.players[seat];
    const hand = handOf(frame, context, seat);
    const gained = context.previous ? frame.vp[seat] - context.previous.vp[seat] : 0;
    const top = own.discard[own.discard.length - 1];
    const hidden = hand ? 0 : Math.max(0, own.hand - own.known.length);
    return plate(context, seat, { active: frame.turn > 0 && frame.player === seat, flags: [frame.turn > 0 && frame.player === seat && "turn"],
      right: [gained > 0 && h("span", { class: "ms-gain fresh" }, `+${gained}`), h("span", { class: "ms-vp" }, frame.vp[seat]), h("small", {}, ` / ${WIN} VP`)] },
      svg("svg", { viewBox: `0 0 ${WIN * 12} 12`, class: "ms-track", "aria-hidden": "true" }, Array.from({ length: WIN }, (_, i) => svg("circle", { class: i < frame.vp[seat] ? "on" : "", cx: 6 + 12 * i, cy: 6, r: 4.500 }))),
      h("div", { class: "ms-has" }, h("span", { class: "ms-factions" }, own.factions.map((faction) => h("span", {}, mark(faction), FACTIONS[faction][0]))),
        h("small", {}, `deck ${own.deck} · discard ${own.discard.length}`), top && chip(top, "ms-top")),
      h("div", { class: "ms-hand" }, h("small", {}, `hand ${own.hand}`), (hand || own.known).map((id) => chip(id)), Array.from({ length: hidden }, back)));
  };

  const fresher = (frame, context) => {
    const before = new Set();
    for (const base of context.previous ? context.previous.bases : frame.bases)
      for (const one of [...base.actions, ...base.minions, ...base.minions.flatMap((m) => m.actions)]) before.add(one.id);
    return (id) => !before.has(id);
  };
  const doing = (frame) => {
    const last = frame.pending[frame.pending.length - 1];
    if (!last) return "";
    const effect = last[0].split("/")[0];
    if (CARDS[effect] || BASES[effect]) return nameOf(effect);
    return CARDS[last[3]] && ["enter", "attach", "attach-to"].includes(effect) ? nameOf(last[3]) : "";
  };
  const draw = (root, frame, context) => {
    const fresh = fresher(frame, context);
    const resolving = doing(frame);
    root.replaceChildren(h("div", { class: `ms n${frame.players.length} b${frame.bases.length}` },
      h("div", { class: "ms-status" },
        h("b", {}, frame.turn ? `Turn ${frame.turn}` : "Setup"), frame.turn > 0 && !frame.over && h("span", {}, badge(frame.player), " ", h("bdi", {}, context.name(frame.player)), ` may play ${counted(frame.plays.minions, "minion")}, ${counted(frame.plays.actions, "action")}`),
        resolving && h("span", { class: "flag" }, `resolving: ${resolving}`),
        h("small", {}, `${counted(frame.base_deck.length, "base")} to come`, frame.base_discard.length ? `, scored: ${listed(frame.base_discard.map(nameOf))}` : "")),
      frame.bases.length ? h("div", { class: "ms-bases" }, frame.bases.map((base) => baseCard(base, frame, context, fresh))) : h("p", { class: "hint ms-none" }, "The bases are not turned up yet."),
      h("div", { class: "ms-players" }, frame.players.map((_, seat) => player(seat, frame, context)))));
  };

  const words = (frame, context) => {
    const told = (one) => `${nameOf(one.card)} (power ${one.power}${one.counters ? `, ${counted(one.counters, "counter")}` : ""}${one.actions.length ? `, with ${listed(one.actions.map((a) => nameOf(a.card)))}` : ""})`;
    return [
      frame.turn ? `Turn ${frame.turn}, ${context.name(frame.player)}.${frame.scoring ? ` ${nameOf(frame.scoring)} is being scored.` : ""}` : "Factions and bases are being set up.",
      ...frame.bases.map((base) => {
        const sides = context.seats.map((_, seat) => [seat, base.minions.filter((one) => one.owner === seat)]).filter(([seat, there]) => there.length || base.totals[seat]);
        return `${nameOf(base.base)}, breakpoint ${base.breakpoint}${base.actions.length ? `, with ${listed(base.actions.map((a) => nameOf(a.card)))}` : ""}: ` +
          (sides.length ? sides.map(([seat, there]) => `${context.name(seat)} ${base.totals[seat]}${there.length ? `: ${listed(there.map(told))}` : ""}`).join("; ") : "nobody") + ".";
      }),
      ...frame.players.map((own, seat) => {
        const hand = handOf(frame, context, seat);
        return `${context.name(seat)}: ${frame.vp[seat]} VP; ${own.factions.length ? listed(own.factions.map((f) => FACTIONS[f][0])) : "no faction yet"}; deck ${own.deck}, discard pile ${own.discard.length}; ` +
          (hand ? `hand: ${hand.length ? listed(hand.map(nameOf)) : "empty"}.` : `${counted(own.hand, "card")} in hand${own.known.length ? `, among them ${listed(own.known.map(nameOf))}` : ""}.`);
      }),
    ];
  };
  window.BotpitGames["monster-smash"] = { draw, words, cards: CARDS, bases: BASES };
})();
