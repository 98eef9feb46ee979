import { expect, test } from "vitest";
import { PlainSecrets } from "../../src/model/plain-secrets.ts";

test.each([
  [["sesameopen"], "/sesameopen.json?x=sesameopens", "/….json?x=…s"],
  [["sesameopen", "sesameopenwide"], "/sesameopenwide", "/…"],
  [["openwide", "sesameopen"], "/sesameopenwide", "/…"],
  [["sesameopen"], "/sesameopensesameopen", "/……"],
  [["ababab"], "ababababab-ab", "…-ab"],
  [["alpha/v1/beta"], "/api/alpha/v1/beta/x", "/api/…/x"],
  [["page=12345678"], "/?page=123456789", "/?…9"],
  [["2026-01-15"], "?create_date[gte]=2026-01-15T10:00:00Z", "?create_date[gte]=…T10:00:00Z"],
  [["00000000-0000-4000-8000-000000000000"], "/x/00000000-0000-4000-8000-000000000000", "/x/…"],
  [[], "/anything", "/anything"],
])("of the secrets %j, %s shows %s", (secrets, text, shown) => {
  const known = new PlainSecrets();
  for (const secret of secrets) known.add(secret);
  expect(known.conceal(text)).toBe(shown);
  for (const secret of secrets) known.delete(secret);
  expect(known.conceal(text)).toBe(text);
});
