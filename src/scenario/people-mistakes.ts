import { mayInvest, pairSigners } from "../fixture/complete/pairs.ts";
import type { SparseInvestment } from "../fixture/schema.ts";
import { about, type Finding, type Path } from "../model/finding.ts";
import { didYouMean, either, quoted } from "../model/text.ts";
import type { WrittenScenario } from "./schema.ts";
import { isIn, signersOf } from "./signers.ts";
import { type ScenarioParty, signingPartiesOf } from "./signing-parties.ts";

/** Finds signatures and changes of people whom the new investment of a scenario does not have. */
export function* peopleMistakes({ investment = {}, steps }: WrittenScenario): Generator<Finding> {
  if (typeof investment === "string") return;
  const signatures = steps.flatMap(({ sign }) => (sign === undefined ? [] : [signersOf(sign)]));
  const parties = signingPartiesOf(investment, signatures);
  for (const [index, { sign, investor }] of steps.entries()) {
    if (sign !== undefined) yield* signMistakes(sign, ["steps", index, "sign"], parties);
    if (investor) yield* investorMistakes(investor, ["steps", index, "investor"], { investment, parties });
  }
}

function* signMistakes(
  sign: NonNullable<WrittenScenario["steps"][number]["sign"]>,
  path: Path,
  parties: readonly ScenarioParty[],
): Generator<Finding> {
  const who = signersOf(sign);
  const known = parties.flatMap(({ email }) => email ?? []);
  if (typeof who === "string") {
    if (who !== "all" && !parties.some((party) => isIn(who, party)))
      yield about(path, `is ${quoted(who)}, and the investment has none; expected one in signing_parties.`);
    return;
  }
  for (const [at, one] of who.entries()) {
    const place = Array.isArray(sign) ? [...path, at] : path;
    if (typeof one === "string" && !known.includes(one)) {
      const message = `is ${quoted(one)}, whom signing_parties do not have; expected ${either(["all", ...known])}.`;
      yield about(place, () => message + didYouMean(one, known));
    }
    if (typeof one === "number" && one > parties.length) {
      const has = ["no signing party", "one signing party"][parties.length] ?? `${parties.length} signing parties`;
      yield about(place, `is ${one}; the investment has ${has}.`);
    }
  }
}

function* investorMistakes(
  { email }: { readonly email?: string | undefined },
  path: Path,
  { investment, parties }: { readonly investment: SparseInvestment; readonly parties: readonly ScenarioParty[] },
): Generator<Finding> {
  const { investors } = investment;
  if (email === undefined) {
    if (investors?.every(({ is_primary }) => is_primary === false))
      yield about(path, "is of the primary investor, and investors have none; expected an email.");
    return;
  }
  const pairs = pairSigners(investors ?? [], parties);
  const known = (investors ?? parties.filter(mayInvest)).flatMap(
    (investor, index) => investor.email ?? (investors && parties[pairs[index] ?? -1]?.email) ?? [],
  );
  if (known.includes(email)) return;
  const expected = known.length > 0 ? either(known) : "an address that investors have";
  yield about(
    [...path, "email"],
    () => `is ${quoted(email)}, whom investors do not have; expected ${expected}.${didYouMean(email, known)}`,
  );
}
