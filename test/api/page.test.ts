import { expect, test } from "vitest";
import type { KeyDescription } from "../../src/control.ts";
import { page, type PageContent } from "../../src/server/page.ts";

const nasty = `<b>&"'`;
const escaped = "&lt;b&gt;&amp;&quot;&#39;";

const key = (over: Partial<KeyDescription>): KeyDescription => ({
  id: "key-1",
  environment: "default",
  key: "sandbox_partner",
  type: "partner",
  offering_id: "one",
  status: "active",
  effect: nasty,
  alias: null,
  label: null,
  create_date: "2026-01-15T12:00:00.000Z",
  revoke_date: null,
  ...over,
});

function content(speed: number, keys: readonly KeyDescription[]): PageContent {
  return {
    version: "1.2.3",
    baseUrl: "http://localhost:4120/api/v1",
    environment: {
      id: "default",
      label: null,
      base_url: "http://localhost:4120/api/v1",
      marketing_key: null,
      partner_key: null,
      fixture: nasty,
      create_date: "2026-01-15T12:00:00.000Z",
      clock: { now: "2026-01-15T12:00:00.000Z", speed },
      profile: "conventional",
      rate_limit: 0,
      offerings: [{ id: "one", name: `First ${nasty}`, alias: null, investments: 12 }],
      keys,
      runs: [],
    },
    examples: [{ title: nasty, status: 418, path: "/x", key: "k", curl: `curl ${nasty}` }],
  };
}

/** The rows of the tables of a page, each as the texts of its cells. */
function rowsOf(html: string): string[][] {
  const rows = Array.from(html.matchAll(/<tr>(.*?)<\/tr>/g), ([, row = ""]) => row);
  return rows.map((row) => Array.from(row.matchAll(/<t[hd]>(.*?)<\/t[hd]>/g), ([, cell = ""]) => cell));
}

test("the page shows each fact in its place, and takes no text for HTML", () => {
  const keys = [
    key({}),
    key({ label: nasty }),
    key({ effect: "every call is a 401", label: "old", offering_id: "gone", key: nasty }),
  ];
  const html = page(content(0, keys));
  const one = `First ${escaped}`;
  expect(rowsOf(html)).toEqual([
    ["Base address", "<code>http://localhost:4120/api/v1</code>"],
    ["Description", '<a href="/openapi.json">OpenAPI 3.1</a>'],
    ["Guides", expect.stringContaining('<a href="https://')],
    ["Fixture", escaped],
    ["Profile", "conventional"],
    ["Clock", "2026-01-15T12:00:00.000Z, frozen"],
    ["Name", "Id", "Investments"],
    [one, "<code>one</code>", "12"],
    ["Key", "For", "A call gets"],
    ["<code>sandbox_partner</code>", `${one} partner`, escaped],
    ["<code>sandbox_partner</code>", escaped, escaped],
    [`<code>${escaped}</code>`, "old", "every call is a 401"],
  ]);
  expect(html).toContain("<h1>offering-sandbox 1.2.3</h1>");
  expect(html).toContain(`<div>418 ${escaped}</div>\n<pre>curl ${escaped}</pre>`);
  expect(html).not.toContain(nasty);
  expect(rowsOf(page(content(60, keys)))).toContainEqual(["Clock", "2026-01-15T12:00:00.000Z, speed 60"]);
});
