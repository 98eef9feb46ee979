import { test } from "offering-sandbox/vitest";
import { describe, expect } from "vitest";
import { formatAddress, parseAddress } from "../src/address.ts";
import { fileOf } from "../src/service/investment-file.ts";
import { everything, type ListQuery } from "../src/service/list-query.ts";
import { html } from "../src/view/html.ts";
import { investmentView } from "../src/view/investment.ts";
import { listView } from "../src/view/list.ts";
import { serviceOf } from "./connection.ts";

describe("the list's view", () => {
  for (const profile of ["conventional", "minimal"] as const) {
    test(`leads from the first page to the last, under the profile ${profile}`, async ({ sandboxServer }) => {
      const sandbox = await sandboxServer.openEnvironment({ profile });
      const service = await serviceOf(sandbox, "marketing");
      const ids = new Set<string>();
      for (let query: ListQuery = everything; ; query = { ...query, page: query.page + 1 }) {
        const list = await service.investments(query);
        for (const { id } of list.data) ids.add(id);
        if (!listView(list, query).text.includes('rel="next"')) break;
      }
      expect(ids.size).toBe(sandbox.offering.investments);
    });
  }
});

describe("an investment's view", () => {
  test("escapes what it is given", async ({ sandbox }) => {
    const service = await serviceOf(sandbox, "partner");
    const { id } = await sandbox.investments.create({
      investors: [{ first_name: "<b>Ada</b>", company: 'A "B" & Sons' }],
    });
    const view = investmentView(fileOf(await service.investment(id)), await service.events(id)).text;
    expect(view).not.toContain("<b>");
    expect(view).toContain("A &#34;B&#34; &#38; Sons");
  });

  test("lists events oldest first, whatever order they come in", async ({ sandbox }) => {
    await sandbox.assumptions.set({ "events.order": "-create_date" });
    const service = await serviceOf(sandbox, "partner");
    const { investment_ids } = await sandbox.play("closing");
    await sandbox.clock.advance("2d");
    const id = investment_ids[0] ?? "";
    const view = investmentView(fileOf(await service.investment(id)), await service.events(id)).text;
    expect(view.indexOf("Registration completed")).toBeLessThan(view.indexOf("Payment approved"));
  });
});

describe("an address of the page", () => {
  test("is read as it was written", () => {
    const address = { investmentId: "7", query: { ...everything, page: 3, createdFrom: "2026-01-15" } };
    expect(formatAddress(address)).toBe("#investment=7&createdFrom=2026-01-15&page=3");
    expect(parseAddress(formatAddress(address))).toEqual(address);
  });

  test("may be anything that a person types", () => {
    expect(parseAddress("#page=-2&nonsense")).toEqual({ query: everything });
  });
});

describe("a template", () => {
  test("puts in markup as it is, text escaped, and nothing for nothing", () => {
    expect(html`<p>${"<i>"}${html`<br />`}${null}${false}${0}${["a", "b"]}</p>`.text).toBe(
      "<p>&#60;i&#62;<br />0ab</p>",
    );
  });
});
