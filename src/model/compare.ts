/** Orders texts by their characters' codes, which for instants is by time. */
export function compareText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
