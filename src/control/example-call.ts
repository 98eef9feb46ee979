import type { ExampleCall } from "../control.ts";

/** A call with its shell command, whose double quotes work in POSIX and Windows shells. */
export function withCurl(call: Omit<ExampleCall, "curl">, baseUrl: string): ExampleCall {
  const url = baseUrl + call.path;
  // Without -g, curl reads brackets (create_date[gte]) as a range. Without -w, the prompt would follow the body.
  const flags = `${/[[\]{}]/.test(url) ? "-g " : ""}-i -w "\\n"`;
  const curl = `curl ${flags} -H "Authorization: Bearer ${call.key}" ${/[^\w:/.%-]/.test(url) ? `"${url}"` : url}`;
  return { ...call, curl };
}
