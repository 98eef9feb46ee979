import type { Browser, BrowserContext, Page } from "@playwright/test";
import axe from "axe-core";
import { join } from "node:path";
import { afterAll, beforeEach, expect, onTestFinished, vi } from "vitest";
import { chromiumFile, launchChromium, missingChromium } from "../../scripts/chromium.js";
import { type LocalSandbox, type SandboxOptions, startSandbox } from "../../src/index.ts";
import { freePort } from "../support/free-port.ts";
import { largeFixture } from "./large-fixture.ts";

/** Both colour schemes, for `test.each(schemes)`. */
export const schemes = ["light", "dark"] as const;

/** The fixtures that every page is looked at with, for `test.each(fixtures)`; `large` has 100,000 investments. */
export const fixtures = ["demo", "empty", "large"] as const;

/** The widths that every page has to fit. */
const widths = [360, 1280, 2560] as const;

/** Milliseconds after which a wait for the page ends: far beyond what a busy machine needs, and below what a test may take. */
const patience = 120_000;
vi.setConfig({ expect: { poll: { timeout: patience } } });

// A proxy of the machine knows none of its addresses.
vi.stubEnv("no_proxy", "*");

export interface PortalOptions {
  /** A shipped fixture, `large`, or a file. @default "demo" */
  readonly fixture?: string;
  /** Further options of a sandbox of this test alone, or a sandbox that goes on after it. @default a frozen clock, no limit */
  readonly sandbox?: SandboxOptions | LocalSandbox;
  /** The route to open, as in an address: `#/default/keys`. @default "" */
  readonly at?: string;
  /** @default "light" */
  readonly scheme?: (typeof schemes)[number];
  /** @default 1280 */
  readonly width?: number;
  /** @default 800 */
  readonly height?: number;
  /** Problems that the test brings about, which are none then: `[/status of 401/]`. @default none */
  readonly expected?: readonly RegExp[];
}

export interface Portal {
  readonly page: Page;
  readonly sandbox: LocalSandbox;
  readonly context: BrowserContext;
  /** Goes to a route as a link would, without loading the page again. */
  readonly go: (at: string) => Promise<void>;
  /** Opens a further tab. */
  readonly tab: (at?: string) => Promise<Page>;
  /** The errors up to now. A test fails for any that is left at its end, so only few have to ask. */
  readonly problems: string[];
}

/**
 * Opens the portal of a sandbox in Chromium, for the length of a test:
 *
 *     test.each(schemes)("revokes a key, %s", async (scheme) => {
 *       const { page, sandbox } = await openPortal({ at: "#/default/keys", scheme });
 *       await page.getByRole("button", { name: "Revoke" }).first().click();
 *       await expectAccessible(page);
 *       await until(async () => (await sandbox.keys.list()).some(({ status }) => status === "revoked"));
 *     });
 *
 * Locators of Playwright wait for what they look for, and so does `await expect.poll(() => locator.innerText()).toBe(…)`. The
 * program is that of `dist/portal/`: `npm run build`, or `node scripts/bundle-portal.js`, makes it from `portal/`.
 *
 * The test fails at its end for every violation of the Content-Security-Policy, error or warning in the console, error that
 * nobody caught and request to another origin, in any tab. `expected` names those that the test is about.
 */
export async function openPortal(options: PortalOptions = {}): Promise<Portal> {
  const { at = "", scheme = "light", width = 1280, height = 800, expected = [] } = options;
  const sandbox = await sandboxOf(options);
  browser ??= launchChromium();
  const context = await (
    await browser
  ).newContext({
    colorScheme: scheme,
    viewport: { width, height },
    reducedMotion: "reduce",
    locale: "en-US",
    // The page shows UTC, wherever it is.
    timezoneId: "Pacific/Auckland",
  });
  context.setDefaultTimeout(patience);
  await noteMessages(context);
  const problems = await watch(context, sandbox.url, expected);
  const tab = async (route = ""): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(`${sandbox.url}/${route}`);
    await page.locator("#portal > *").first().waitFor();
    return page;
  };
  onTestFinished(async () => {
    // A page tells of a violation in a task of its own.
    await Promise.allSettled(context.pages().map((each) => each.evaluate("new Promise((done) => setTimeout(done))")));
    await context.close();
    expect(problems).toEqual([]);
  });
  const page = await tab(at);
  return {
    page,
    sandbox,
    context,
    problems,
    tab,
    go: (route) => page.evaluate((to) => void (location.hash = to), route),
  };
}

