const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for text in UUID format, in either case (section 2). */
export function isUuid(text: string): boolean {
  return text.length === 36 && uuid.test(text);
}
