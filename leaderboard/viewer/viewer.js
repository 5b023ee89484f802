// The replay viewer: game-independent part. Plain script, no network, works from file://.
// A game registers `BotpitGames[name] = {draw(root, frame, context)}`; everything that a bot wrote reaches the
// page through textContent alone.
"use strict";
(() => {
  const KNOWN_FORMAT = 1;
  const games = (window.BotpitGames = window.BotpitGames || {});

  // Build elements without ever parsing markup: h("p", {class: "x"}, "text", child).
  const build = (element, attributes, children) => {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value === true ? "" : String(value));
    }
    for (const child of children.flat(Infinity)) {
      if (child === null || child === undefined || child === false) continue;
      element.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
    return element;
  };
  const h = (tag, attributes, ...children) => build(document.createElement(tag), attributes, children);
  const svg = (tag, attributes, ...children) =>
    build(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
  window.BotpitDraw = { h, svg };

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

  const fail = (message) => {
    const place = document.getElementById("stage");
    place.replaceChildren(h("p", { class: "failure", role: "alert" }, message));
  };

  // ---- a drawing for any game that has none of its own --------------------------------------------------------
  const plain = (value, depth = 0) => {
    if (Array.isArray(value)) {
      if (!value.length) return h("span", { class: "dim" }, "none");
      if (value.every((v) => v === null || typeof v !== "object"))
        return h("span", {}, value.map((v, i) => [i ? " " : "", h("span", { class: "chip" }, String(v))]));
      return h("ol", { class: "tree", start: 0 }, value.map((v) => h("li", {}, plain(v, depth + 1))));
    }
    if (value !== null && typeof value === "object")
      return h("dl", { class: "tree" }, Object.entries(value).map(([key, v]) => [h("dt", {}, key), h("dd", {}, plain(v, depth + 1))]));
    return h("span", {}, String(value));
  };
  const fallback = { draw: (root, frame) => root.replaceChildren(plain(frame)) };

  // ---- the player ---------------------------------------------------------------------------------------------
  const start = (data) => {
    if (data.format !== KNOWN_FORMAT) {
      fail(`This replay has viewer format ${data.format}; this viewer knows format ${KNOWN_FORMAT}. ` +
           "Make the page again with the Botpit that wrote the replay.");
      return;
    }
    const $ = (id) => document.getElementById(id);
    const game = games[data.game] || fallback;
    const tracks = {};
    const frames = (who) => (tracks[who] = tracks[who] || unfold(data.tracks[who]));
    const last = data.steps.length; // frame k is the table after k steps
    const still = window.matchMedia("(prefers-reduced-motion: reduce)");
    const state = { at: 0, who: "all", timer: null, speed: 1 };
    const name = (seat) => data.seats[seat].name;

    const clamp = (k) => Math.max(0, Math.min(last, k));
    const marks = data.steps.map((step, i) => (step.mark ? i + 1 : 0)).filter(Boolean);

    // Narration: one line a step; as a seat only the steps' public account, made by the game for that seat.
    const lines = data.steps.map((step, i) =>
      h("li", { "data-step": i + 1, class: step.mark ? "mark" : null, onclick: () => go(i + 1) },
        h("button", { type: "button", tabindex: -1, class: "line" }, h("b", {}, `${i + 1}`), " ", h("span", {}, ""))));
    // An empty account means that the seat saw all of it; "-" that it saw nothing.
    const told = (step) => {
      const seen = state.who === "all" ? "" : step.seen[state.who];
      return seen === "-" ? "nothing that this seat could see" : seen || step.text;
    };
    const say = () => data.steps.forEach((step, i) => { lines[i].querySelector("span").textContent = told(step); });
    $("story").replaceChildren(...lines);

    const acts = (step) => Object.entries(step ? step.acts : {}).map(([seat, act]) => {
      const own = state.who === "all" || state.who === seat;
      const parts = [h("b", {}, name(seat))];
      if (act.forced) parts.push(h("span", { class: "dim" }, " had one legal action"));
      else if (act.ms !== null && act.ms !== undefined) parts.push(h("span", { class: "dim" }, ` thought ${act.ms} ms`));
      if (act.fault) parts.push(h("span", { class: "fault" }, ` fault: ${act.fault}`));
      if (act.note && own) parts.push(h("q", { class: "note" }, act.note));
      return h("li", {}, parts);
    });

    const render = () => {
      const step = state.at ? data.steps[state.at - 1] : null;
      const view = frames(state.who);
      game.draw($("stage"), view[state.at], {
        seat: state.who === "all" ? null : Number(state.who), seats: data.seats, step, h, svg,
        previous: state.at ? view[state.at - 1] : null, over: state.at === last, end: data.end, actor: step ? Object.keys(step.acts).map(Number) : [],
      });
      $("scrub").value = state.at;
      $("scrub").setAttribute("aria-valuetext", `step ${state.at} of ${last}`);
      $("count").textContent = `${state.at} / ${last}`;
      const text = step ? told(step) : "before the first step";
      $("now").textContent = state.at === last && last ? `${text}. ${data.end.reason}` : text;
      $("acts").replaceChildren(...acts(step));
      for (const line of lines) line.removeAttribute("aria-current");
      if (state.at) {
        const line = lines[state.at - 1];
        line.setAttribute("aria-current", "step");
        const box = $("story");
        const top = line.offsetTop - box.offsetTop;
        if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 60) box.scrollTop = top - box.clientHeight / 3;
      }
      $("first").disabled = $("back").disabled = state.at === 0;
      $("final").disabled = $("next").disabled = state.at === last;
      $("podium").hidden = state.at !== last;
      const hash = `#step=${state.at}` + (state.who === "all" ? "" : `&seat=${state.who}`);
      try { history.replaceState(null, "", hash); } catch { /* some browsers refuse this for files */ }
    };
    const go = (k) => { state.at = clamp(k); render(); };
    const pause = () => {
      clearTimeout(state.timer);
      state.timer = null;
      $("play").textContent = "Play";
      $("play").setAttribute("aria-pressed", "false");
    };
    const tick = () => {
      if (state.at >= last) return pause();
      go(state.at + 1);
      state.timer = setTimeout(tick, 1000 / state.speed);
    };
    const play = () => {
      if (state.timer !== null) return pause();
      if (state.at === last) state.at = 0;
      $("play").textContent = "Pause";
      $("play").setAttribute("aria-pressed", "true");
      tick();
    };
    const toMark = (direction) => {
      const found = direction > 0 ? marks.find((m) => m > state.at) : marks.filter((m) => m < state.at).pop();
      go(found === undefined ? (direction > 0 ? last : 0) : found);
    };
    const see = (who) => { state.who = who; $("who").value = who; say(); render(); };

    // Controls
    const on = (id, action) => $(id).addEventListener("click", () => { if (id !== "play") pause(); action(); });
    on("first", () => go(0)); on("back", () => go(state.at - 1)); on("next", () => go(state.at + 1));
    on("final", () => go(last)); on("play", play);
    $("scrub").max = last;
    $("scrub").addEventListener("input", (event) => { pause(); go(Number(event.target.value)); });
    $("speed").addEventListener("change", (event) => { state.speed = Number(event.target.value); });
    $("jump").addEventListener("submit", (event) => {
      event.preventDefault();
      pause();
      const wanted = Number.parseInt($("jump-to").value, 10);
      if (Number.isFinite(wanted)) go(wanted);
    });
    $("who").replaceChildren(h("option", { value: "all" }, "everything"),
      ...data.seats.map((seat, i) => h("option", { value: String(i) }, `only what seat ${i}, ${seat.name}, could see`)));
    $("who").addEventListener("change", (event) => see(event.target.value));
    const keys = {
      ArrowRight: () => go(state.at + 1), ArrowLeft: () => go(state.at - 1), Home: () => go(0), End: () => go(last),
      PageDown: () => go(state.at + 10), PageUp: () => go(state.at - 10), n: () => toMark(1), p: () => toMark(-1),
    };
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const at = event.target;
      if (at.matches("input[type=number], select, textarea")) return;
      if (event.key === " " && !at.matches("button, summary, a")) { event.preventDefault(); return play(); }
      if (/^[0-9a]$/.test(event.key) && (event.key === "a" || Number(event.key) < data.seats.length))
        return see(event.key === "a" ? "all" : event.key);
      const action = keys[event.key];
      if (!action) return;
      event.preventDefault();
      pause();
      action();
    });

    // Marks under the scrubber
    $("marks").replaceChildren(...data.steps.map((step, i) => step.mark &&
      svg("rect", { x: `${(100 * (i + 1)) / Math.max(last, 1)}%`, y: 0, width: 2, height: 8 }, svg("title", {}, `${i + 1}: ${step.mark}`))).filter(Boolean));

    // Result
    const order = data.seats.map((_, i) => i).sort((a, b) => data.end.ranks[a] - data.end.ranks[b]);
    $("podium").replaceChildren(h("h2", {}, "Result"), h("p", {}, data.end.reason), h("ol", { class: "ranks" },
      order.map((seat) => h("li", { value: data.end.ranks[seat] }, h("b", {}, name(seat)), ` ${data.end.scores[seat]} points`))));
    $("notices").replaceChildren(...(data.notices || []).map((text) => h("li", {}, text)));

    const hash = new URLSearchParams(location.hash.slice(1));
    const seat = hash.get("seat");
    state.who = seat !== null && data.tracks[seat] ? seat : "all";
    state.at = clamp(Number.parseInt(hash.get("step") || "0", 10) || 0);
    state.speed = still.matches ? 0.5 : 1;
    $("speed").value = String(state.speed);
    see(state.who);
    document.body.dataset.ready = "true";
    window.BotpitViewer = { go, see, play, state, last };
  };

  // ---- theme --------------------------------------------------------------------------------------------------
  const theme = document.getElementById("theme");
  if (theme) theme.addEventListener("click", () => {
    const dark = getComputedStyle(document.documentElement).colorScheme.startsWith("dark");
    document.documentElement.dataset.theme = dark ? "light" : "dark";
  });

  window.BotpitReplay = (base64) => inflate(base64).then(start).catch((error) => fail(
    `This replay could not be read (${error.message}). A browser of 2023 or later is needed; the file may be cut.`));
  const inline = document.getElementById("replay-data");
  if (inline) window.BotpitReplay(inline.textContent);
})();