async function sandboxOf({ fixture = "demo", sandbox = {} }: PortalOptions): Promise<LocalSandbox> {
  if ("adminUrl" in sandbox) return sandbox;
  const started = await startSandbox({
    rateLimit: 0,
    ...sandbox,
    ...("snapshot" in sandbox ? {} : { fixture: fixture === "large" ? await largeFixture() : fixture }),
  });
  onTestFinished(() => started.close());
  return started;
}

/** Starts a sandbox on a port that another can take once this one is closed, and nobody else is given in between. */
export async function startReplaceable(options: SandboxOptions): Promise<LocalSandbox> {
  return startSandbox({ ...options, port: await freePort() });
}

/** Launched for the first test of a file. */
let browser: Promise<Browser> | undefined;

beforeEach(({ skip }) => skip(chromiumFile === undefined, missingChromium));
afterAll(async () => (await browser)?.close());

/** Collects what goes wrong in the tabs of a context. */
async function watch(context: BrowserContext, origin: string, expected: readonly RegExp[]): Promise<string[]> {
  const problems: string[] = [];
  const note = (problem: string): void => {
    if (!expected.some((pattern) => pattern.test(problem))) problems.push(problem);
  };
  await context.exposeBinding("noteViolation", (_source, violation: string) => note(`policy: ${violation}`));
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) => {
      const { noteViolation } = globalThis as unknown as { noteViolation: (violation: string) => void };
      noteViolation([violatedDirective, blockedURI, sample].join(" "));
    });
  });
  context.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) note(`console: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => note(`uncaught: ${error.error().message}`));
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith("blob:")) note(`request: ${url}`);
  });
  return problems;
}

/** Keeps the messages at the edge of a page: they vanish after some seconds, and a busy machine may look later. */
async function noteMessages(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const messages: string[] = [];
    Object.assign(globalThis, { messages });
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => Array.from(addedNodes))) {
        if (node instanceof HTMLElement && node.matches(".toast")) messages.push(node.innerText);
      }
    }).observe(document, { childList: true, subtree: true });
  });
}

/** The last message that the page has shown; undefined before the first. */
export function lastMessage(page: Page): Promise<string | undefined> {
  return page.evaluate(() => (globalThis as unknown as { messages: string[] }).messages.at(-1));
}

/** Fails for what axe finds on the page as it is now, open dialogues included. */
export async function expectAccessible(page: Page): Promise<void> {
  // Scripts of the debugger are outside the page's policy.
  await page.evaluate(`window.axe ?? (() => { ${axe.source} })()`);
  const violations = await page.evaluate(async () => {
    const { violations: found } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
    return found.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary = "" }) => [`${id}: ${help}`, html.slice(0, 200), failureSummary].join("\n")),
    );
  });
  expect(violations, violations.join("\n\n")).toEqual([]);
}

/** Fails where something is wider than the page, so that the whole of it would scroll sideways. */
export async function expectFits(page: Page): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width);
    const needed = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(needed, `the width of the page in a window of ${width}`).toBeLessThanOrEqual(width);
  }
}

/**
 * Takes pictures of the page in both schemes and all widths, where the variable SCREENSHOTS names a folder for them:
 * `keys-dark-360.png` and so on.
 */
export async function look(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS: folder } = process.env;
  if (folder === undefined) return;
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: width === 360 ? 740 : 900 });
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) });
    }
  }
}
