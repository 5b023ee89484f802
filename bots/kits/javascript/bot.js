// A starter bot in JavaScript: plays a random legal action of any game. It needs nothing but Node.
//
// The referee writes one JSON object per line to our standard input and reads one answer per line from our standard
// output. Change `choose`; the rest can stay. Debug text belongs on stderr (console.error).
"use strict";

let state = 2463534242;

// xorshift32, so that a match with the same bot_seed is played the same again.
function random(below) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % below;
}

// The index of our action in message.legal. message.view is all that we may know, message.events what happened.
function choose(message) {
  return random(message.legal.length);
}

function send(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

function hear(message) {
  if (message.type === "start") {
    if (Number.isInteger(message.bot_seed)) state = (state ^ message.bot_seed) || 1;
    send({ type: "ready", name: "javascript-starter" });
  } else if (message.type === "decide") {
    send({ type: "choice", id: message.id, choice: choose(message) });
  } else if (message.type === "fault") {
    console.error("fault:", message.kind, message.message);
  }
}

// Lines are cut at "\n" alone: other line separators may stand inside a string.
let pending = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text) => {
  pending += text;
  const lines = pending.split("\n");
  pending = lines.pop();
  for (const line of lines) if (line.trim()) hear(JSON.parse(line));
});
process.stdin.on("end", () => process.exit(0));
