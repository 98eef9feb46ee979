// How busy the machine was with what is not ours: figures of a busy machine are worth less.
import { readFileSync } from "node:fs";

/** Starts watching; the answer is the share of the processors, 0 to 1, that others took since. */
export function watchBystanders(pids) {
  const before = reading(pids);
  return () => {
    const after = reading(pids);
    const others = after.all - before.all - (after.ours - before.ours);
    return Math.max(0, others / (after.wall - before.wall));
  };
}

/** That share in words, and what it means for the figures. */
export function bystanders(share) {
  const percent = Math.round(share * 100);
  return `other processes took ${percent} % of the machine${percent > 5 ? ", so these figures are worth little" : ""}`;
}

/** In hundredths of a second: of all processes, of ours with those that they have waited for, and as much as there is. */
function reading(pids) {
  const [, user, nice, system, idle, ioWait, interrupts, softInterrupts] = readFileSync("/proc/stat", "latin1")
    .split("\n", 1)[0]
    .split(/\s+/)
    .map(Number);
  const all = user + nice + system + interrupts + softInterrupts;
  let ours = 0;
  for (const pid of [process.pid, ...pids]) {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    ours += fields[11] + fields[12] + fields[13] + fields[14];
  }
  return { all, ours, wall: all + idle + ioWait };
}
