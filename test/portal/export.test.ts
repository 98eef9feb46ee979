import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { formatCsv } from "../../portal/base/csv.ts";
import { lastMessage, openPortal } from "./portal.ts";

test("cells are quoted as RFC 4180 says, and a cell that begins like a formula is not calculated", () => {
  const text = (cell: unknown): string => formatCsv([{ cell }], false);
  expect(text('a "b", c')).toBe('"a ""b"", c"\r\n');
  expect(text("two\nlines")).toBe('"two\nlines"\r\n');
  for (const begin of ["=", "+", "-", "@"]) expect(text(`${begin}1+1`)).toBe(`'${begin}1+1\r\n`);
  expect(text('=HYPERLINK("http://x")')).toBe(`"'=HYPERLINK(""http://x"")"\r\n`);
  expect(text(-12.5)).toBe("-12.5\r\n");
  expect(text(["one", "other"])).toBe("one; other\r\n");
  expect(text(null)).toBe("\r\n");
  expect(formatCsv([{ id: 1, name: "Ada" }])).toBe("\uFEFFid,name\r\n1,Ada\r\n");
});

test("an export has all matching investments, as the admin API returns them", async () => {
  const { page, sandbox } = await openPortal({ fixture: "large", hash: "#/default/investments?status=PENDING" });
  const saved = async (name: string): Promise<readonly [name: string, text: string]> => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name }).click();
    const file = await download;
    return [file.suggestedFilename(), await readFile(await file.path(), "utf8")];
  };
  const [name, json] = await saved("Export JSON");
  expect(name).toBe("investments-default-PENDING.json");
  const exported = JSON.parse(json) as { readonly id: string }[];
  const { total, data } = await sandbox.investments.list({ status: "PENDING", limit: 1000 });
  expect(total).toBeGreaterThan(1000);
  expect(exported).toHaveLength(total);
  expect(new Set(exported.map(({ id }) => id)).size).toBe(total);
  expect(exported.slice(0, 1000)).toEqual(data);
  await expect.poll(() => lastMessage(page)).toBe(`${total.toLocaleString("en-US")} investments exported to ${name}.`);

  const [csvName, table] = await saved("Export CSV");
  expect(csvName).toBe("investments-default-PENDING.csv");
  const lines = table.split("\r\n");
  expect(lines).toHaveLength(total + 2);
  expect(lines[0]).toBe(`\uFEFF${Object.keys(data[0] ?? {}).join(",")}.name,investors.email`);
  const { investors = [], ...first } = data[0] ?? {};
  expect(lines[1]).toBe(
    [
      ...Object.values(first).map((value) => value ?? ""),
      investors.map(({ name: investor }) => investor).join("; "),
      investors.map(({ email }) => email).join("; "),
    ].join(","),
  );
});
