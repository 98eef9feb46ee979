import { closeSync, openSync, writeSync } from "node:fs";

const piece = 1 << 20;

/** Writes a file of many parts, which may together be longer than a string can be. */
export function writeParts(file, parts) {
  const descriptor = openSync(file, "w");
  let pending = "";
  for (const part of parts) {
    pending += part;
    if (pending.length < piece) continue;
    writeSync(descriptor, pending);
    pending = "";
  }
  writeSync(descriptor, pending);
  closeSync(descriptor);
}

/** The parts of a JSON list. */
export function* listParts(items, toItem) {
  yield "[";
  let between = "";
  for (const item of items) {
    yield between + JSON.stringify(toItem(item));
    between = ",\n";
  }
  yield "]";
}
