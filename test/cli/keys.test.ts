import { expect, test } from "vitest";
import type { KeyDescription } from "../../src/control.ts";
import { openToAsk } from "./cli.ts";

test("keys list shows every key with its secret, status, type and offering", async () => {
  const { ready, ask, json } = await openToAsk();
  const { keys, offerings } = ready.environment;
  const { code, stdout } = await ask("keys list");
  const [heading, ...lines] = stdout.trimEnd().split("\n");
  expect(heading).toMatch(/^key +status +id +for +a call gets$/);
  expect(lines).toHaveLength(keys.length);
  for (const [index, { key, status, id }] of keys.entries()) {
    expect(lines[index]).toMatch(new RegExp(`^${key} +${status} +${id} `));
  }
  expect(lines[0]).toContain(offerings[0]?.name);
  const effects = ["personal data; in the real service", "every call is a 401", "every call is a 429"];
  for (const effect of effects) expect(stdout.split(effect)).toHaveLength(2);
  expect(code).toBe(0);
  expect(await json("keys list")).toEqual(keys);
});

test("a key serves once issued; a revoked one stops and stays listed", async () => {
  const { ready, ask, json } = await openToAsk();
  const { base_url: base, environment } = ready;
  const [, offering] = environment.offerings;
  const key = (await json(`keys issue partner --offering ${offering?.alias} --label mine`)) as KeyDescription;
  expect(key).toMatchObject({ type: "partner", offering_id: offering?.id, label: "mine", status: "active" });
  const call = async (): Promise<number> =>
    (await fetch(`${base}/offerings/${offering?.id}`, { headers: { authorization: `Bearer ${key.key}` } })).status;
  expect(await call()).toBe(200);
  const { stdout } = await ask(`keys revoke ${key.id}`);
  expect(stdout).toContain(`${key.key}  revoked`);
  expect(await call()).toBe(401);
  expect(await json("keys list")).toContainEqual(expect.objectContaining({ id: key.id, status: "revoked" }));
});

test("a key is issued for the first offering by default", async () => {
  const { ready, ask } = await openToAsk();
  const { stdout } = await ask("keys issue marketing");
  expect(stdout).toMatch(/\nsandbox_marketing_\w+ +active/);
  expect(stdout).toContain(
    `${ready.environment.offerings[0]?.name} marketing  personal data redacted, phone numbers\n`,
  );
});

test("keys refuses impossible arguments", async () => {
  const { ask } = await openToAsk();
  const { stderr: noKey, ...ended } = await ask("keys revoke aurora-partnr");
  expect(noKey).toBe('There is no key of this id, alias, label or secret. Did you mean "aurora-partner"?\n');
  expect(ended).toEqual({ code: 1, stdout: "" });
  const { code, stderr } = await ask("keys issue partner --offering nowhere");
  expect(stderr).toContain('There is no offering "nowhere". There are aurora, harbor, juniper.');
  expect(code).toBe(2);
});

test("examples prints a call for each kind of answer, and each call gets that answer", async () => {
  const { ask, json } = await openToAsk({ rateLimit: 120 });
  const { stdout, code } = await ask("examples");
  const lines = stdout.trimEnd().split("\n");
  const calls = lines.flatMap((line, index) => {
    const [, key, url] = /^curl (?:-g )?-i -w "\\n" -H "Authorization: Bearer (\S+)" "?([^"\s]+)"?$/.exec(line) ?? [];
    return url === undefined ? [] : [{ key, url, status: Number(lines[index - 1]?.slice(0, 3)) }];
  });
  expect(calls.map(({ status }) => status)).toEqual([200, 200, 200, 200, 401, 403, 404, 429]);
  for (const { key, url, status } of calls) {
    expect((await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status).toBe(status);
  }
  expect((await json("examples")) as unknown[]).toHaveLength(calls.length);
  expect(code).toBe(0);
});

test("stop cannot end the sandbox of a test", async () => {
  const { ask } = await openToAsk();
  expect(await ask("stop")).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^This sandbox ends/) as string,
  });
  expect((await ask("clock show")).code).toBe(0);
});
