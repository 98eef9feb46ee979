/** A round of a list, which begins with another member each time, so that none is always first. */
export function rotated(list, round) {
  const by = round % list.length;
  return [...list.slice(by), ...list.slice(0, by)];
}
