import { describe, expect, test } from "vitest";
import { checkFixture } from "../../src/fixture/tools.ts";
import { examineScenario } from "../../src/scenario/parse.ts";
import { startSettings } from "../../src/settings/start-settings.ts";
import { readAll } from "../../src/settings/values.ts";
import { parseConfig } from "../../src/settings/config-file.ts";
import { known } from "../support/sandbox.ts";
import { writeFixture } from "../support/write-fixture.ts";
import { openControl, read } from "../support/sandboxes.ts";

/** Names inherited by every plain object: a setter, a class and a function. */
const inherited = ["__proto__", "constructor", "toString"];

/** An object with an own member of any name, even `__proto__`. */
const objectWith = (name: string, value: unknown): Record<string, unknown> =>
  JSON.parse(JSON.stringify({ x: value }).replace('"x"', JSON.stringify(name)));

const effect = { event: "PAYMENT SUBMITTED" };
const isValidAlias = (name: string): boolean => /^[A-Za-z]/.test(name);

describe.each(inherited)("the name %s", (name) => {
  test("is valid for payments, offerings, investments, labels and environments", async () => {
    const itemAlias = isValidAlias(name) ? name : "one";
    const fixture = await writeFixture({
      offerings: [{ alias: itemAlias, name, investments: [{ alias: itemAlias, payments: [{ alias: itemAlias }] }] }],
      keys: [{ alias: itemAlias, type: "partner", offering: itemAlias, label: name, key: known.keys.partner }],
    });
    expect((await checkFixture(fixture, { investmentStatuses: "none" })).errors).toEqual([]);
    const sandbox = await openControl({ fixture }, "over HTTP");
    const run = await sandbox.play({
      offering: itemAlias,
      investment: {
        alias: `${itemAlias}-2`,
        amount: 10,
        payments: [{ alias: itemAlias, amount: 1, status: "pending" }],
      },
      steps: [
        { payment: { alias: itemAlias, amount: 10 }, key: { issue: { type: "partner", label: name } } },
        { payment: { alias: itemAlias, status: "succeeded" }, key: { revoke: name } },
      ],
    });
    expect(run.status).toBe("finished");
    const issuedKey = await sandbox.keys.issue({ type: "partner", offering_id: itemAlias, label: name });
    const response = await read(sandbox, `/investments/${run.investment_ids[0]}`, issuedKey.key);
    expect(response.json.data.attributes).toMatchObject({ paid_amount: 10 });
    expect((await sandbox.play({ investment: itemAlias, steps: [effect] })).status).toBe("finished");
    const id = name.replaceAll(/[^A-Za-z0-9-]/g, "");
    expect((await sandbox.openEnvironment({ id })).id).toBe(id);
    expect((await sandbox.environment(id)).id).toBe(id);
  });

  test("is refused as unknown where a command refers to something by it", async () => {
    const sandbox = await openControl({}, "over HTTP");
    const { keys, assumptions, investments, faults } = sandbox;
    const objectWithMember = objectWith(name, "x");
    const noMember = `no member "${name}"`;
    const refusals: [command: () => Promise<unknown>, message: string][] = [
      [() => sandbox.environment(name), "There is no environment"],
      [() => sandbox.play(name), "There is no scenario "],
      [() => sandbox.play({ offering: name, steps: [effect] }), "no offering"],
      [() => sandbox.play({ investment: name, steps: [effect] }), "no investment"],
      [() => keys.issue({ type: "partner", offering_id: name }), "no offering"],
      [() => keys.issue({ type: name as "partner", offering_id: "aurora" }), "type is"],
      [() => assumptions.set(objectWithMember), `no assumption "${name}"`],
      [() => sandbox.openEnvironment({ assumptions: objectWithMember }), `"${name}"`],
      [() => sandbox.openEnvironment(objectWithMember), `"${name}"`],
      [() => investments.create(objectWithMember), noMember],
      [() => investments.change(known.whole, objectWithMember), noMember],
      [() => faults.add({ delay: "1s", ...objectWithMember }), noMember],
    ];
    for (const [command, message] of refusals) await expect(command()).rejects.toThrow(message);
    expect(await faults.add({ delay: "1s", match: { path: `/${name}` } })).toMatchObject({ used: 0 });
    expect((await read(sandbox, `/investments/${known.whole}?${name}=x&${name}=y`)).status).toBe(200);
    for (const path of [`/${name}`, `/investments/${name}`]) expect((await read(sandbox, path)).status).toBe(404);
  });

  test("is refused as an unknown member of files and settings", async () => {
    const unknown = expect.stringContaining(`"${name}"`);
    const { errors } = await checkFixture(await writeFixture(objectWith(name, "x")), { investmentStatuses: "none" });
    expect(errors).toMatchObject([{ message: unknown }]);
    expect(examineScenario({ steps: [{ ...effect }], ...objectWith(name, "x") }).errors).toMatchObject([
      { message: unknown },
    ]);
    const step = objectWith(name, "x");
    Object.assign(step, effect);
    expect(examineScenario({ steps: [step] }).errors).toMatchObject([{ message: unknown }]);
    expect(examineScenario(`${name}: x\nsteps: [{ event: A B, ${name}: 1 }]`).errors).toHaveLength(2);
    const messages: string[] = [];
    parseConfig("c.yaml", `${name}: x`, messages);
    expect(messages).toEqual([unknown]);
    for (const text of [`${name}=x`, `list.order=create_date,${name}=x`]) {
      const sources = [{ setting: "assumptions", text, place: "--assume" }];
      expect(() => readAll(startSettings, sources)).toThrow(`"${name}"`);
    }
  });
});
