import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generated } from "../scripts/generated.ts";

test.for(Object.entries(generated))("%s is the generated file", async ([file, text]) => {
  const checkedIn = readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
  expect(checkedIn, `${file}: run \`npm run generate\`, and read the difference`).toBe(await text());
});
