// The charts, by uPlot, in the colours of the theme. Data lies in JSON blocks of the page.
(() => {
  "use strict";
  const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [], [6, 3], [1, 3], [12, 4]];
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const fixed = (value, digits) => (value == null ? "" : value.toFixed(digits).replace("-", "−"));
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;

  const axes = (x, y) => [x, y].map((label, n) => ({
    label, labelSize: 22, labelFont: "12px system-ui, sans-serif", font: "12px system-ui, sans-serif", labelGap: 0,
    stroke: colour("--soft"), grid: { stroke: colour("--line"), width: 1, show: n === 1 }, ticks: { show: false },
    size: n === 1 ? 44 : 30, values: (_, splits) => splits.map((v) => (v == null ? "" : v.toLocaleString("en").replace("-", "−"))),
  }));
  const base = (box, height, data) => ({
    width: Math.max(260, box.clientWidth - 32), height, cursor: { drag: { x: !still, y: false }, points: { size: 7 } },
    scales: { x: { time: false } }, legend: { live: true }, axes: axes(data.x, data.y),
    hooks: { setCursor: [(plot) => plot.root.classList.toggle("pointed", plot.cursor.idx != null)] },
  });

  const kinds = {
    ratings: (box, data) => ({
      ...base(box, 320, data),
      series: [{ label: data.x, value: (_, v) => (v == null ? "" : v.toLocaleString("en")) }, ...data.names.map((label, n) => ({
        label, stroke: colour("--s" + (n % 8 + 1)), width: 2, dash: DASHES[n % 8], spanGaps: true, points: { show: false }, value: (_, v) => fixed(v, 1),
      }))],
    }),
    band: (box, data) => ({
      ...base(box, 320, data),
      series: [
        { label: data.x, value: (_, v) => (v == null ? "" : v.toLocaleString("en")) },
        { label: data.names[0], stroke: colour("--core"), width: 1, value: (_, v) => fixed(v, 1), points: { show: false } },
        { label: data.names[1], stroke: colour("--s1"), width: 2.5, value: (_, v) => fixed(v, 1), points: { show: false } },
        { label: data.names[2], stroke: colour("--core"), width: 1, value: (_, v) => fixed(v, 1), points: { show: false } },
      ],
      bands: [{ series: [1, 3], fill: colour("--reach") + "99" }],
    }),
    bars: (box, data) => ({
      ...base(box, 230, data),
      legend: { show: false },
      scales: { x: { time: false, range: [data.range[0], data.range[1]] }, y: { range: (_, low, high) => [0, high * 1.08 || 1] } },
      series: [{}, { stroke: colour("--accent"), fill: colour("--core"), width: 1, points: { show: false }, paths: uPlot.paths.bars({ size: [0.86, 80], align: 0 }) }],
    }),
  };

  const plots = [...document.querySelectorAll("[data-chart]")].map((box) => {
    const data = JSON.parse(document.getElementById(box.dataset.from).textContent);
    const state = { box, data, plot: null };
    state.draw = () => {
      state.plot?.destroy();
      state.plot = new uPlot(kinds[box.dataset.chart](box, data), data.points, box);
    };
    state.draw();
    return state;
  });
  document.documentElement.addEventListener("themechange", () => plots.forEach((state) => state.draw()));
  let wait = 0;
  window.addEventListener("resize", () => { cancelAnimationFrame(wait); wait = requestAnimationFrame(() => plots.forEach(({ plot, box }) => plot.setSize({ width: Math.max(260, box.clientWidth - 32), height: plot.height }))); });
})();
