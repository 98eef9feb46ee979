// Processor time and memory of processes on Linux.
import { readFileSync } from "node:fs";

/** Linux counts processor time in hundredths of a second. */
const microsecondsPerTick = 10_000;

/** A process's processor time so far, user and system, of all threads, in microseconds. */
export function processorTime(pid) {
  const [user, system] = ticks(pid);
  return (user + system) * microsecondsPerTick;
}

/** The processor time of the children of this process that have ended, and of theirs, in microseconds. */
export function childrenTime() {
  const [, , user, system] = ticks(process.pid);
  return (user + system) * microsecondsPerTick;
}

/** Resident memory, in MB. */
export function residentMemory(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"));
  return Number(kilobytes) / 1000;
}

/**
 * Measures how busy the machine is with processes other than itself, its ended children and `pids`. The returned
 * function describes it in words.
 */
export function watchOthers(pids) {
  const ticksBefore = machineTicks(pids);
  return () => {
    const ticksAfter = machineTicks(pids);
    const share = Math.max(0, (ticksAfter.otherTicks - ticksBefore.otherTicks) / (ticksAfter.all - ticksBefore.all));
    const percent = Math.round(share * 100);
    return `other processes took ${percent} % of the machine${percent > 5 ? ", so these figures are worth little" : ""}`;
  };
}

function machineTicks(pids) {
  const [line] = readFileSync("/proc/stat", "latin1").split("\n", 1);
  const [user, nice, system, idle, ioWait, interrupts, softInterrupts] = line.split(/\s+/).slice(1).map(Number);
  const busy = user + nice + system + interrupts + softInterrupts;
  const ours = [process.pid, ...pids].flatMap(ticks).reduce((sum, tickCount) => sum + tickCount, 0);
  return { otherTicks: busy - ours, all: busy + idle + ioWait };
}

/** User and system time of a process and its ended children. */
function ticks(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).map(Number);
}
