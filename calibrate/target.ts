import { ValidationError } from "../src/validation/errors.ts";
import { isLoopback } from "../src/text/origin.ts";
import { basePath } from "../src/model/operations.ts";
import { isUuid } from "../src/text/text.ts";
import { printError } from "../src/cli/output/terminal.ts";
import { promptLine } from "./real-keys.ts";

const example = "https://demo.example.com/api/v1";

/** Checks the base address of a service. Throws a ValidationError if it is wrong. */
export function serviceUrl(address: string | undefined): URL {
  if (address === undefined)
    throw new ValidationError(`calibrate needs --url: the base address of the service, such as ${example}.`);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url) throw new ValidationError(`--url: expected an address such as ${example}.`);
  if (url.username + url.password !== "")
    throw new ValidationError("--url: expected an address without a user or password.");
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname)))
    throw new ValidationError(
      "--url: expected https: a key is sent along. Only this machine may be requested over http.",
    );
  url.pathname = url.pathname.replace(/\/$/, "");
  if (!url.pathname.endsWith(basePath) || url.search !== "" || url.hash !== "")
    throw new ValidationError(`--url: expected an address that ends in ${basePath}, such as ${example}.`);
  return url;
}

/** Checks the id of an offering. Throws a ValidationError if it is wrong. */
export function offeringId(id: string | undefined): string {
  if (id === undefined)
    throw new ValidationError(
      "calibrate needs --offering: the id of the offering, because no operation lists offerings.",
    );
  if (!isUuid(id))
    throw new ValidationError("--offering: expected an id such as 00000000-0000-4000-8000-000000000001.");
  return id.toLowerCase();
}

/** Asks for consent to requests to a host that is not a demo environment. Throws a ValidationError without consent. */
export async function requireConsent(url: URL): Promise<void> {
  const { hostname } = url;
  if (isLoopback(url.hostname) || /demo|sandbox|test|staging/i.test(hostname)) return;
  const doubt = `${hostname} does not look like a demo environment`;
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new ValidationError(`${doubt}: add --yes if it is the right host.`);
  printError(`${doubt}.`);
  if ((await promptLine("Type its name to continue: ", true)).trim() !== hostname)
    throw new ValidationError("Nothing was sent.");
}
