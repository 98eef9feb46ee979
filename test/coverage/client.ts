import { Agent } from "node:http";
import type { CoverageReport, Environment, Sandbox, SandboxOptions } from "../../src/control.ts";
import { type Answer, type Ask, known, send } from "../support/sandbox.ts";
import { openControl, type Way } from "../support/sandboxes.ts";

const { aurora } = known;
export const offering = `/offerings/${aurora}`;
export const list = `${offering}/investments`;

/** Asks on one connection, so that the next question certainly comes after the answer; with `alone` on a connection of its own. */
export function ask({ baseUrl }: Environment, path: string, how: Ask = {}, alone = false): Promise<Answer> {
  const { origin, pathname } = new URL(baseUrl);
  const { headers } = how;
  if (alone) return send(origin, pathname + path, { ...how, headers: { connection: "close", ...headers } });
  const agent = agents.get(origin) ?? new Agent({ keepAlive: true, maxSockets: 1 });
  agents.set(origin, agent);
  return send(origin, pathname + path, { ...how, agent });
}

const agents = new Map<string, Agent>();

export async function askAll(sandbox: Environment, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) await ask(sandbox, path);
}

export const risksIn = ({ risks }: CoverageReport): string[] => risks.map(({ id }) => id);

export function countOf({ behaviours }: CoverageReport, id: string): number | undefined {
  return behaviours.find((one) => one.id === id)?.count;
}

/** Opens a sandbox whose list has three pages of one. */
export async function open(way: Way, options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await openControl({ rateLimit: 120, ...options }, way);
  const { total } = await sandbox.investments.list({ offering_id: aurora });
  for (let more = total; more < 3; more++) await sandbox.investments.create({ offering_id: aurora });
  return sandbox;
}
