import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { expectAccessible, openPortal } from "./portal.ts";

test("the tests notice policy violations, errors and foreign requests", async () => {
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
  // The picture and the text used as HTML are two violations.
  await until(() => kinds().size === 4 && problems.filter((problem) => problem.startsWith("policy:")).length === 2);
  expect([...kinds()].toSorted()).toEqual(["console", "policy", "request", "uncaught"]);
  // A closed page does not report violations.
  await page.close();
  problems.length = 0;
});

test("axe runs under the policy", async () => {
  const { page } = await openPortal();
  await page.evaluate(() => document.documentElement.removeAttribute("lang"));
  await expect(expectAccessible(page)).rejects.toThrow("html-has-lang");
});
