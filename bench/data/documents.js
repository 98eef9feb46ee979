// The answers that the service gives, composed from a completed fixture, apart from the product's own code: what the
// measured answers are compared with, and what the peers are given to serve. Where the specification is silent, they are as
// the conventional assumptions have them.

/** The investor's fields that a Marketing key reads redacted (specification, section 2.3). */
const personal = new Set([
  "tax_id",
  "ein",
  "address_street_1",
  "address_street_2",
  "address_city",
  "address_state",
  "address_postal_code",
  "address_country_code",
  "accredited",
  "annual_income",
  "birthdate",
  "ta_account_type",
  "ta_sub_type",
]);
const nameFields = ["first_name", "middle_name", "last_name"];

/** GET /investments/:id, for a key of a type. */
export function investmentDocument(investment, offering, keyType) {
  const { create_date, modify_date, name, status } = offering;
  return {
    data: investmentResource(investment, offering),
    included: [
      ...investment.signing_parties.map((party) => signingPartyResource(party, keyType)),
      ...investment.investors.map((investor) => investorResource(investor, keyType)),
      { type: "offerings", id: offering.id, attributes: { name, status, create_date, modify_date } },
      ...investment.payments.map((payment) => ({
        type: "payments",
        id: payment.id,
        attributes: without(payment, ["id", "alias"]),
      })),
    ],
  };
}

/** An investment as a list has it. */
export function investmentResource(investment, offering) {
  const { investors, signing_parties, payments } = investment;
  return {
    type: "investments",
    id: investment.id,
    attributes: without(investment, ["alias", "broker", "investors", "signing_parties", "payments", "events"]),
    relationships: {
      broker: { data: null },
      signing_parties: { data: references("signing_parties", signing_parties) },
      investors: { data: references("investors", investors) },
      offering: { data: { type: "offerings", id: offering.id } },
      payments: { data: references("payments", payments) },
    },
  };
}

/** GET /investments/:id/status. */
export function statusDocument({ id, step, status, create_date }) {
  return { data: { type: "investments", id, attributes: { step, status, create_date } } };
}

/** GET /investments/:id/events. */
export function eventsDocument({ id, step, status, create_date, events }) {
  return {
    data: {
      type: "investments",
      id,
      attributes: { step, status, create_date },
      relationships: { events: { data: references("events", events) } },
    },
    included: events.map((event) => ({ type: "events", ...event })),
  };
}

/** GET /offerings/:id/investments, where the path and the parameters are these. */
export function listDocument(matching, offering, { path, page, size, filter }) {
  const pages = Math.ceil(matching.length / size);
  const link = (to) => `${path}?${new URLSearchParams({ page: to, size, ...filter })}`;
  return {
    data: matching.slice((page - 1) * size, page * size).map((investment) => investmentResource(investment, offering)),
    meta: { page, size, total: matching.length, pages },
    links: {
      self: link(page),
      first: link(1),
      prev: page > 1 ? link(page - 1) : null,
      next: page < pages ? link(page + 1) : null,
      last: link(pages),
    },
  };
}

function investorResource(investor, keyType) {
  const attributes = { ...without(investor, ["id", "alias"]), middle_name: investor.middle_name ?? "" };
  if (keyType === "marketing") for (const field of personal) attributes[field] = "[[redacted]]";
  else if (attributes.birthdate === null) delete attributes.birthdate;
  return { type: "investors", id: investor.id, attributes };
}

function signingPartyResource(party, keyType) {
  const absent = nameFields.filter((name) => party[name] === null);
  if (keyType === "partner") absent.push("phone_number");
  const attributes = {
    ...without(party, ["id", "alias", ...absent]),
    status: party.status ?? (party.signed ? "signed" : "pending"),
  };
  return { type: "signing_parties", id: party.id, attributes };
}

function references(type, resources) {
  return resources.map(({ id }) => ({ type, id }));
}

function without(object, names) {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
