// A chart of a soak, drawn by hand: two panels over the same minutes, legible on light and on dark.
const width = 720;
const panelHeight = 150;
const left = 60;
const right = 60;
const gap = 40;

/** So many points are enough for the eye, and keep the file small. */
const mostPoints = 120;

const panels = [
  { unit: "MB", lines: ["rss", "heap"] },
  { unit: "ms", lines: ["p99", "p50"] },
];
const colours = ["#d29922", "#2f81f7"];
const style = [
  "text{font:12px system-ui,sans-serif;fill:#57606a}",
  ".grid{stroke:#d0d7de}",
  ".line{fill:none;stroke-width:1.5}",
  "@media(prefers-color-scheme:dark){text{fill:#9198a1}.grid{stroke:#3d444d}}",
].join("");

/** The samples, `{ minutes, rss, heap, p50, p99 }`, as an SVG document. */
export function chart(samples) {
  const points = thinned(samples);
  const minutes = points.at(-1).minutes;
  const x = (at) => left + (at / minutes) * (width - left - right);
  const height = panels.length * (panelHeight + gap) + 10;
  const drawn = panels.map(({ unit, lines }, index) => {
    const top = 20 + index * (panelHeight + gap);
    const most = roundUp(Math.max(...points.flatMap((point) => lines.map((line) => point[line]))));
    const y = (value) => top + panelHeight - (value / most) * panelHeight;
    return [
      ...[0, most / 2, most].map((value) => rule(y(value), value, unit)),
      ...lines.map((line, colour) => curve(points, { line, x, y, colour: colours[colour] })),
      ...names(points.at(-1), lines, y),
    ].join("\n");
  });
  const bottom = 20 + panels.length * (panelHeight + gap) - gap + 18;
  const hours = [0, minutes / 2, minutes].map((at) => label(x(at), bottom, `${round(at)} min`, "middle"));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>Memory and latency over ${round(minutes)} minutes</title>`,
    `<style>${style}</style>`,
    ...drawn,
    ...hours,
    "</svg>\n",
  ].join("\n");
}

function rule(y, value, unit) {
  const line = `<line class="grid" x1="${left}" x2="${width - right}" y1="${round(y)}" y2="${round(y)}"/>`;
  return line + label(left - 6, y + 4, `${round(value)} ${unit}`, "end");
}

function curve(points, { line, x, y, colour }) {
  const path = points.map((point) => `${round(x(point.minutes))},${round(y(point[line]))}`).join(" ");
  return `<polyline class="line" stroke="${colour}" points="${path}"/>`;
}

/** The names of two lines at their ends, the upper one first, and never on one another. */
function names(last, [upper, lower], y) {
  const below = y(last[lower]) + 4;
  const above = Math.min(y(last[upper]) + 4, below - 13);
  return [label(width - right + 6, above, upper, "start"), label(width - right + 6, below, lower, "start")];
}

function label(x, y, text, anchor) {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${text}</text>`;
}

/** No more points than needed; of those that share a place, the highest of each figure. */
function thinned(samples) {
  const share = Math.ceil(samples.length / mostPoints);
  const points = [];
  for (let index = 0; index < samples.length; index += share) {
    const some = samples.slice(index, index + share);
    const highest = (name) => Math.max(...some.map((sample) => sample[name]));
    points.push(Object.fromEntries(Object.keys(some[0]).map((name) => [name, highest(name)])));
  }
  return points;
}

/** The next of 1, 2, 5, 10, 20, 50 … that is as high. */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value);
}

function round(value) {
  return Number(value.toFixed(1));
}
