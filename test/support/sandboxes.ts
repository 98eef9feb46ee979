import { onTestFinished } from "vitest";
import { connectSandbox } from "../../src/client/connect.ts";
import type { Environment, Sandbox, SandboxOptions } from "../../src/public/control.ts";
import { known, openSandbox, type TestResponse } from "./sandbox.ts";

/** The ways to control a sandbox, for tests about these ways: both use the same client and the same table. */
export const ways = ["in process", "over HTTP"] as const;

export type Way = (typeof ways)[number];

/** Opens a sandbox of one test with the known fixture, its clock paused at the fixture's present. */
export async function openControl(options: SandboxOptions = {}, way: Way = "in process"): Promise<Sandbox> {
  const failures: unknown[] = [];
  const { sandbox } = await openSandbox({ onFailure: (error) => failures.push(error), ...options });
  onTestFinished(() => {
    if (failures.length > 0) throw new AggregateError(failures, "The sandbox failed unforeseen.");
  });
  return way === "in process" ? sandbox : connectSandbox(sandbox.url);
}

/** A response of the service. */
interface Read extends Pick<TestResponse, "status" | "text" | "json"> {
  readonly headers: Headers;
}

/** Returns the service's response to a client with a key, by default the known partner key. */
export async function read(
  { baseUrl }: Environment,
  path: string,
  key: string | undefined = known.keys.partner,
): Promise<Read> {
  const response = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, text, json: text.startsWith("{") ? JSON.parse(text) : undefined };
}
