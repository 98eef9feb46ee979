import type { ComponentChildren } from "preact";
import { isMembers } from "../../members.ts";

/** Shows the value of a member of any kind; the `title` has the whole value. */
export function Value({ value }: { readonly value: unknown }) {
  if (value === undefined) return null;
  if (value === null || value === "") return <i class="muted">{value === null ? "null" : "empty text"}</i>;
  if (typeof value === "string") return <span class="value">{value.includes("@") ? breakable(value) : value}</span>;
  if (typeof value !== "object") return <span class="value number">{JSON.stringify(value)}</span>;
  const ids = [value].flat().map((one: unknown) => (isMembers(one) ? one["id"] : undefined));
  if (ids.every((id) => typeof id === "string")) {
    if (ids.length === 0) return <i class="muted">none</i>;
    return ids.map((id) => (
      <code key={id} class="reference" title={id}>
        {id.slice(0, 8)}…
      </code>
    ));
  }
  return <code class="value">{JSON.stringify(value)}</code>;
}

/** An e-mail address that wraps only after punctuation, not within a word. */
function breakable(address: string): ComponentChildren {
  return address.split(/(?<=[@.])/).flatMap((part, at) => [at > 0 && <wbr key={at} />, part]);
}
