/** A request, and the answer that is expected: its status, and its whole body or its error's code. */
export function asking(path, { headers = {}, status = 200, body, code } = {}) {
  return { path, headers, expected: { status, body, code } };
}
