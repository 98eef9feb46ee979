import { expect, test } from "vitest";
import { known, openSandbox } from "../support/sandbox.ts";

/** Returns the paths at which two documents have the same first member, or the same first resource of `included`. */
function findSameFirsts(left: unknown, right: unknown, path: string): string[] {
  if (typeof left !== "object" || left === null) return [];
  const [leftNames, rightNames] = [Object.keys(left), Object.keys(right as object)];
  expect(new Set(rightNames), path).toEqual(new Set(leftNames));
  const equalNames = leftNames.length > 1 && leftNames[0] === rightNames[0] ? [path] : [];
  return leftNames.reduce(
    (samePaths, name) => {
      const [value, counterpart] = [Reflect.get(left, name), Reflect.get(right as object, name)] as const;
      if (name !== "included") return samePaths.concat(findSameFirsts(value, counterpart, `${path}.${name}`));
      expect(counterpart).toHaveLength(value.length);
      return JSON.stringify(value[0]) === JSON.stringify(counterpart[0])
        ? samePaths.concat(`${path}.included`)
        : samePaths;
    },
    Array.isArray(left) ? [] : equalNames,
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
  expect(findSameFirsts(json, (await api(path)).json, "document")).toEqual([]);
});

test("shuffled, the members of every investment are in the same order, which differs from the specified one", async () => {
  const { sandbox, api } = await openSandbox();
  const members = async (id: string): Promise<string[]> =>
    Object.keys((await api(`/investments/${id}`)).json.data.attributes);
  const [first = "", ...otherMembers] = await members(known.whole);
  await sandbox.assumptions.set({ "documents.order": "shuffled" });
  const memberOrder = await members(known.whole);
  expect(memberOrder).not.toEqual([...otherMembers, first]);
  expect(await members(known.closed)).toEqual(memberOrder);
});
