import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dataRows } from "../../src/assumptions/data.ts";
import { documentRows } from "../../src/assumptions/documents.ts";
import { formOf, type Row } from "../../src/assumptions/row.ts";
import type { Environment, Snapshot } from "../../src/index.ts";
import { draws } from "../support/draws.ts";
import { known, openSandbox, type TestSandbox } from "../support/sandbox.ts";

/** Commands that change an environment; the number varies their values. */
const commands: readonly ((environment: Environment, number: number) => Promise<unknown>)[] = [
  ({ investments }, number) => investments.change(known.whole, { step: `STEP_${number}` }),
  ({ investments }, number) => investments.change(known.closed, { status: number % 2 === 0 ? "PENDING" : "CLOSED" }),
  ({ investments }, number) => investments.create({ amount: 1000 + number, offering_id: known.aurora }),
  ({ investments }) => investments.recordEvent(known.whole, { event: "PAYMENT", action: "APPROVED" }),
  ({ clock }, number) => clock.advance(`${number}h`),
  async ({ clock }, number) => {
    const { now } = await clock.get();
    await clock.set({ now: new Date(Date.parse(now) - number * 3_600_000).toISOString() });
  },
  (environment, number) =>
    environment.play({
      offering: known.aurora,
      investment: known.whole,
      steps: [{ after: `${number}h`, offering: { name: `Aurora ${number}` }, payment: { amount: number } }],
    }),
  ({ assumptions }, number) => assumptions.set({ "list.included": number % 2 === 0 ? "yes" : "no" }),
  ({ assumptions }, number) => assumptions.set({ "list.order": number % 2 === 0 ? "-modify_date" : "create_date" }),
  ({ assumptions }, number) =>
    assumptions.set({ "offering.document": number % 2 === 0 ? "resource" : "resource-with-counts" }),
];

const list = `/offerings/${known.aurora}/investments`;
const paths = [
  `/offerings/${known.aurora}`,
  list,
  `${list}?page=2&size=7`,
  `${list}?size=3&modify_date[gte]=2026-01-15`,
  `/investments/${known.whole}`,
  `/investments/${known.whole}/status`,
  `/investments/${known.whole}/events`,
];

test("after any commands, cached answers equal new ones", async () => {
  const { sandbox, raw } = await openSandbox();
  // Not checked against the OpenAPI document, which has the default environment's assumptions.
  const readAll = async ({ keys }: Environment): Promise<unknown[]> => {
    const answers: unknown[] = [];
    for (const key of [keys.partner, keys.marketing]) {
      for (const path of paths) {
        const { status, text, headers } = await raw(`/api/v1${path}`, { key });
        answers.push([status, text, headers["sandbox-assumptions"]]);
      }
    }
    return answers;
  };
  const command = fc.record({ which: fc.nat(commands.length - 1), number: fc.integer({ min: 1, max: 9 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 8 }), async (sequence) => {
      const environment = await sandbox.openEnvironment();
      for (const { which, number } of sequence) {
        await readAll(environment);
        await commands[which]?.(environment, number);
      }
      const again = await readAll(environment);
      // A restore drops all caches of the environment.
      await environment.restore(await environment.snapshot());
      expect(again).toEqual(await readAll(environment));
      await environment.close();
    }),
    { numRuns: draws(5) },
  );
});

/** A request with a key, under assumptions. */
interface Question {
  readonly assumed: Readonly<Record<string, unknown>>;
  readonly key: keyof typeof known.keys;
  readonly path: string;
}

/** Sends requests to a sandbox in order and in reverse order, each time without a cached answer. */
async function expectSameBackwards(
  { sandbox, raw }: TestSandbox,
  begin: Snapshot,
  questions: readonly Question[],
): Promise<void> {
  const answersTo = async (asked: readonly Question[]): Promise<unknown[]> => {
    // A restore drops all caches, and the changed assumptions.
    await sandbox.restore(begin);
    const answers: unknown[] = [];
    for (const question of asked) {
      await sandbox.assumptions.set(question.assumed);
      const { status, text, headers } = await raw(`/api/v1${question.path}`, { key: known.keys[question.key] });
      answers.push({ question, status, text, rests: headers["sandbox-assumptions"] });
    }
    return answers;
  };
  const backwards = await answersTo(questions.toReversed());
  expect(backwards.toReversed()).toEqual(await answersTo(questions));
}

describe("answers are the same in reverse order of the requests", () => {
  const one = `/investments/${known.whole}`;
  const events = `${one}/events`;

  const rows: readonly Row[] = [...documentRows, ...dataRows].filter(({ id }) => !/^(money|payment)/.test(id));
  test("under all values of each row", async () => {
    const opened = await openSandbox();
    const begin = await opened.sandbox.snapshot();
    const bounds = "create_date[gte]=2026-01-03&modify_date[lte]=2026-01-10";
    const ofLists = ["", "?page=3", `?${bounds}`, `?${bounds}&size=12&page=2`].map((query) => list + query);
    for (const { id, values, accepts } of rows) {
      const others = typeof accepts === "object" ? [3, 9] : accepts ? [formOf(accepts).example] : [];
      const targets = /^(list|dates)/.test(id)
        ? [...ofLists, `${events}?create_date[lte]=2026-01-06`]
        : [`/offerings/${known.aurora}`, list, one, `${one}/status`, events];
      const key = id === "investor.birthdate" ? "partner" : "marketing";
      const questions = [...Object.keys(values), ...others].flatMap((value) =>
        targets.map((path): Question => ({ assumed: { [id]: value }, key, path })),
      );
      await expectSameBackwards(opened, begin, questions);
    }
  });

  test("for all keys and filters", async () => {
    const assumed = { "list.included": "yes", "auth.partner_data": "on-request" };
    const bounds = ["create_date[gte]", "create_date[lte]", "modify_date[gte]", "modify_date[lte]"];
    const queries = [
      "page=2",
      "page=2&size=7",
      "size=7",
      "size=8",
      ...bounds.flatMap((name) => [`${name}=2026-01-05T00:00:00.000Z`, `${name}=2026-01-08`]),
      ...bounds.map((name) => `${name}=2026-01-08&create_date[gte]=2026-01-02&modify_date[lte]=2026-01-12`),
    ];
    const bounded = ["[gte]=2026-01-03", "[gte]=2026-01-04", "[lte]=2026-01-03", "[lte]=2026-01-04"];
    const filteredTargets = [
      ...queries.map((query) => `${list}?${query}`),
      ...bounded.map((bound) => `${events}?create_date${bound}`),
    ];
    const keys = ["marketing", "partner", "ungranted"] as const;
    const opened = await openSandbox();
    await expectSameBackwards(opened, await opened.sandbox.snapshot(), [
      ...[one, list].flatMap((path) => keys.map((key) => ({ assumed, key, path }))),
      ...filteredTargets.map((path) => ({ assumed, key: "partner" as const, path })),
    ]);
  });
});
