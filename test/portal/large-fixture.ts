import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { draftFixture } from "../../src/fixture/complete/complete.ts";
import { printFixture } from "../../src/fixture/print.ts";
import type { CompletedInvestment } from "../../src/fixture/schema.ts";

const [generated, copies] = [1000, 50];

/**
 * The file of a fixture with 100,000 investments in two offerings, made once a run. It repeats 2,000 generated investments
 * fifty times with new ids and numbers, as generating all of them would take most of a minute.
 */
export async function largeFixture(): Promise<string> {
  const file = join(inject("portalFolder"), "large.json");
  if (existsSync(file)) return file;
  const offerings = ["Aurora Robotics", "Borealis Energy"].map((name) => ({
    name,
    generate: { investments: generated },
  }));
  const { header, offerings: drafts, keys, scenarios } = draftFixture({ offerings }, { name: "large", seed: 1 });
  const many = drafts.map((draft) => ({ ...draft.attributes, investments: copied([...draft.investments()]) }));
  // Another test file may write it at the same time.
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, printFixture({ ...header, offerings: many, keys, scenarios }, "investment"));
  await rename(unfinished, file);
  return file;
}

function* copied(investments: readonly CompletedInvestment[]): Generator<CompletedInvestment> {
  for (let copy = 0, number = 0; copy < copies; copy++) {
    const moved = <Thing extends { id: string }>(thing: Thing): Thing => ({ ...thing, id: movedId(thing.id, copy) });
    for (const investment of investments) {
      const { investors, signing_parties, payments, events } = investment;
      yield {
        ...moved(investment),
        investment_number: ++number,
        investors: investors.map(moved),
        signing_parties: signing_parties.map(moved),
        payments: payments.map(moved),
        // Without a history, copies are half as long.
        events: copy === 0 ? events : [],
      };
    }
  }
}

/** Derives a copy's id: changes the first 32 bits by the number of the copy. */
function movedId(id: string, copy: number): string {
  const start = (Number.parseInt(id.slice(0, 8), 16) ^ Math.imul(copy, 0x9e3779b1)) >>> 0;
  return start.toString(16).padStart(8, "0") + id.slice(8);
}
