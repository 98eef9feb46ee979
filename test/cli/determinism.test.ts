import { expect, test } from "vitest";
import { start } from "./cli.ts";

test("two processes with the same fixture and a frozen clock return the same bytes on every path", async () => {
  const args = ["--clock", "fixture", "--speed", "0", "--rate-limit", "0", "--log-level", "error"];
  const running = await Promise.all([start(args), start([...args, "--delay", "0-3"])]);
  const { environment } = running[0].ready;
  const active = environment.keys.filter(({ status }) => status === "active");
  const calls: [path: string, key: string][] = [["/nowhere", ""]];
  for (const { key, offering_id: id } of active) {
    calls.push([`/offerings/${id}`, key]);
    for (const page of [1, 2, 3]) calls.push([`/offerings/${id}/investments?page=${page}&size=100`, key]);
  }
  const answers = await Promise.all(
    running.map(({ ready }) => Promise.all(calls.map((call) => ask(ready.base_url, call)))),
  );
  expect(answers[1]).toEqual(answers[0]);

  const investments = answers[0]?.flatMap(({ text }, at) => {
    const { data } = JSON.parse(text) as { data?: { id: string }[] };
    return Array.isArray(data) ? data.map(({ id }): [string, string] => [id, calls[at]?.[1] ?? ""]) : [];
  });
  expect(investments?.length).toBeGreaterThan(400);
  const details = (investments ?? []).flatMap(([id, key]) =>
    ["", "/status", "/events"].map((tail): [string, string] => [`/investments/${id}${tail}`, key]),
  );
  for (let from = 0; from < details.length; from += 50) {
    const some = details.slice(from, from + 50);
    const [ones, others] = await Promise.all(
      running.map(({ ready }) => Promise.all(some.map((call) => ask(ready.base_url, call)))),
    );
    expect(others).toEqual(ones);
    expect(ones?.every(({ status }) => status === 200)).toBe(true);
  }
});

async function ask(base: string, [path, key]: [path: string, key: string]): Promise<{ status: number; text: string }> {
  const response = await fetch(base + path, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, text: await response.text() };
}
