import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { configSchema } from "../../src/settings/config-file.ts";

test("the schema admits every setting of a config file, and refuses unknown ones", () => {
  const valid = addFormats.default(new Ajv2020({ strict: false })).compile(configSchema());
  const config = {
    port: 0,
    delay: "50-200",
    cors: false,
    seed: -7,
    "cors-origin": ["http://localhost:3000"],
    profile: "minimal",
  };
  expect(valid({ ...config, assume: { "list.order": "unordered", "list.max_size": 50, "list.past_end": 404 } })).toBe(
    true,
  );
  for (const wrong of [{ prot: 0 }, { port: -1 }, { config: "x" }, { assume: { "list.order": "random" } }]) {
    expect(valid(wrong)).toBe(false);
  }
});
