import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("acknowledged commands survive kill -9 at any moment", async () => {
  const bench = fileURLToPath(new URL("../../bench/kill.js", import.meta.url));
  const child = spawn(process.execPath, [bench, "20"], { stdio: ["ignore", "pipe", "inherit"] });
  let stdout = "";
  child.stdout.on("data", (part: Buffer) => (stdout += part.toString()));
  const [code] = (await once(child, "close")) as [number];
  expect(JSON.parse(stdout)).toMatchObject({ kills: 20, lost: 0 });
  expect(code).toBe(0);
});
