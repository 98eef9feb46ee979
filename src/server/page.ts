import { createHash } from "node:crypto";
import type { EnvironmentDescription, ExampleCall } from "../control.ts";
import { guides } from "../package.ts";

export interface PageContent {
  readonly version: string;
  readonly baseUrl: string;
  readonly environment: EnvironmentDescription;
  readonly examples: readonly ExampleCall[];
}

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; } th, td { padding: .3rem .8rem .3rem 0; text-align: left; vertical-align: top; }
th { font-weight: 600; } tr + tr { border-top: 1px solid #8884; }
code, pre { font: 13px/1.5 ui-monospace, monospace; } td code { overflow-wrap: anywhere; }
pre { background: #8881; border-radius: .4rem; margin: .2rem 0 1rem; overflow-x: auto; padding: .6rem .8rem; }
`;

/** Allows the page's own style and nothing else. */
export const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The page at `/`: base address, offerings, keys, and calls to paste. */
export function page({ version, baseUrl, environment, examples }: PageContent): string {
  const { clock, offerings, keys, profile, fixture } = environment;
  const nameOf = (id: string): string => offerings.find((offering) => offering.id === id)?.name ?? id;
  const pace = clock.speed === 0 ? "frozen" : `speed ${clock.speed}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>offering-sandbox</title>
<style>${style}</style>
<h1>offering-sandbox ${escape(version)}</h1>
<p>A stand-in for the demo environment of the Investment and Offering Reporting Service. Nothing here is real.</p>
${table(
  ["", ""],
  [
    ["Base address", code(baseUrl)],
    ["Description", '<a href="/openapi.json">OpenAPI 3.1</a>'],
    ["Guides", `<a href="${guides}">${guides}</a>`],
    ["Fixture", escape(fixture)],
    ["Profile", escape(profile)],
    ["Clock", `${escape(clock.now)}, ${pace}`],
  ],
)}
<h2>Offerings</h2>
${table(
  ["Name", "Id", "Investments"],
  offerings.map(({ name, id, investments }) => [escape(name), code(id), String(investments)]),
)}
<h2>Keys</h2>
${table(
  ["Key", "For", "A call gets"],
  keys.map(({ key, type, offering_id, label, effect }) => [
    code(key),
    escape(label ?? `${nameOf(offering_id)} ${type}`),
    escape(effect),
  ]),
)}
<h2>Try</h2>
${examples.map(({ title, status, curl }) => `<div>${status} ${escape(title)}</div>\n<pre>${escape(curl)}</pre>`).join("\n")}
</html>
`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const heading = head.some(Boolean) ? `<tr>${head.map((cell) => `<th>${cell}</th>`).join("")}</tr>\n` : "";
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n");
  return `<table>\n${heading}${body}\n</table>`;
}

function code(text: string): string {
  return `<code>${escape(text)}</code>`;
}

function escape(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
