import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { expectAccessible, fixtures, openPortal } from "./portal.ts";

test.each(fixtures)("with the fixture %s the page loads, and nothing is wrong", async (fixture) => {
  const { page, problems } = await openPortal({ fixture });
  await page.locator("#portal").getByText("offering-sandbox").first().waitFor();
  expect(problems).toEqual([]);
});

test("the tests notice what is wrong", async () => {
  const { page, problems } = await openPortal();
  await page.evaluate(async () => {
    await new Promise((resolve) => {
      const image = new Image();
      image.addEventListener("error", resolve);
      image.src = "https://example.com/image.png";
    });
    setTimeout(() => (document.body.innerHTML = "<b>x"));
  });
  const kinds = (): Set<string> => new Set(problems.map((problem) => problem.slice(0, problem.indexOf(":"))));
  await until(() => kinds().size === 4);
  expect([...kinds()].toSorted()).toEqual(["console", "policy", "request", "uncaught"]);
  problems.length = 0;
});

test("axe runs under the policy", async () => {
  const { page } = await openPortal();
  await page.evaluate(() => document.documentElement.removeAttribute("lang"));
  await expect(expectAccessible(page)).rejects.toThrow("html-has-lang");
});
