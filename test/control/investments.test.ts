import { describe, expect, test } from "vitest";
import { known } from "../support/sandbox.ts";
import { openControl, read, ways } from "./sandboxes.ts";

const later = "2026-01-15T13:00:00.000Z";

describe.each(ways)("%s", (way) => {
  test("one is brought into being from what is written of it", async () => {
    const sandbox = await openControl(way);
    await sandbox.clock.advance("1h");
    const created = await sandbox.investments.create({ amount: 5000, investors: [{ email: "ada@example.com" }] });
    expect(created).toMatchObject({
      amount: 5000,
      status: "PENDING",
      step: null,
      offering_id: known.aurora,
      investment_number: 26,
      create_date: later,
      modify_date: later,
      investors: [{ email: "ada@example.com" }],
    });
    const { status, json } = await read(sandbox, `/investments/${created.id}`);
    expect(status).toBe(200);
    expect(json.data.attributes).toMatchObject({ amount: 5000, create_date: later });
    const list = await read(sandbox, `/offerings/${known.aurora}/investments?create_date[gte]=${later}`);
    expect(list.json.data.map(({ id }: { id: string }) => id)).toEqual([created.id]);
    expect((await sandbox.describe()).offerings[0]?.investments).toBe(26);
  });

  test("nothing need be written, and the offering may be named", async () => {
    const sandbox = await openControl(way);
    const first = await sandbox.investments.create({});
    const second = await sandbox.investments.create({ offering_id: "borealis" });
    expect(first).toMatchObject({ offering_id: known.aurora });
    expect(second).toMatchObject({ offering_id: known.borealis });
    expect(first.id).not.toBe(second.id);
    expect((await read(sandbox, `/investments/${second.id}`)).status).toBe(404);
    expect((await read(sandbox, `/investments/${second.id}`, known.keys.borealis)).status).toBe(200);
  });

  test("one is changed, and its modify_date follows", async () => {
    const sandbox = await openControl(way);
    await sandbox.clock.advance("1h");
    const changed = await sandbox.investments.change(known.whole, { status: "CLOSED", step: null });
    expect(changed).toMatchObject({ id: known.whole, status: "CLOSED", step: null, modify_date: later });
    const { attributes } = (await read(sandbox, `/investments/${known.whole}`)).json.data;
    expect(attributes).toMatchObject({ status: "CLOSED", step: null, modify_date: later });
    const list = await read(sandbox, `/offerings/${known.aurora}/investments?modify_date[gte]=${later}`);
    expect(list.json.data.map(({ id }: { id: string }) => id)).toEqual([known.whole]);
  });

  test("an event is recorded, and the investment's modify_date follows", async () => {
    const sandbox = await openControl(way);
    await sandbox.clock.advance("1h");
    const event = await sandbox.investments.recordEvent(known.whole, { event: "PAYMENT", action: "APPROVED" });
    expect(event).toMatchObject({ event: "PAYMENT", action: "APPROVED", description: null, create_date: later });
    const described = { event: "ADDRESS", action: "SUBMITTED", description: "moved" };
    expect(await sandbox.investments.recordEvent(known.whole, described)).toMatchObject(described);
    const { included } = (await read(sandbox, `/investments/${known.whole}/events`)).json;
    expect(included.slice(-2)).toMatchObject([{ ...event }, described]);
    const { attributes } = (await read(sandbox, `/investments/${known.whole}`)).json.data;
    expect(attributes.modify_date).toBe(later);
  });
});
