import { describe, expect, test } from "vitest";
import { catalogue } from "../../src/assumptions/catalogue.ts";
import { known } from "../support/sandbox.ts";
import { openControl, read, ways } from "./sandboxes.ts";

describe.each(ways)("%s", (way) => {
  test("the catalogue is listed with the values in force", async () => {
    const { assumptions } = await openControl(way, { assumptions: { "errors.body": "problem" } });
    const listed = await assumptions.list();
    expect(listed.map(({ id }) => id)).toEqual(catalogue.map(({ id }) => id));
    for (const { id, question, section, value, values } of listed) {
      const row = catalogue.find((candidate) => candidate.id === id);
      expect({ question, section, values }).toEqual({
        question: row?.question,
        section: row?.section,
        values: row?.values,
      });
      expect(value).toBe(id === "errors.body" ? "problem" : row?.conventional);
    }
  });

  test("assumptions are changed, and the service answers by them", async () => {
    const sandbox = await openControl(way);
    const changed = await sandbox.assumptions.set({ "errors.body": "message", "list.default_size": 4 });
    expect(changed).toEqual(await sandbox.assumptions.list());
    expect(changed.find(({ id }) => id === "list.default_size")?.value).toBe(4);
    expect((await read(sandbox, `/investments/${known.unknown}`)).json).toEqual({ message: expect.any(String) });
    expect((await read(sandbox, `/offerings/${known.aurora}/investments`)).json.data).toHaveLength(4);
  });

  test("where one of several cannot be, none is changed", async () => {
    const { assumptions } = await openControl(way);
    const before = await assumptions.list();
    await expect(assumptions.set({ "errors.body": "empty", "list.default_size": 0 })).rejects.toMatchObject({
      code: "invalid",
    });
    expect(await assumptions.list()).toEqual(before);
  });
});
