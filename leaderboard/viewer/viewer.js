// The replay viewer: the part that every game shares. Plain script, no network, works from file://.
// A game registers `BotpitGames[name] = {draw(root, frame, context), words(frame, context)}`: the table as a drawing
// and the same in sentences. Everything that a stranger chose reaches the page through text nodes alone.
"use strict";
(() => {
  const KNOWN_FORMAT = 2;
  const { h, svg } = window.BotpitDraw;
  const $ = (id) => document.getElementById(id);

  // ---- payload ------------------------------------------------------------------------------------------------
  const inflate = async (base64) => {
    const bytes = Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  };

  // A track holds the first frame whole and after it only the top-level keys that changed.
  const unfold = (track) => {
    const frames = [];
    let frame = {};
    for (const { set, gone } of track) {
      frame = { ...frame, ...set };
      for (const key of gone || []) delete frame[key];
      frames.push(frame);
    }
    return frames;
  };

  const fail = (message) => $("stage").replaceChildren(h("p", { class: "failure", role: "alert" }, message));

  // ---- a drawing for any game that has none of its own --------------------------------------------------------
  const plain = (value) => {
    if (Array.isArray(value)) {
      if (!value.length) return h("span", { class: "dim" }, "none");
      if (value.every((v) => v === null || typeof v !== "object"))
        return h("span", {}, value.map((v, i) => [i ? " " : "", h("span", { class: "chip" }, String(v))]));
      return h("ol", { class: "tree", start: 0 }, value.map((v) => h("li", {}, plain(v))));
    }
    if (value !== null && typeof value === "object")
      return h("dl", { class: "tree" }, Object.entries(value).map(([key, v]) => [h("dt", {}, key), h("dd", {}, plain(v))]));
    return h("span", {}, String(value));
  };
  const fallback = { draw: (root, frame) => root.replaceChildren(plain(frame)) };

  const seconds = (ms) => (ms < 1000 ? `${Math.round(ms * 10) / 10} ms` : `${Math.round(ms / 100) / 10} s`);
  const minus = (number) => String(number).replace("-", "\u2212");

  // ---- the player ---------------------------------------------------------------------------------------------
  const start = (data) => {
    if (data.format !== KNOWN_FORMAT) {
      fail(`This replay has viewer format ${data.format}; this viewer knows format ${KNOWN_FORMAT}. ` +
           "Make the page again with the Botpit that wrote the replay.");
      return;
    }
    const drawn = window.BotpitGames[data.game];
    const game = drawn || fallback;
    const tracks = {};
    const frames = (who) => (tracks[who] = tracks[who] || unfold(data.tracks[who]));
    const last = data.steps.length; // frame k is the table after k steps
    const still = window.matchMedia("(prefers-reduced-motion: reduce)");
    const state = { at: 0, who: "all", timer: null, speed: 1 };
    const count = data.seats.length;
    // Two entrants of one name are told apart by their seats.
    const name = (at) => {
      const seat = Number(at);
      const own = data.seats[seat].name;
      return data.seats.some((other, i) => i !== seat && other.name === own) ? `${own} (seat ${seat})` : own;
    };
    const clamp = (k) => Math.max(0, Math.min(last, k));
    const faulty = (step) => Object.values(step.acts).some((act) => act.fault);
    const marks = data.steps.map((step, i) => (step.mark || faulty(step) ? i + 1 : 0)).filter(Boolean);

    // "seat 2" and "seats 0, 1 and 2" in our own sentences become names, as elements, never by pasting text.
    const SEATS = /\b(?:seats \d(?:(?:, | and )\d)*|seat \d)(?!\d)/gi;
    const named = (text) => {
      const parts = [];
      let from = 0;
      for (const found of text.matchAll(SEATS)) {
        const words = found[0].match(/\d|, | and /g).map((word) =>
          /\d/.test(word) && Number(word) < count ? h("b", { class: `who p${word}`, dir: "auto" }, name(Number(word))) : word);
        parts.push(text.slice(from, found.index), ...words);
        from = found.index + found[0].length;
      }
      return [...parts, text.slice(from)];
    };
    // A game may draw its own short names of cards where they stand in a step's account.
    const spelled = (text) => named(text).flatMap((part) => (typeof part === "string" && game.spell ? game.spell(part) : [part]));

    // An empty account means that the seat saw all of it.
    const told = (step) => (state.who !== "all" && step.seen[state.who]) || step.text;
    const lines = data.steps.map((step, i) =>
      h("li", { "data-step": i + 1, class: `${step.mark || faulty(step) ? "mark" : ""} ${faulty(step) ? "fault-step" : ""}`, onclick: () => { pause(); go(i + 1); } },
        h("button", { type: "button", tabindex: -1, class: "line" }, h("b", {}, i + 1), h("span", {}))));
    const say = () => data.steps.forEach((step, i) => lines[i].querySelector("span").replaceChildren(...spelled(told(step))));
    $("story").replaceChildren(...lines);

    const slowest = Math.max(1, ...data.steps.flatMap((step) => Object.values(step.acts).map((act) => act.ms || 0)));
    // How long others thought, what they noted and whether they had a choice is not for a seat to know; faults are public.
    const acts = (step) => Object.entries(step ? step.acts : {}).map(([seat, act]) => {
      const own = state.who === "all" || state.who === seat;
      if (!own && !act.fault) return null;
      const parts = [h("b", { class: "who", dir: "auto" }, name(seat))];
      if (own && act.forced) parts.push(h("span", { class: "dim" }, " had one legal action"));
      else if (own) {
        parts.push(h("span", { class: "dim" }, ` thought ${seconds(act.ms || 0)}`));
        parts.push(h("span", { class: "think", "aria-hidden": "true" }, h("span", { style: { width: `${(100 * (act.ms || 0)) / slowest}%` } })));
      }
      if (act.fault) parts.push(h("span", { class: "fault" }, ` fault: ${act.fault.replace(/_/g, " ")}`));
      if (act.note && own) parts.push(h("q", { class: "note", dir: "auto" }, act.note));
      return h("li", { class: `p${seat}` }, parts);
    }).filter(Boolean);

    const render = () => {
      const step = state.at ? data.steps[state.at - 1] : null;
      const view = frames(state.who);
      const frame = view[state.at];
      const context = {
        seat: state.who === "all" ? null : Number(state.who), seats: data.seats, name, step, over: state.at === last,
        end: data.end, events: step ? step.events : [], previous: state.at ? view[state.at - 1] : null,
        actors: step ? Object.keys(step.acts).map(Number) : [], width: $("stage").clientWidth,
      };
      game.draw($("stage"), frame, context);
      if (game.words) $("words").querySelector("ul").replaceChildren(...game.words(frame, context).map((line) => h("li", {}, line)));
      $("scrub").value = state.at;
      $("scrub").style.setProperty("--done", last ? state.at / last : 0);
      $("scrub").setAttribute("aria-valuetext", `step ${state.at} of ${last}`);
      $("count").textContent = `step ${state.at} of ${last}`;
      const text = step ? told(step).replace(/\.$/, "") : "Before the first step";
      $("now").replaceChildren(...spelled(text), ...(state.at === last && last && !text.includes(data.end.reason.replace(/\.$/, "")) ? [". ", ...named(data.end.reason)] : []));
      $("acts").replaceChildren(...acts(step));
      for (const line of lines) line.removeAttribute("aria-current");
      const box = $("story");
      if (state.at) {
        const line = lines[state.at - 1];
        line.setAttribute("aria-current", "step");
        if (line.offsetTop < box.scrollTop || line.offsetTop + line.offsetHeight > box.scrollTop + box.clientHeight)
          box.scrollTop = line.offsetTop - box.clientHeight / 3;
      } else box.scrollTop = 0;
      $("first").disabled = $("back").disabled = state.at === 0;
      $("final").disabled = $("next").disabled = state.at === last;
      $("podium").hidden = state.at !== last;
      const hash = `#step=${state.at}` + (state.who === "all" ? "" : `&seat=${state.who}`);
      try { history.replaceState(null, "", hash); } catch { /* some browsers refuse this for files */ }
    };
    const go = (k) => { state.at = clamp(k); render(); };
    const playing = (yes) => {
      $("play").textContent = yes ? "Pause" : "Play";
      $("play").setAttribute("aria-pressed", String(yes));
      $("now").setAttribute("aria-live", yes ? "off" : "polite");
    };
    const pause = () => {
      clearTimeout(state.timer);
      state.timer = null;
      playing(false);
    };
    const tick = () => {
      if (state.at >= last) return pause();
      go(state.at + 1);
      state.timer = setTimeout(tick, 1000 / state.speed);
    };
    const play = () => {
      if (state.timer !== null) return pause();
      if (state.at === last) state.at = 0;
      playing(true);
      tick();
    };
    const toMark = (direction) => {
      const found = direction > 0 ? marks.find((m) => m > state.at) : marks.filter((m) => m < state.at).pop();
      go(found === undefined ? (direction > 0 ? last : 0) : found);
    };
    const see = (who) => { state.who = who; $("who").value = who; say(); render(); };

    // Controls
    const on = (id, action) => $(id).addEventListener("click", () => { pause(); action(); });
    on("first", () => go(0)); on("back", () => go(state.at - 1)); on("next", () => go(state.at + 1)); on("final", () => go(last));
    $("play").addEventListener("click", play);
    $("scrub").max = last;
    $("scrub").addEventListener("input", (event) => { pause(); go(Number(event.target.value)); });
    $("speed").addEventListener("change", (event) => { state.speed = Number(event.target.value); });
    $("jump-to").max = last;
    $("jump").addEventListener("submit", (event) => {
      event.preventDefault();
      pause();
      const wanted = Number.parseInt($("jump-to").value, 10);
      if (Number.isFinite(wanted)) go(wanted);
    });
    $("who").replaceChildren(h("option", { value: "all" }, "everything"),
      ...data.seats.map((_, i) => h("option", { value: String(i) }, `only what ${name(i)} could see`)));
    $("who").addEventListener("change", (event) => see(event.target.value));
    const keys = {
      ArrowRight: () => go(state.at + 1), ArrowLeft: () => go(state.at - 1), Home: () => go(0), End: () => go(last),
      PageDown: () => go(state.at + 10), PageUp: () => go(state.at - 10), n: () => toMark(1), p: () => toMark(-1),
    };
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const at = event.target;
      if (at.matches("input[type=number], select, textarea")) return;
      if (event.key === " ") {
        if (at.matches("button, summary, a")) return;
        event.preventDefault();
        return play();
      }
      if (/^[0-9a]$/.test(event.key)) {
        if (event.key === "a" || Number(event.key) < count) see(event.key === "a" ? "all" : event.key);
        return;
      }
      const action = keys[event.key];
      if (!action) return;
      event.preventDefault();
      pause();
      action();
    });

    // Marks under the scrubber
    $("marks").replaceChildren(...marks.map((k) => {
      const step = data.steps[k - 1];
      const fault = faulty(step);
      return svg("rect", { x: `${(100 * k) / last}%`, y: 0, width: 2, height: fault ? 10 : 6, transform: "translate(-1 0)", class: fault ? "fault" : null },
        svg("title", {}, `step ${k}: ${[step.mark, fault && "fault"].filter(Boolean).join(", ")}`));
    }));

    // Result
    const order = data.seats.map((_, i) => i).sort((a, b) => data.end.ranks[a] - data.end.ranks[b]);
    $("podium").replaceChildren(h("h2", {}, "Result"), h("p", {}, named(data.end.reason)), h("ol", {}, order.map((seat) =>
      h("li", { class: `p${seat} ${data.end.ranks[seat] === 1 ? "first" : ""}` }, h("b", {}, `${data.end.ranks[seat]}.`), h("span", { class: "who", dir: "auto" }, name(seat)), h("span", {}, minus(data.end.scores[seat]))))));
    $("notices").replaceChildren(...data.notices.map((text) => h("li", {}, text.split("`").map((part, i) => (i % 2 ? h("code", {}, part) : part)))));
    if (drawn) {
      $("stage").setAttribute("role", "img");
      $("stage").setAttribute("aria-label", "The table as a drawing; “The table in words” below says the same.");
    } else $("words").hidden = true;

    const fromAddress = () => {
      const hash = new URLSearchParams(location.hash.slice(1));
      const seat = hash.get("seat");
      state.at = clamp(Number.parseInt(hash.get("step") || "0", 10) || 0);
      see(seat !== null && Object.hasOwn(data.tracks, seat) ? seat : "all");
    };
    window.addEventListener("hashchange", () => { pause(); fromAddress(); });
    state.speed = still.matches ? 0.5 : 1;
    $("speed").value = String(state.speed);
    fromAddress();
    let width = $("stage").clientWidth;
    new ResizeObserver(() => {
      if ($("stage").clientWidth === width) return;
      width = $("stage").clientWidth;
      render();
    }).observe($("stage"));
    document.body.dataset.ready = "true";
  };

  // A browser reports a damaged payload as a failed fetch, which nobody would understand; the console has the error.
  inflate($("replay-data").textContent).then(start).catch((error) => {
    console.log(error);
    fail("This replay could not be read: the file is cut or damaged, or this browser is older than 2023.");
  });
})();
