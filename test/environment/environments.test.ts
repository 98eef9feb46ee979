import { describe, expect, test, vi } from "vitest";
import type { EnvironmentConfig } from "../../src/environment/document.ts";
import { Environments } from "../../src/environment/environments.ts";
import { keyOf, present, configOf, smallDataset, uuid } from "../support/small-dataset.ts";

const dataset = smallDataset(1);

const setup = (members: Partial<EnvironmentConfig> = {}): EnvironmentConfig => ({
  ...configOf(dataset),
  keys: [keyOf(0)],
  ...members,
});

describe("the environments of a server", () => {
  test("do not change a new environment with the id of a deleted one", () => {
    const environments = new Environments(3);
    let changes = 0;
    environments.onChange(() => void (changes += 1));
    const first = environments.open(setup());
    const dropped = environments.open(setup({ id: "other", keys: [keyOf(1)] }));
    environments.delete(dropped);
    environments.delete(dropped);
    expect(changes).toBe(3);
    const again = environments.open(setup({ id: "other", uid: "another", keys: [keyOf(1)] }));
    changes = 0;
    environments.delete(dropped);
    dropped.record([{ kind: "new_key", date: present, key: keyOf(2) }]);
    expect([changes, environments.has(dropped), environments.has(again)]).toEqual([0, false, true]);
    expect(environments.findKey("sandbox_partner_2")).toBeUndefined();
    expect(environments.findKey("sandbox_partner_1")?.environment).toBe(again);
    expect(() => environments.find("other", dropped.uid)).toThrow(/was deleted/);
    const { key } = keyOf(3);
    again.record([{ kind: "new_key", date: present, key: keyOf(3) }]);
    expect([environments.findKey(key)?.key.id, changes]).toEqual([uuid(8, 3), 1]);
    expect(() => first.record([{ kind: "new_key", date: present, key: keyOf(4, { key }) }])).toThrow(/of another env/);
    expect(() => first.reopen(setup({ keys: [keyOf(4, { key })] }))).toThrow(/The key 00000008-.* of another env/);
    expect(() => environments.open(setup({ id: "third", keys: [keyOf(1)] }))).toThrow(/Another environment has a key/);
    expect(first.keys.map(({ id }) => id)).toEqual([uuid(8, 0)]);
  });

  test("expire in the order in which their idle time ends", () => {
    let time = 0;
    vi.spyOn(performance, "now").mockImplementation(() => time);
    const environments = new Environments(4);
    environments.open(setup());
    for (const [id, lifetime] of [
      ["long", 100],
      ["used", 10],
      ["short", 20],
    ] as const)
      environments.open(setup({ id, keys: [], lifetime }));
    time = 9;
    environments.find("used");
    time = 15;
    expect(() => environments.open(setup({ id: "new", keys: [] }))).toThrow("There are 4 environments already");
    time = 20;
    expect(environments.all.map(({ id }) => id)).toEqual(["default", "long", "short"]);
    time = 21;
    environments.open(setup({ id: "new", keys: [] }));
    expect(environments.all.map(({ id }) => id)).toEqual(["default", "long", "new"]);
    time = 101;
    expect(environments.all.map(({ id }) => id)).toEqual(["default", "new"]);
  });
});
