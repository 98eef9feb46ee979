/** The quantile of some figures, interpolated between the nearest two. */
export function quantile(figures, share) {
  const sorted = figures.toSorted((left, right) => left - right);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)];
  return below + (sorted[Math.ceil(place)] - below) * (place % 1);
}

export function median(figures) {
  return quantile(figures, 0.5);
}

/** The duration of an action in milliseconds. */
export async function milliseconds(act) {
  const since = performance.now();
  await act();
  return performance.now() - since;
}
