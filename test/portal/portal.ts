import type { Browser, BrowserContext, Page } from "@playwright/test";
import axe from "axe-core";
import { afterAll, beforeEach, expect, onTestFinished, vi } from "vitest";
import { chromiumFile, launchChromium, missingChromium } from "../../scripts/chromium.js";
import { type LocalSandbox, type SandboxOptions, startSandbox } from "../../src/index.ts";
import { freePort } from "../support/free-port.ts";
import { writeFixture } from "../support/write-fixture.ts";

/** Both color schemes, for `test.each(schemes)`. */
export const schemes = ["light", "dark"] as const;

/** The fixture `large`, with more investments than fit on a page of the list or an export. */
const large = {
  offerings: ["Aurora Robotics", "Borealis Energy"].map((name) => ({ name, generate: { investments: 2000 } })),
  scenarios: [],
};

/** Window widths into which each page must fit. */
const widths = [360, 1280, 2560] as const;

/** Milliseconds until a wait for the page fails: more than a busy machine needs, less than the time limit of a test. */
const waitTimeoutMs = 120_000;
vi.setConfig({ expect: { poll: { timeout: waitTimeoutMs } } });

export interface PortalOptions {
  /** A shipped fixture, `large`, or a file. @default "demo" */
  readonly fixture?: string;
  /** Options of a sandbox for this test, or a running sandbox. @default a paused clock, no limit */
  readonly sandbox?: SandboxOptions | LocalSandbox;
  /** The route to open, as in an address: `#/default/keys`. @default "" */
  readonly hash?: string;
  /** @default "light" */
  readonly scheme?: (typeof schemes)[number];
  /** @default 1280 */
  readonly width?: number;
  /** @default 800 */
  readonly height?: number;
  /** Whether the page moves, for tests of that. @default false */
  readonly hasMotion?: boolean;
  /** Whether scrollbars take room, as they do for most people. @default false */
  readonly hasScrollbars?: boolean;
  /** Expected problems, which do not fail the test: `[/status of 401/]`. @default none */
  readonly expected?: readonly RegExp[];
}

export interface Portal {
  readonly page: Page;
  readonly sandbox: LocalSandbox;
  readonly context: BrowserContext;
  /** Opens a route as a link does, without reloading the page. Resolves when the view is there, even without data. */
  readonly go: (hash: string) => Promise<void>;
  /** Opens another tab. */
  readonly tab: (hash?: string) => Promise<Page>;
  /** Problems so far. The test fails if any are left at its end, so few tests need to check. */
  readonly problems: string[];
}

/**
 * Opens the portal of a sandbox in Chromium, for the length of a test:
 *
 *     const { page, sandbox } = await openPortal({ hash: "#/default/keys" });
 *     await page.getByRole("button", { name: "Revoke" }).first().click();
 *     await until(async () => (await sandbox.keys.list()).some(({ status }) => status === "revoked"));
 *
 * Playwright's locators wait for their elements, as does `await expect.poll(() => locator.innerText()).toBe(…)`. The
 * program comes from `dist/portal/`: `npm run build`, or `node scripts/bundle-portal.js`, makes it from `portal/`.
 *
 * The test fails at its end for each violation of the Content-Security-Policy, error or warning in the console,
 * uncaught error and request to another origin, in any tab. `expected` lists the expected ones.
 */
export async function openPortal(options: PortalOptions = {}): Promise<Portal> {
  const { hash = "", scheme = "light", width = 1280, height = 800, expected = [] } = options;
  const { hasMotion = false, hasScrollbars = false } = options;
  const sandbox = await sandboxOf(options);
  const launched = (browsers[Number(hasScrollbars)] ??= launchChromium({ hasScrollbars }));
  const context = await (
    await launched
  ).newContext({
    colorScheme: scheme,
    viewport: { width, height },
    reducedMotion: hasMotion ? "no-preference" : "reduce",
    locale: "en-US",
    // The page shows UTC in every time zone.
    timezoneId: "Pacific/Auckland",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(waitTimeoutMs);
  await noteMessages(context);
  const problems = await watch(context, sandbox.url, expected);
  const tab = async (route = ""): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(`${sandbox.url}/${route}`);
    await page.locator("#portal > *").first().waitFor();
    return page;
  };
  onTestFinished(async () => {
    // A page reports a violation in a later task.
    await Promise.allSettled(context.pages().map((each) => each.evaluate("new Promise((done) => setTimeout(done))")));
    await context.close();
    expect(problems).toEqual([]);
  });
  const page = await tab(hash);
  return {
    page,
    sandbox,
    context,
    problems,
    tab,
    go: (route) =>
      page.evaluate(
        (to) =>
          new Promise<void>((done) => {
            if (location.hash === to) return done();
            // After the listener of the page, which has then left the view before.
            addEventListener("hashchange", () => done(), { once: true });
            location.hash = to;
          }),
        route,
      ),
  };
}

async function sandboxOf({ fixture = "demo", sandbox = {} }: PortalOptions): Promise<LocalSandbox> {
  if ("adminUrl" in sandbox) return sandbox;
  const newSandbox = await startSandbox({
    rateLimit: 0,
    ...sandbox,
    ...("snapshot" in sandbox ? {} : { fixture: fixture === "large" ? await writeFixture(large) : fixture }),
  });
  onTestFinished(() => newSandbox.close());
  return newSandbox;
}

/** Starts a sandbox on a port that another sandbox can reuse; no other program gets the port in between. */
export async function startReplaceable(options: SandboxOptions): Promise<LocalSandbox> {
  return startSandbox({ ...options, port: await freePort() });
}

/** The browsers of a test file, launched for its first test: one without scrollbars, and one with them. */
const browsers: Promise<Browser>[] = [];

beforeEach(({ skip }) => skip(chromiumFile === undefined, missingChromium));
afterAll(() => Promise.all(browsers.map(async (browser) => (await browser).close())));

/** Collects problems in all tabs of a context. */
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

/** Collects the messages of each page, because they vanish after seconds, and a busy machine may look later. */
async function noteMessages(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const messages: string[] = [];
    Object.assign(globalThis, { messages });
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => Array.from(addedNodes))) {
        if (!(node instanceof HTMLElement && node.matches(".message"))) continue;
        // A message has buttons next to its text.
        messages.push(node.querySelector("span")?.innerText ?? "");
      }
    }).observe(document, { childList: true, subtree: true });
  });
}

/** Returns the latest message of the page; undefined before the first one. */
export function lastMessage(page: Page): Promise<string | undefined> {
  return page.evaluate(() => (globalThis as unknown as { messages: string[] }).messages.at(-1));
}

/** Returns the text that the page has copied. */
export function copied(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Fails if axe finds violations on the page, open dialogs included. */
export async function expectAccessible(page: Page): Promise<void> {
  // The page's policy does not apply to scripts of the debugger.
  await page.evaluate(`window.axe ?? (() => { ${axe.source} })()`);
  const violations = await page.evaluate(async () => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    const { violations: axeViolations } = await run({ rules: { "target-size": { enabled: true } } });
    return axeViolations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary = "" }) => [`${id}: ${help}`, html.slice(0, 200), failureSummary].join("\n")),
    );
  });
  expect(violations, violations.join("\n\n")).toEqual([]);
}

/** Fails if the page scrolls sideways at any width. */
export async function expectFits(page: Page): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width);
    // The timeline is redrawn a frame after its box changes its width.
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth), {
        message: `the width of the page in a window of ${width}`,
      })
      .toBeLessThanOrEqual(width);
  }
}
