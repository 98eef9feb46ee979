// What a process has used, as Linux tells of any process.
import { readFileSync } from "node:fs";

/** Linux counts processor time in hundredths of a second. */
const tick = 10_000;

/** Processor time so far, user and system, of all its threads, in microseconds. */
export function processorTime(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tick;
}

/** Resident memory, in MB. */
export function residentMemory(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"));
  return Number(kilobytes) / 1000;
}
