import { expect, test } from "vitest";
import { known, openSandbox } from "../support/sandbox.ts";

/** Returns the places where two documents have the same first member, or the same first resource of `included`. */
function sameFirsts(one: unknown, other: unknown, place: string): string[] {
  if (typeof one !== "object" || one === null) return [];
  const [mine, theirs] = [Object.keys(one), Object.keys(other as object)];
  expect(new Set(theirs), place).toEqual(new Set(mine));
  const here = mine.length > 1 && mine[0] === theirs[0] ? [place] : [];
  return mine.reduce(
    (found, name) => {
      const [value, counterpart] = [Reflect.get(one, name), Reflect.get(other as object, name)] as const;
      if (name !== "included") return found.concat(sameFirsts(value, counterpart, `${place}.${name}`));
      expect(counterpart).toHaveLength(value.length);
      return JSON.stringify(value[0]) === JSON.stringify(counterpart[0]) ? found.concat(`${place}.included`) : found;
    },
    Array.isArray(one) ? [] : here,
  );
}

test.each([
  ["an offering", `/offerings/${known.aurora}`],
  ["an investment", `/investments/${known.whole}`],
  ["its status", `/investments/${known.whole}/status`],
  ["its events", `/investments/${known.whole}/events`],
  ["its later events", `/investments/${known.whole}/events?create_date[gte]=2026-01-05`],
  ["a list", `/offerings/${known.aurora}/investments`],
])("shuffled, %s begins with another member at every level", async (_, path) => {
  const { sandbox, api } = await openSandbox();
  const { json } = await api(path);
  await sandbox.assumptions.set({ "documents.order": "shuffled" });
  expect(sameFirsts(json, (await api(path)).json, "document")).toEqual([]);
});

test("shuffled, the members of an investment are in an order of their own, the same each time", async () => {
  const { sandbox, api } = await openSandbox();
  const members = async (id: string): Promise<string[]> =>
    Object.keys((await api(`/investments/${id}`)).json.data.attributes);
  const [first = "", ...others] = await members(known.whole);
  await sandbox.assumptions.set({ "documents.order": "shuffled" });
  const order = await members(known.whole);
  expect(order).not.toEqual([...others, first]);
  expect(await members(known.closed)).toEqual(order);
});
