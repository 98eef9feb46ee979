import { expect, test } from "vitest";
import { known, openSandbox } from "../support/sandbox.ts";
import { uuid } from "../support/small-dataset.ts";

const offering = {
  type: "offerings",
  id: known.aurora,
  attributes: {
    name: "Aurora Robotics",
    status: "ACTIVE",
    create_date: "2025-11-01T09:30:00.000Z",
    modify_date: "2025-12-24T00:00:00.000Z",
  },
};

test("GET /investments/:id has the investment and everything its relationships reference (2.1, 4.1)", async () => {
  const { api } = await openSandbox();
  const { status, headers, json } = await api(`/investments/${known.whole}`);
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(Object.keys(json)).toEqual(["data", "included"]);
  expect(json.data).toEqual({
    type: "investments",
    id: known.whole,
    attributes: {
      id: known.whole,
      amount: 1000.5,
      price: 10.01,
      quantity: 99.95004995,
      paid_amount: 400.25,
      investment_number: 1,
      expedited: true,
      step: "SIGNERS",
      status: "PENDING",
      create_date: "2026-01-02T12:00:00.000Z",
      modify_date: "2026-01-09T12:00:00.000Z",
    },
    relationships: {
      broker: { data: null },
      signing_parties: { data: [1, 2, 3].map((index) => ({ type: "signing_parties", id: uuid(40, index) })) },
      investors: { data: [1, 2].map((index) => ({ type: "investors", id: uuid(30, index) })) },
      offering: { data: { type: "offerings", id: known.aurora } },
      payments: { data: [1, 2, 3].map((index) => ({ type: "payments", id: uuid(50, index) })) },
    },
  });
});

test("signing parties, offering and payments have exactly their fields (2.2, 2.4, 2.5)", async () => {
  const { api } = await openSandbox();
  const { json } = await api(`/investments/${known.whole}`, { key: known.keys.marketing });
  expect(json.included).toEqual(
    expect.arrayContaining([
      {
        type: "signing_parties",
        id: uuid(40, 1),
        attributes: {
          first_name: "Ada",
          middle_name: "Byron",
          last_name: "Lovelace",
          email: "ada@example.com",
          phone_number: "+12025550101",
          status: "signed",
          signed: true,
          countersigner: false,
        },
      },
      {
        type: "signing_parties",
        id: uuid(40, 3),
        attributes: {
          email: "issuer@example.net",
          phone_number: "+12025550103",
          status: "pending",
          signed: false,
          countersigner: true,
        },
      },
      offering,
      {
        type: "payments",
        id: uuid(50, 1),
        attributes: {
          amount: 400.25,
          status: "succeeded",
          category: "SANDPAY",
          create_date: "2026-01-06T12:00:00.000Z",
          modify_date: "2026-01-07T12:00:00.000Z",
        },
      },
    ]),
  );
});

const commonAttributes = {
  is_primary: true,
  is_kyc: true,
  is_signer: true,
  email: "ada@example.com",
  company: "Engines Ltd",
};

test("a Partner key reads stored personal data, without phone numbers (2.3, 5.5)", async () => {
  const { api } = await openSandbox();
  const { json } = await api(`/investments/${known.whole}`);
  expect(attributesOf(json, uuid(30, 1))).toEqual({
    first_name: "Ada",
    middle_name: "Byron",
    last_name: "Lovelace",
    ...commonAttributes,
    tax_id: "666-12-3456",
    ein: "00-1234567",
    address_street_1: "12 Analytical Way",
    address_street_2: "Floor 2",
    address_city: "Exampleton",
    address_state: "CA",
    address_postal_code: "00012",
    address_country_code: "US",
    accredited: true,
    annual_income: 250000,
    birthdate: "1985-12-10",
    citizenship: "US_CITIZEN",
    ta_account_type: "JOINT",
    ta_sub_type: "JT TEN WROS",
  });
  expect(attributesOf(json, uuid(30, 2))).toMatchObject({ tax_id: null, accredited: null, annual_income: null });
  for (const party of [1, 2, 3]) expect(attributesOf(json, uuid(40, party))).not.toHaveProperty("phone_number");
});

test("a Marketing key reads every personal field redacted, even empty ones, and all others (2.3, 5.5)", async () => {
  const { api } = await openSandbox();
  const { json, text } = await api(`/investments/${known.whole}`, { key: known.keys.marketing });
  const parts = ["street_1", "street_2", "city", "state", "postal_code", "country_code"];
  const address = parts.map((part) => `address_${part}`);
  const redactedFields = Object.fromEntries(
    ["tax_id", "ein", ...address, "accredited", "annual_income", "birthdate", "ta_account_type", "ta_sub_type"].map(
      (field) => [field, "[[redacted]]"],
    ),
  );
  const openFields = { first_name: "Ada", middle_name: "Byron", last_name: "Lovelace", citizenship: "US_CITIZEN" };
  expect(attributesOf(json, uuid(30, 1))).toEqual({ ...openFields, ...commonAttributes, ...redactedFields });
  expect(attributesOf(json, uuid(30, 2))).toMatchObject({ ...redactedFields, citizenship: null, company: null });
  for (const secret of ["666-12-3456", "00-1234567", "Analytical", "Exampleton", "1985-12-10", "JT TEN"]) {
    expect(text).not.toContain(secret);
  }
});

test("GET /investments/:id/status has step, status and create_date", async () => {
  const { api } = await openSandbox();
  const { json } = await api(`/investments/${known.whole}/status`);
  expect(json).toEqual({
    data: {
      type: "investments",
      id: known.whole,
      attributes: { step: "SIGNERS", status: "PENDING", create_date: "2026-01-02T12:00:00.000Z" },
    },
  });
});

test("GET /offerings/:id has the offering (2.4)", async () => {
  const { api } = await openSandbox();
  const { json } = await api(`/offerings/${known.aurora}`);
  expect(json).toEqual({ data: offering });
});

function attributesOf(document: { included: { id: string; attributes: unknown }[] }, resourceId: string): unknown {
  return document.included.find((resource) => resource.id === resourceId)?.attributes;
}
