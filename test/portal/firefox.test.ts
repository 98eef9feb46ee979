import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { fill, fillable } from "./all-pages.ts";
import { firefoxFile, FirefoxPage } from "./firefox.ts";

/** Describes what is wrong with the cards of a page: tables higher than their rows, and scrollbars inside. */
const findWrong = `
  return Array.from(document.querySelectorAll(".table, .panel")).flatMap((one) => {
    const { overflowY } = getComputedStyle(one);
    const rows = Array.from(one.querySelectorAll("tr"), (row) => row.offsetHeight).reduce((sum, row) => sum + row, 0);
    const isHigh = one.matches(".table") && one.scrollHeight > rows + 40;
    const isScrolled = ["auto", "scroll"].includes(overflowY) && one.scrollHeight > one.clientHeight;
    return isHigh || isScrolled ? [one.className + ": " + one.scrollHeight + " in " + one.clientHeight + ", rows " + rows] : [];
  });`;

test("each page opens in Firefox: no error, no table higher than its rows, no card with a scrollbar", async ({
  skip,
}) => {
  skip(firefoxFile === undefined && !process.env["CI"], "There is no Firefox: apt-get install firefox-esr.");
  const sandbox = await startSandbox(fillable);
  onTestFinished(() => sandbox.close());
  const pages = await fill(sandbox);
  const firefox = await FirefoxPage.open(`${sandbox.url}/`);
  for (const path of pages) {
    await firefox.go(`#/default/${path}`);
    const isThere = `return !!document.querySelector("main h1") && !document.querySelector("main [aria-busy]")`;
    await expect.poll(() => firefox.run<boolean>(isThere)).toBe(true);
    expect([path, await firefox.run(findWrong)]).toEqual([path, []]);
  }
  await firefox.go("#/default/keys");
  const limits = `return Array.from(document.querySelectorAll("main tr .meter"), (one) => [one.innerText, one.closest("tr").offsetHeight])`;
  await expect
    .poll(() => firefox.run(limits))
    .toContainEqual([expect.stringContaining("of 120 used"), expect.any(Number)]);
  for (const [, height] of await firefox.run<[string, number][]>(limits)) expect(height).toBeLessThan(100);
  expect(await firefox.errors(sandbox.url)).toEqual([]);
});
