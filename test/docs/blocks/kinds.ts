/**
 * How the blocks of the pages are tried, if their language does not say it. Readers see plain fences. An entry belongs
 * to the first block of the page with a line that begins with its text, and has one of the `ways` and its settings.
 */
export const kinds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "README.md": {
    "npm ci && npm start": "sh checkout server",
    "npx offering-sandbox": "sh server",
    "npm ci && npm test": 'sh checkout unrun="it runs the tests, of which this is one"',
  },
  "SKILL.md": {
    'import { test } from "node:test"': "js file=client.test.mjs",
    "npx offering-sandbox --no-scenario": "sh server",
    '{ "mcpServers"': "json file=.mcp.json",
  },
  "docs/adding/a-setting.md": { "npx tsc": "sh changed exit=1", "npm run typecheck": "sh changed" },
  "docs/adding/an-admin-call.md": { "npx tsc": "sh changed exit=1", "npm run typecheck": "sh changed" },
  "docs/adding/an-assumption.md": { "npx tsc": "sh changed exit=1", "npm run generate": "sh changed" },
  "docs/adding/an-effect.md": { "npx tsc": "sh changed exit=1", "npm run generate": "sh changed" },
  "docs/adding/an-error.md": { "npx tsc": "sh changed exit=1", "npm run generate": "sh changed" },
  "docs/admin-api.md": {
    "npx offering-sandbox --scenario": "sh server",
    "npx offering-sandbox --admin-token": "sh server",
  },
  "docs/architecture.md": { "bin/": "text shown", "cli →": "text shown" },
  "docs/assumptions.md": {
    "$ npx offering-sandbox exec --vary": "text shown",
  },
  "docs/calibrate.md": {
    "export OFFERING_SANDBOX_REAL_KEYS": 'sh unrun="needs a key of the real service"',
    "npx offering-sandbox --port": "sh server name=service",
  },
  "docs/snapshots.md": { "npx offering-sandbox --no-scenario": "sh server" },
  "docs/ci.md": {
    'import { test } from "node:test"': "js file=service.test.mjs",
    '{ "private": true': "json file=package.json",
    "rate-limit: 0": "yaml config file=offering-sandbox.config.yaml",
    "npx offering-sandbox replay": 'sh unrun="needs the artifact of a job"',
    "2026-01-17T12:00:00.000Z, paused": "text shown",
    "docker build": 'sh unrun="needs a Docker engine"',
    "npx offering-sandbox clock advance": 'sh unrun="needs the container"',
    "import { connectSandbox }": 'ts unrun="needs a Docker engine" lacks=testcontainers',
  },
  "docs/command-line.md": { "offering-sandbox --no-scenario": "sh server" },
  "docs/coverage.md": { "npx offering-sandbox exec": "sh exit=3" },
  "docs/fixtures.md": {
    '"$schema"': "json fixture file=my.json",
    "npx offering-sandbox --fixture": "sh server",
    '"scenarios": []': "text shown",
    '"offerings": [{ "alias": "aurora" }': "json fixture",
    '"amount": 10000': "json fixture",
  },
  "docs/front-end.md": {
    "offeringSandbox(),": "ts file=vite.config.mts",
    "import { setTimeout as wait }": "js file=poll.mjs",
    "npx vite": "sh server",
    "export async function readInvestments": "ts file=src/investments.mts",
    "key: ({ headers })": "ts file=both.config.mts",
    "test.use(": "ts file=redaction.spec.ts",
  },
  "docs/persistence.md": {
    "npx offering-sandbox --db sandbox.json": "sh server",
    "npx offering-sandbox --db postgres:": 'sh unrun="needs PostgreSQL"',
  },
  "docs/portal.md": { "npx offering-sandbox": "sh server", "npx offering-sandbox --admin-token": "sh server" },
  "docs/recipes.md": {
    "npx offering-sandbox faults": 'sh unrun="needs the sandbox of a page"',
    "import { QueryClient }": "ts recipe",
    "import axios": "ts recipe",
    "import ky": "ts recipe",
    "export async function GET": "ts recipe",
    "rewrites:": "js recipe",
    "import { http,": "ts recipe",
  },
  "docs/scenarios.md": {
    "# yaml-language-server": "yaml scenario",
    "description: A couple signs": "yaml scenario",
    "npx offering-sandbox --no-scenario": "sh server",
  },
  "docs/sharing.md": {
    "npx offering-sandbox --no-scenario": "sh server",
    "npm install pg": 'sh unrun="needs PostgreSQL"',
  },
  "docs/testing.md": {
    "import type { InvestmentDocument }": "ts file=closing.test.ts",
    'test("events since new year"': "ts file=failing.test.ts",
    "npx vitest run failing.test.ts": "sh exit=1",
    "npx --no-install": "text shown",
    "assume:": "yaml config file=offering-sandbox.config.yaml",
    'test("the config file has settings': "js file=settings.test.mjs",
    "import { connectSandbox }": "ts file=connected.mts",
  },
  "docs/your-first-scenario.md": {
    "npx offering-sandbox --no-scenario": "sh server",
    "description: A person registers.": "yaml scenario file=mine.yaml",
    "sed ": "sh exit=2",
    "description: A person subscribes": "yaml scenario file=mine.yaml",
    "description: An investment that closes": "yaml scenario file=mine.yaml",
  },
};
