// Measures how much processor time calibrate takes for huge answers, beyond parsing them: npm run build && node bench/calibrate.js
import { Memory } from "../build/calibrate/answers/memory.js";
import { jsonIn, shapeOf } from "../build/calibrate/answers/shape.js";

/** The most milliseconds of an answer. */
const most = 50;

const members = (count) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`member${at}`, at]));
const items = (count, attributes) =>
  Array.from({ length: count }, (_, at) => ({ id: `i${at}`, type: "investments", attributes }));

const bodies = {
  "3 MB of nested lists": "[".repeat(1_500_000) + "]".repeat(1_500_000),
  "200,000 members in one object": JSON.stringify({ data: members(200_000) }),
  "200 items of 900 members": JSON.stringify({ data: items(200, members(900)) }),
  "1,000 items of 60 members": JSON.stringify({ data: items(1000, members(60)) }),
  "60,000 items": JSON.stringify({ data: items(60_000, {}) }),
  "300,000 lists": JSON.stringify(Array.from({ length: 300_000 }, () => [[1]])),
};

/** Processor time of this process, in milliseconds. */
function costOf(work) {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];

for (const [name, body] of Object.entries(bodies)) {
  // By turns, so that both meet the same machine.
  const rounds = Array.from({ length: 7 }, () => ({
    parsed: costOf(() => jsonIn(body)),
    reduced: costOf(() => shapeOf({ status: 200, headers: {}, body }, "list", {}, new Memory())),
  }));
  const beyond = median(rounds.map(({ parsed, reduced }) => reduced - parsed));
  const parsing = median(rounds.map(({ parsed }) => parsed));
  console.log(`${name}: ${Math.round(beyond)} ms beyond ${Math.round(parsing)} ms for parsing`);
  if (beyond > most) process.exitCode = 1;
}
