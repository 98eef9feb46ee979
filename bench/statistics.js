/** The quantile of some figures, interpolated between the nearest two. */
export function quantile(figures, share) {
  const sorted = figures.toSorted((left, right) => left - right);
  const position = (sorted.length - 1) * share;
  const lowerValue = sorted[Math.floor(position)];
  return lowerValue + (sorted[Math.ceil(position)] - lowerValue) * (position % 1);
}

export function median(figures) {
  return quantile(figures, 0.5);
}

/** The duration of an action in milliseconds. */
export async function milliseconds(action) {
  const since = performance.now();
  await action();
  return performance.now() - since;
}
