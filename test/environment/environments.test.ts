import { describe, expect, test, vi } from "vitest";
import type { EnvironmentSetup } from "../../src/environment/environment-content.ts";
import { Environments } from "../../src/environment/environments.ts";
import { keyOf, present, setupOf, smallDataset, uuid } from "../support/small-dataset.ts";

const dataset = smallDataset(1);

const setup = (members: Partial<EnvironmentSetup> = {}): EnvironmentSetup => ({
  ...setupOf(dataset),
  keys: [keyOf(0)],
  ...members,
});

describe("the environments of a server", () => {
  test("have unique ids and secrets, and are found by both until they are dropped", () => {
    const environments = new Environments(3);
    let changes = 0;
    environments.onChange(() => void (changes += 1));
    const first = environments.open(setup());
    expect(environments.default).toBe(first);
    expect(environments.findKey("sandbox_partner_0")?.environment).toBe(first);
    expect(environments.findKey("sandbox_partner_1")).toBeUndefined();
    expect(() => environments.open(setup({ keys: [] }))).toThrow('There is an environment "default" already.');
    const shared = [keyOf(1), keyOf(0)];
    expect(() => environments.open(setup({ id: "other", keys: shared }))).toThrow(
      expect.objectContaining({ code: "conflict", message: expect.stringMatching(/Another environment has a key/) }),
    );
    const ids = [environments.nextId(), environments.nextId()];
    expect(ids).toEqual(["environment-1", "environment-2"]);
    const second = environments.open(setup({ id: "environment-3", keys: [keyOf(1)] }));
    expect(environments.nextId()).toBe("environment-4");
    environments.open(setup({ id: "third", keys: [] }));
    expect(() => environments.open(setup({ id: "fourth", keys: [] }))).toThrow(
      /There are 3 environments already; drop/,
    );
    expect(environments.all.map(({ id }) => id)).toEqual(["default", "environment-3", "third"]);
    expect(changes).toBe(3);
    environments.drop(second);
    environments.drop(second);
    expect(changes).toBe(4);
    expect(environments.findKey("sandbox_partner_1")).toBeUndefined();
    for (const uid of [undefined, second.uid]) {
      expect(() => environments.find("environment-3", uid)).toThrow(
        expect.objectContaining({ code: "not_found", message: "There is no environment of this id." }),
      );
    }
    const again = environments.open(setup({ id: "environment-3", uid: "another", keys: [keyOf(1)] }));
    changes = 0;
    // A dropped environment takes no keys from a new one with the same id, and its changes are no changes of the new one.
    environments.drop(second);
    second.record([{ kind: "new_key", date: present, key: keyOf(2) }]);
    expect([changes, environments.has(second), environments.has(again)]).toEqual([0, false, true]);
    expect(environments.findKey("sandbox_partner_2")).toBeUndefined();
    expect(environments.findKey("sandbox_partner_1")?.environment).toBe(again);
    expect(() => environments.find("environment-3", second.uid)).toThrow(
      expect.objectContaining({ code: "not_found", message: expect.stringMatching(/was dropped/) }),
    );
    expect(environments.find("environment-3", again.uid)).toBe(again);
    changes = 0;
    const { key } = keyOf(3);
    again.record([{ kind: "new_key", date: present, key: keyOf(3) }]);
    expect([environments.findKey(key)?.key.id, changes]).toEqual([uuid(8, 3), 1]);
    expect(() => first.record([{ kind: "new_key", date: present, key: keyOf(4, { key }) }])).toThrow(/of another env/);
    expect(() => first.reopen(setup({ keys: [keyOf(4, { key })] }))).toThrow(/The key 00000008-.* of another env/);
    expect(first.keys.map(({ id }) => id)).toEqual([uuid(8, 0)]);
  });

  test("are dropped after their idle time", () => {
    const environments = new Environments(2);
    environments.open(setup());
    for (const id of ["one", "two"]) {
      environments.open(setup({ id, keys: [keyOf(1)], lifetime: -1 }));
      expect(environments.findKey("sandbox_partner_1")).toBeUndefined();
      expect(() => environments.find(id)).toThrow("There is no environment of this id.");
    }
    environments.open(setup({ id: "three", keys: [keyOf(1)], lifetime: -1 }));
    expect(environments.all.map(({ id }) => id)).toEqual(["default"]);
  });

  test("make room in the order in which their idle time is over", () => {
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
