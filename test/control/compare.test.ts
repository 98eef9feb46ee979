import { describe, expect, test } from "vitest";
import type { Comparison, ComparisonRequest, KeyResponse } from "../../src/public/control.ts";
import { investmentDocuments } from "../../src/model/vocabulary.ts";
import { stopMachineTime } from "../support/machine-time.ts";
import { known, openSandbox } from "../support/sandbox.ts";
import { openControl } from "../support/sandboxes.ts";

type Members = Readonly<Record<string, unknown>>;

interface Resource extends Members {
  readonly type: string;
  readonly id: string;
  readonly attributes: Members;
}

interface Document {
  readonly data: Resource;
  readonly included?: readonly Resource[];
}

function documentOf({ response }: KeyResponse): Document {
  expect(response.status).toBe(200);
  return JSON.parse(response.body) as Document;
}

/** The members of an investment that scenarios change, as a document shows them at any instant. */
function statement({ data, included = [] }: Document): object {
  const { status, step, amount, paid_amount, modify_date } = data.attributes;
  const resourcesOf = (type: string) => included.filter((resource) => resource.type === type);
  return {
    members: { status, step, amount, paid_amount, modify_date },
    signed: resourcesOf("signing_parties").map(({ attributes: { signed } }) => signed),
    payments: resourcesOf("payments").map(({ attributes: { amount: paid, status: state } }) => [paid, state]),
    events: resourcesOf("events").map(({ id }) => id),
  };
}

/** More reads of the machine's time than happen between setting the clock and the end of the next comparison. */
const maxReads = 30;

test("a comparison is of one instant, however fast the clock runs", async () => {
  const speed = 86_400;
  const investment_id = known.whole;
  const { sandbox, raw } = await openSandbox({ scenarios: ["live-demo"] });
  const send = async (call: string, body: object) => {
    const [method = "", path = ""] = call.split(" ");
    const headers = { "content-type": "application/json" };
    return await raw(`/__admin${path}`, { method, key: null, headers, body: JSON.stringify(body) });
  };
  const { id: thirdKeyId } = await sandbox.keys.issue({ type: "marketing", offering_id: "aurora" });
  await sandbox.clock.advance("3h");
  const { now: startAt } = await sandbox.clock.get();
  await sandbox.play("closing", { investment_id });
  await sandbox.clock.advance("13h");
  const { revoke_date } = await sandbox.keys.revoke(thirdKeyId);
  const changes = await sandbox.timeline({ investment_id });
  const dates = [...new Set([...changes.map(({ date }) => date), revoke_date ?? ""])].filter((date) => date > startAt);
  expect(dates).toHaveLength(7);

  // A millisecond passes with each read of the machine's time, so a change falls once between any two responses.
  stopMachineTime(1);
  const key_ids = [known.keys.partner, known.keys.marketing, thirdKeyId];
  for (const [dateIndex, date] of dates.filter((_, index) => index % 3 === 0).entries()) {
    const sidesOfDate = new Set<boolean>();
    for (let attempt = 1; attempt <= maxReads; attempt++) {
      const document = investmentDocuments[(dateIndex + attempt) % investmentDocuments.length] ?? "investment";
      await send("PUT /clock", { now: new Date(Date.parse(date) - attempt * speed).toISOString(), speed });
      const { json } = await send("POST /comparison", { investment_id, document, key_ids });
      const { now, stored, responses } = json as Comparison & { readonly stored: Document };
      const [partner, marketing, revokedKey] = responses;
      sidesOfDate.add(now < date);
      for (const response of [partner, marketing]) {
        if (response)
          expect(statement(documentOf(response)), `${document} of ${response.key.type} at ${now}`).toEqual(
            statement(stored),
          );
      }
      const isRevoked = now >= (revoke_date ?? "");
      expect([revokedKey?.key.status, revokedKey?.response.status]).toEqual(
        isRevoked ? ["revoked", 401] : ["active", 200],
      );
    }
    expect([...sidesOfDate]).toHaveLength(2);
  }
});

describe("compare", () => {
  test("a comparison has the stored document and the responses of the usual keys", async () => {
    const sandbox = await openControl();
    const snapshotBefore = await sandbox.snapshot();
    for (const document of investmentDocuments) {
      const { now, investment, offering, path, responses } = await sandbox.compare({
        investment_id: "whole",
        document,
      });
      expect(now).toBe((await sandbox.clock.get()).now);
      expect(investment).toEqual(await sandbox.investments.get("whole"));
      expect(path).toBe(`/investments/${known.whole}${document === "investment" ? "" : `/${document}`}`);
      expect(offering).toEqual((await sandbox.offeringSummaries())[0]);
      expect(responses.map(({ key }) => key.key)).toEqual([known.keys.partner, known.keys.marketing]);
      for (const { key, response } of responses) {
        expect(response).toEqual(await sandbox.preview({ path, key_id: key.id }));
      }
    }
    const { investment, path, responses } = await sandbox.compare({ offering_id: "empty" });
    expect([investment, path]).toEqual([null, `/offerings/${known.empty}`]);
    expect(responses.map(({ key, response }) => [key.key, response.status])).toEqual([[known.keys.empty, 200]]);
    expect(await sandbox.snapshot()).toEqual(snapshotBefore);
  });

  test("a comparison of nothing is refused with a reason", async () => {
    const sandbox = await openControl();
    const refusals: readonly (readonly [object, string, string])[] = [
      [{}, "invalid", 'one of "offering_id" and "investment_id"'],
      [{ offering_id: "aurora", investment_id: "whole" }, "invalid", 'one of "offering_id" and "investment_id"'],
      [{ offering_id: "aurora", document: "status" }, "invalid", "document"],
      [{ investment_id: "whole", document: "stauts" }, "invalid", 'Did you mean "status"?'],
      [{ investment_id: "whole", key_id: [] }, "invalid", 'Did you mean "key_ids"?'],
      [{ investment_id: "whole", key_ids: ["unknown"] }, "invalid", "There is no key"],
      [{ investment_id: known.unknown }, "not_found", "There is no investment"],
      [{ offering_id: "auora" }, "not_found", 'Did you mean "aurora"?'],
    ];
    for (const [request, code, message] of refusals) {
      await expect(sandbox.compare(request as ComparisonRequest), JSON.stringify(request)).rejects.toMatchObject({
        code,
        message: expect.stringContaining(message) as string,
      });
    }
  });
});
