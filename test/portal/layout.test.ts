import type { Page } from "@playwright/test";
import { expect, test } from "vitest";
import { fill, fillable } from "./all-pages.ts";
import { openPortal } from "./portal.ts";

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const;

/** Views whose lists have rows of a single line. */
const dense = ["overview", "investments", "scenarios", "keys", "journal", "coverage", "assumptions", "environments"];

/** Finds what a view must not have, in words. */
function errorsIn(page: Page, isDense: boolean): Promise<string[]> {
  return page.evaluate((hasRows) => {
    const all = (selector: string): HTMLElement[] =>
      Array.from(document.querySelectorAll<HTMLElement>(selector)).filter((element) => element.checkVisibility());
    const named = (element: HTMLElement): string =>
      `${element.className || element.tagName}: ${element.innerText.slice(0, 40)}`;
    const isBox = (element: Element): boolean => {
      const { borderTopWidth: top, borderBottomWidth: bottom, borderLeftWidth: left } = getComputedStyle(element);
      return (
        [top, bottom, left].every((width) => width !== "0px") &&
        !element.matches("button, a, input, select, textarea, kbd, .changed")
      );
    };
    const voids = all("main .panel").filter((panel) => {
      const ends = Array.from(panel.querySelectorAll("*"))
        .filter(
          (element) => element.childElementCount === 0 && element.checkVisibility() && !element.matches(".unseen"),
        )
        .map((element) => element.getBoundingClientRect().bottom);
      return panel.scrollHeight <= panel.clientHeight && panel.getBoundingClientRect().bottom - Math.max(...ends) > 60;
    });
    const nested = all("main *").filter(
      (element) => isBox(element) && element.parentElement?.closest("main *") && boxAbove(element),
    );
    function boxAbove(element: Element): boolean {
      for (let up = element.parentElement; up && up.tagName !== "MAIN"; up = up.parentElement)
        if (isBox(up)) return true;
      return false;
    }
    const rows = all("main tbody tr, main .rows.covered > li").filter(
      (row) => hasRows && Math.abs(row.offsetHeight - 32) > 1.5,
    );
    // A line that ends with dots must not be all dots. Only a table with trillions may scroll sideways.
    const isOdd = (element: HTMLElement): boolean =>
      element.matches(".table, .table *") && /(?:,\d{3}){4}/.test(element.innerText);
    const cut = all("main .panel, main .table:not(.lanes), main td, main dd, main .name, main .wide").filter(
      (element) =>
        element.scrollWidth > element.clientWidth + 1 &&
        !(element.matches(".name, .wide") && element.offsetWidth > 80) &&
        !isOdd(element),
    );
    return [
      ...voids.map((element) => `empty below ${named(element)}`),
      ...nested.map((element) => `in another box ${named(element)}`),
      ...rows.map((row) => `${row.offsetHeight} px high ${named(row)}`),
      ...cut.map((element) => `cut ${named(element)}`),
    ];
  }, isDense);
}

test.each(sizes)("no view has a gap, a nested box, a tall row or cut text at $width px", async (size) => {
  const { page, go, sandbox } = await openPortal({ sandbox: fillable, ...size });
  const pages = await fill(sandbox);
  const found: string[] = [];
  for (const view of pages.filter((name) => !name.startsWith("investments/"))) {
    await go(`#/default/${view}`);
    await page.locator("main h1").waitFor();
    await expect.poll(() => page.locator("main [aria-busy]").count()).toBe(0);
    const errors = await errorsIn(page, size.width === 1440 && dense.includes(view));
    found.push(...errors.map((error) => `${view}: ${error}`));
  }
  expect(found).toEqual([]);
});

test("20 investments are on a screen of 1440 × 900", async () => {
  const { page } = await openPortal({ sandbox: fillable, hash: "#/default/investments", width: 1440, height: 900 });
  await page.locator("[data-row]").nth(20).waitFor();
  const bottom = await page
    .locator("tbody tr")
    .nth(19)
    .evaluate((row) => row.getBoundingClientRect().bottom);
  expect(bottom).toBeLessThanOrEqual(900);
});

test.each([1440, 1024])("the head of each table stays while the page scrolls, at %i px", async (width) => {
  const { page, go, sandbox } = await openPortal({ sandbox: fillable, width, height: 420 });
  const pages = await fill(sandbox);
  const views = pages.filter((name) => !/^(?:journal|keys|assumptions|environments|faults|api)\/|draft/.test(name));
  const found: unknown[] = [];
  for (const view of views) {
    await go(`#/default/${view}`);
    await page.locator("main h1").waitFor();
    await expect.poll(() => page.locator("main [aria-busy]").count()).toBe(0);
    const tables = page.locator("main .table:not(.lanes)");
    for (let index = 0; index < (await tables.count()); index++) {
      found.push([view, index, await tables.nth(index).evaluate(headBelowClock)]);
    }
  }
  expect(found.filter((element) => Array.isArray(element) && element[2] !== 0)).toEqual([]);
});

/** Scrolls a table half away, and returns how far its head is from the clock; 0 if the table has no room to scroll. */
function headBelowClock(table: HTMLElement): number {
  const { top, height } = table.getBoundingClientRect();
  const bar = document.querySelector(".time-bar")?.getBoundingClientRect().height ?? 0;
  const start = scrollY + top - bar;
  scrollTo(0, start + height / 2);
  const isScrolled = Math.abs(scrollY - start - height / 2) < 1 && height > 120;
  const head = table.querySelector("thead th")?.getBoundingClientRect().top ?? 0;
  return isScrolled ? Math.round(head - (document.querySelector(".time-bar")?.getBoundingClientRect().bottom ?? 0)) : 0;
}

/** Finds the selects whose text is wider than they are. */
const cutSelects = `Array.from(document.querySelectorAll("main select"), (select) => {
  const text = select.selectedOptions[0]?.text ?? "";
  const { font, paddingLeft, paddingRight } = getComputedStyle(select);
  const pen = new OffscreenCanvas(1, 1).getContext("2d");
  pen.font = font;
  const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  return pen.measureText(text).width > room + 1 ? text : "";
}).filter(Boolean)`;

test.each([1440, 1280])("no select of assumptions, faults and filters cuts its text off at %i px", async (width) => {
  const { page, go } = await openPortal({ sandbox: { rateLimit: 120, scenarios: [] }, width, height: 900 });
  for (const view of ["assumptions", "faults", "investments", "journal"]) {
    await go(`#/default/${view}`);
    await expect.poll(() => page.locator("main [aria-busy]").count()).toBe(0);
    expect([view, await page.evaluate(cutSelects)]).toEqual([view, []]);
  }
});
