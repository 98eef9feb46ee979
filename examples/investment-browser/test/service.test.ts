import { EventEmitter, once } from "node:events";
import { test } from "offering-sandbox/vitest";
import { describe, expect } from "vitest";
import { fileOf, isRedacted, redacted } from "../src/service/investment-file.ts";
import { everything } from "../src/service/list-query.ts";
import { Refusal, Unreachable } from "../src/service/refusal.ts";
import { retryAfterSeconds } from "../src/service/retry-after.ts";
import { Service } from "../src/service/service.ts";
import { keyOf, serviceOf, skip, useUp } from "./connection.ts";

/** An error that is a Refusal of this status. */
const refusal = (status: number): unknown => expect.objectContaining({ constructor: Refusal, status });

const nobody = "00000000-0000-4000-8000-000000000000";

describe("the list", () => {
  test("comes in pages", async ({ sandbox }) => {
    const service = await serviceOf(sandbox, "marketing");
    const pages = [await service.investments(everything), await service.investments({ ...everything, page: 2 })];
    const numbers = pages.flatMap(({ data }) => data.map(({ attributes }) => attributes.investment_number));
    expect(numbers).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  });

  test("is filtered by day, the last one included", async ({ sandbox }) => {
    const service = await serviceOf(sandbox, "marketing");
    const { data } = await service.investments({ ...everything, createdFrom: "2025-09-11", createdTo: "2025-09-13" });
    const days = data.map(({ attributes }) => attributes.create_date.slice(0, 10));
    expect(new Set(days)).toEqual(new Set(["2025-09-11", "2025-09-12", "2025-09-13"]));
  });

  test("shows what has just been modified", async ({ sandbox }) => {
    const service = await serviceOf(sandbox, "marketing");
    await sandbox.clock.set({ now: "2026-03-09T10:00:00.000Z" });
    const created = await sandbox.investments.create({ amount: 700 });
    const { data } = await service.investments({ ...everything, modifiedFrom: "2026-03-09" });
    expect(data.map(({ id }) => id)).toEqual([created.id]);
  });
});

describe("an investment", () => {
  test("comes with personal data for a Partner key", async ({ sandbox }) => {
    const service = await serviceOf(sandbox, "partner");
    const { id } = await sandbox.investments.create({
      investors: [{ email: "ada@example.com", tax_id: "000-12-3456" }],
      signing_parties: [{}],
    });
    const file = fileOf(await service.investment(id));
    expect(file.investors.map(({ attributes }) => attributes.tax_id)).toEqual(["000-12-3456"]);
    expect(file.signingParties.map(({ attributes }) => attributes.phone_number)).toEqual([undefined]);
    expect(isRedacted(file)).toBe(false);
  });

  test("comes redacted for a Marketing key", async ({ sandbox }) => {
    const service = await serviceOf(sandbox, "marketing");
    const { id } = await sandbox.investments.create({
      investors: [{}],
      signing_parties: [{}],
    });
    const file = fileOf(await service.investment(id));
    expect(file.investors.map(({ attributes }) => attributes.tax_id)).toEqual([redacted]);
    expect(file.signingParties.map(({ attributes }) => attributes.phone_number)).toEqual([expect.any(String)]);
    expect(isRedacted(file)).toBe(true);
  });

  test("comes with its payments and offering", async ({ sandbox }) => {
    const service = await serviceOf(sandbox, "partner");
    const { id } = await sandbox.investments.create({
      payments: [{ amount: 30 }, { amount: 12 }],
    });
    const { payments, offering } = fileOf(await service.investment(id));
    expect(payments.map(({ attributes }) => attributes.amount)).toEqual([30, 12]);
    expect(offering?.attributes.name).toBe("Aurora Robotics");
  });
});

describe("what is refused", () => {
  test("is told by its status", async ({ sandbox }) => {
    const { baseUrl, offerings } = sandbox;
    const { key, offering_id: offeringId } = await keyOf(sandbox, "marketing");
    const otherId = offerings.find(({ id }) => id !== offeringId)?.id ?? "";
    const service = new Service({ baseUrl, offeringId, key });
    const unknown = new Service({ baseUrl, offeringId, key: "unknown-key" });
    const foreign = new Service({ baseUrl, offeringId: otherId, key });
    await expect(unknown.offering()).rejects.toThrow(refusal(401));
    await expect(foreign.offering()).rejects.toThrow(refusal(403));
    await expect(service.investment(nobody)).rejects.toThrow(refusal(404));
  });

  test("includes a key that has been revoked", async ({ sandbox }) => {
    const service = await serviceOf(sandbox, "partner");
    await service.offering();
    const { id } = await keyOf(sandbox, "partner");
    await sandbox.keys.revoke(id);
    await expect(service.offering()).rejects.toMatchObject({ status: 401 });
  });

  test("is told apart from no response", async ({ sandbox }) => {
    const service = await serviceOf(sandbox, "partner");
    await sandbox.faults.add({ connection: "reset", times: 1 });
    await expect(service.offering()).rejects.toBeInstanceOf(Unreachable);
    await expect(service.offering()).resolves.toBeDefined();
  });

  test("is told apart from half a response", async ({ sandbox }) => {
    const service = await serviceOf(sandbox, "partner");
    await sandbox.faults.add({ respond: { status: 200, body: "{" } });
    await expect(service.offering()).rejects.toBeInstanceOf(Unreachable);
  });
});

describe("the limit", () => {
  test("is waited out, as long as the service says", async ({ sandbox }) => {
    await useUp(sandbox, "partner");
    const waits: number[] = [];
    const service = await serviceOf(sandbox, "partner", async (seconds) => {
      waits.push(seconds);
      await skip(sandbox, seconds * 1000);
    });
    await expect(service.offering()).resolves.toMatchObject({ data: { type: "offerings" } });
    expect(waits).toEqual([60]);
  });

  test("is waited out by all requests together", async ({ sandbox }) => {
    await useUp(sandbox, "partner");
    const minute = new EventEmitter();
    const begun = once(minute, "begun");
    const service = await serviceOf(sandbox, "partner", async () => {
      minute.emit("begun");
      await once(minute, "over");
    });
    const first = service.offering();
    await begun;
    const later = [service.offering(), service.investments(everything)];
    // If they had sent requests, these would be refused like the first one.
    expect(await sandbox.requests.count({ status: 429 })).toBe(1);
    await skip(sandbox, 60_000);
    minute.emit("over");
    await Promise.all([first, ...later]);
    expect(await sandbox.requests.count({ status: 429 })).toBe(1);
  });

  test("is not waited out for ever", async ({ sandbox }) => {
    await sandbox.faults.add({ respond: { status: 429, headers: { "Retry-After": "1" } } });
    const service = await serviceOf(sandbox, "partner");
    await expect(service.offering()).rejects.toMatchObject({ status: 429 });
    expect(await sandbox.requests.count({ status: 429 })).toBe(4);
  });

  test("may be named in seconds, as a date, or not at all", () => {
    const now = Date.parse("2026-01-15T12:00:00.000Z");
    expect(retryAfterSeconds("7", now)).toBe(7);
    expect(retryAfterSeconds("Thu, 15 Jan 2026 12:00:30 GMT", now)).toBe(30);
    expect(retryAfterSeconds("soon", now)).toBe(60);
    expect(retryAfterSeconds(null, now)).toBe(60);
  });
});
