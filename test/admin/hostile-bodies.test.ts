import { describe, expect, test } from "vitest";
import { completeInvestment } from "../../src/fixture/complete/investment.ts";
import { SeedPath } from "../../src/fixture/complete/seed-path.ts";
import { run } from "../cli/cli.ts";
import { openAdmin } from "./admin.ts";

/** Returns items with commas between them, `size` bytes in total. */
function list(item: (index: number) => string, size = 4_900_000): string {
  const items: string[] = [];
  for (let length = 0; length < size; length += 1 + (items.at(-1)?.length ?? 0)) items.push(item(items.length));
  return items.join(",");
}

const investors = list((index) => `{"email":"a${index}@example.com"}`, 600_000);
const parties = list((index) => `{"email":"b${index}@example.com"}`, 600_000);
const longText = "x".repeat(4_900_000);
const step = (members: string): string => `{"steps":[${list(() => members, 400_000)}]}`;

// A naive parser would take minutes for these bodies, and a naive message would have megabytes.
describe("five megabytes of anything get a short response", () => {
  test.each([
    ["PUT /clock", "unknown members", `{${list((index) => `"x${index}":1`)}}`],
    ["PUT /clock", "some unknown members", `{${list((index) => `"abcdefghi${index}":1`, 600_000)}}`],
    ["PUT /clock", "a long name", `{"${longText}":1}`],
    ["PUT /clock", "a long value", `{"now":"${longText}"}`],
    ["PUT /clock", "nothing but words", longText.replaceAll("xx", "x ")],
    ["PUT /clock", "nothing but brackets", "[".repeat(4_900_000)],
    ["PUT /clock", "lists", `[${list(() => "[]")}]`],
    ["POST /faults", "header names", `{"respond":{"status":500,"headers":{"${longText}":"1"}}}`],
    [
      "POST /faults",
      "many headers",
      `{"respond":{"status":500,"headers":{${list((index) => `"x ${index}":1`, 400_000)}}}}`,
    ],
    ["POST /environments", "a long name of a fixture", `{"fixture":"${longText}"}`],
    ["POST /environments", "long assumptions", `{"assumptions":{"${longText}":1}}`],
    ["POST /environments", "a long value of an assumption", `{"assumptions":{"list.order":"${longText}"}}`],
    ["POST /environments", "a long profile", `{"profile":"${longText}"}`],
    ["POST /keys", "a long type", `{"type":"${longText}","offering_id":"x"}`],
    ["POST /investments", "investors and parties", `{"investors":[${investors}],"signing_parties":[${parties}]}`],
    ["POST /investments", "events", `{"events":[${list(() => "{}", 100_000)}]}`],
    ["POST /scenarios/check", "steps of nothing", step("{}")],
    ["POST /scenarios/check", "payments", step('{"payment":{"alias":"abcdefghijklmnopqrstuvwxyz"}}')],
    ["POST /runs", "a long step", `{"scenario":{"steps":[{"event":"${longText}"}]}}`],
    ["POST /runs", "a long name", `{"scenario":"${longText}"}`],
  ])("%s with %s", async (call, _what, body) => {
    const { admin, failures } = await openAdmin();
    const { status, text } = await admin(call, body);
    expect(call === "POST /scenarios/check" ? [200, 400] : [400]).toContain(status);
    expect(text.length).toBeLessThan(30_000);
    expect(failures).toEqual([]);
  });

  test.each([
    ["aliases", `a: &a x\nsteps:\n${"- *a\n".repeat(19_000)}`],
    ["anchors and aliases", Array.from({ length: 5000 }, (_, index) => `- &a${index} x\n- *a${index}`).join("\n")],
    ["members", Array.from({ length: 6000 }, (_, index) => `k${index}: 1`).join("\n")],
    ["errors in one line", `steps: [${"{x: 1},".repeat(5000)}]`],
    ["closing brackets", "]".repeat(100_000)],
  ])("YAML that consists only of %s", async (_what, text) => {
    const { admin } = await openAdmin();
    const checkResponse = await admin("POST /scenarios/check", text, {
      headers: { "content-type": "application/yaml" },
    });
    expect(checkResponse.json).toMatchObject({ valid: false });
    expect(checkResponse.text.length).toBeLessThan(30_000);
  });
});

test("a message lists the first hundred errors and counts the others, on every surface", async () => {
  const { admin, sandbox } = await openAdmin();
  const unknownMembers = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`x${index}`, 1]));
  const { json } = await admin("POST /faults", JSON.stringify(unknownMembers));
  await expect(sandbox.faults.add(unknownMembers)).rejects.toThrow(/\n… and at least 900 more\.$/);
  expect(json.detail).toMatch(/\n… and at least 900 more\.$/);
  const { errors } = await sandbox.scenarios.check(unknownMembers);
  expect(errors).toHaveLength(101);
  expect(errors.at(-1)?.message).toBe("… and at least 900 more.");
  await expect(sandbox.openEnvironment(unknownMembers)).rejects.toThrow(/\n… and at least 900 more\.$/);
  const { stderr } = await run(["assumptions", "--assume", `${"x".repeat(100_000)}=1`]);
  expect(stderr.length).toBeLessThan(500);
});

test("pairing investors with signing parties takes steps in proportion to their number", () => {
  const countReads = (count: number): number => {
    let reads = 0;
    const people = (name: string) =>
      Array.from({ length: count }, (_, index) => ({
        get email() {
          reads++;
          return `${name}${index}@example.com`;
        },
      }));
    completeInvestment(
      { investors: people("a"), signing_parties: people("b") },
      { seedPath: SeedPath.root(1), createDate: 0, investmentNumber: 1, now: 0, price: 10, closingProbability: 0 },
    );
    return reads;
  };
  expect(countReads(400) / countReads(200)).toBeLessThan(2.2);
});
