/** True for text that looks like the name of something: `investments`, `create_date[gte]`. */
export function isWord(text: string): boolean {
  return /^[a-z_.\-[\]]{0,24}$/i.test(text);
}
