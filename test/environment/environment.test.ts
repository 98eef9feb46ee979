import { describe, expect, test } from "vitest";
import type { EnvironmentSetup } from "../../src/environment/environment-content.ts";
import { Environment } from "../../src/environment/environment.ts";
import type { Fault } from "../../src/model/change.ts";
import { keyOf, offeringIds, present, setupOf, smallDataset, uuid } from "../support/small-dataset.ts";

const dataset = smallDataset(1);
const later = "2026-01-16T12:00:00.000Z";

const setup = (members: Partial<EnvironmentSetup> = {}): EnvironmentSetup => ({
  ...setupOf(dataset),
  keys: [keyOf(0)],
  ...members,
});

describe("an environment", () => {
  test("announces each change of its content, and nothing else", () => {
    const environment = new Environment(setup());
    const fault: Fault = { id: "fault-1", rule: { respond: { status: 503 } }, from: present, until: null };
    let changes = 0;
    environment.onChange(() => void (changes += 1));
    const request = { path: "/x", method: "GET", key_id: null };
    const acts: readonly [act: () => unknown, changes: number][] = [
      [() => environment.meetFault(request, environment.read()), 0],
      [() => environment.record([{ kind: "new_fault", date: present, fault }]), 1],
      [() => environment.meetFault(request, environment.read()), 1],
      [() => environment.meetFault({ ...request, path: "/y" }, environment.read()), 1],
      [() => environment.removeFaults([fault]), 1],
      [() => environment.meetFault(request, environment.read()), 0],
      [() => environment.assume({ "list.order": "-create_date" }), 1],
      [() => environment.wasRead(uuid(2, 0)), 0],
      [() => environment.hit(uuid(8, 0)), 0],
      [() => environment.reset(), 1],
    ];
    for (const [act, expectedChanges] of acts) {
      changes = 0;
      const { revision } = environment;
      act();
      expect([changes, environment.revision !== revision]).toEqual([expectedChanges, expectedChanges > 0]);
    }
    const { revision } = environment;
    environment.stores.clock.set({ now: later });
    expect(environment.revision).not.toBe(revision);
  });

  test("counts the things its commands create, and gives each another place", () => {
    const environment = new Environment(setup());
    const place = environment.nextPlace.id;
    environment.record([
      { kind: "offering", date: present, offering_id: offeringIds[0], attributes: { name: "X" } },
      { kind: "new_key", date: present, key: keyOf(1) },
    ]);
    expect(environment.content().creations).toBe(1);
    expect(environment.nextPlace.id).not.toBe(place);
    expect(new Environment(setup({ id: "other" })).nextPlace.id).not.toBe(place);
  });

  test("forgets counted requests when the kind of window changes", () => {
    const environment = new Environment(setup());
    const hitCount = (): number => environment.hit(uuid(8, 0)).used;
    expect([hitCount(), hitCount()]).toEqual([1, 2]);
    environment.assume({ "list.order": "-create_date" });
    expect(hitCount()).toBe(3);
    environment.assume({ "limit.window": environment.assumptions["limit.window"] });
    expect(hitCount()).toBe(4);
    const other = environment.assumptions["limit.window"] === "fixed" ? "sliding" : "fixed";
    environment.assume({ "limit.window": other });
    expect([hitCount(), hitCount()]).toEqual([1, 2]);
    expect(environment.traffic().limits.map(({ key_id }) => key_id)).toEqual([uuid(8, 0)]);
  });

  test("begins with used-up limits for keys at their limit", () => {
    const environment = new Environment(setup({ keys: [keyOf(0), keyOf(1, { at_limit: true })] }));
    expect([0, 1].map((index) => environment.hit(uuid(8, index)).used)).toEqual([1, 121]);
  });

  test("reopened over the same fixture keeps its state, and over another begins again", () => {
    const edited = { ...dataset, digest: "edited" };
    const cases = [
      { dataset, speed: 0, changes: 1, kept: 3 },
      { dataset: edited, speed: 0, changes: 0, kept: 3 },
      { dataset, speed: 7, changes: 1, kept: 7 },
    ];
    for (const { speed, changes, kept: expectedSpeed, ...members } of cases) {
      const environment = new Environment(setup());
      const { clock } = environment.stores;
      environment.record([{ kind: "new_key", date: present, key: keyOf(1) }]);
      clock.set({ now: later, speed: 3 });
      environment.reopen(setup({ ...members, keys: [keyOf(2)], clock: { now: Date.parse(present), speed } }));
      const { stores, keys } = environment;
      expect([stores.clock.speed, environment.content().changes.length]).toEqual([expectedSpeed, changes]);
      expect(stores.clock.now >= later).toBe(true);
      expect(keys.map(({ id }) => id)).toEqual(changes ? [uuid(8, 2), uuid(8, 1)] : [uuid(8, 2)]);
      expect([...environment.secrets].toSorted()).toEqual(keys.map(({ key }) => key).toSorted());
      expect(environment.find("sandbox_partner_0")).toBeUndefined();
      expect(environment.find("sandbox_partner_2")?.status).toBe("active");
      environment.reset();
      expect([environment.stores.clock.now.slice(0, 10), environment.stores.clock.speed]).toEqual([
        "2026-01-15",
        speed,
      ]);
    }
  });

  test("finds a key by its secret from its issue on, with its status", () => {
    const environment = new Environment(setup());
    const key = keyOf(1);
    environment.record([
      { kind: "new_key", date: later, key },
      { kind: "key", date: later, key_id: uuid(8, 0), attributes: { revoke_date: later } },
    ]);
    const statuses = (): unknown[] => [0, 1].map((index) => environment.find(keyOf(index).key)?.status);
    expect(statuses()).toEqual(["active", undefined]);
    environment.stores.clock.set({ now: later });
    expect(statuses()).toEqual(["revoked", "active"]);
    environment.record([{ kind: "key", date: later, key_id: uuid(8, 0), attributes: { revoke_date: null } }]);
    expect(statuses()).toEqual(["revoked", "active"]);
    environment.reset();
    environment.record([{ kind: "new_key", date: present, key: { ...key, key: "sandbox_partner_9" } }]);
    expect(environment.find(key.key)).toBeUndefined();
  });
});
