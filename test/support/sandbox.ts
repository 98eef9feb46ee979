import { Agent, request } from "node:http";
import { inject, onTestFinished } from "vitest";
import { startSandbox, type LocalSandbox, type SandboxOptions } from "../../src/index.ts";
import { keyTypes, type KeyType } from "../../src/model/vocabulary.ts";
import { readAssumptions } from "../../src/settings/values.ts";
import { type ClosedDocument, closedUnder } from "./closed-document.ts";
import { expectConformance } from "./conformance.ts";

/** The sealed `known.json`, whose values tests may rely on: two offerings with investments, one without. */
export const knownFixture = inject("knownFixture");

/** Ids and secrets of the known fixture. */
export const known = {
  aurora: "00000010-0000-4000-8000-000000000001",
  borealis: "00000010-0000-4000-8000-000000000002",
  empty: "00000010-0000-4000-8000-000000000003",
  whole: "00000020-0000-4000-8000-000000000001",
  closed: "00000020-0000-4000-8000-000000000002",
  elsewhere: "00000020-0000-4000-8000-000000000090",
  unknown: "00000099-0000-4000-8000-000000000001",
  keys: {
    marketing: "sandbox_marketing_aurora",
    partner: "sandbox_partner_aurora",
    ungranted: "sandbox_partner_ungranted",
    borealis: "sandbox_partner_borealis",
    empty: "sandbox_partner_empty",
    revoked: "sandbox_partner_revoked",
    atLimit: "sandbox_partner_at_limit",
  },
} as const;

/** A response for a test. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The parsed body; undefined without one, or if it is not JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

/** How a request differs from a GET with the partner key. */
export interface RequestOptions {
  readonly method?: string;
  /** The secret of the key; null sends none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly agent?: Agent | undefined;
}

/** A sandbox of one test, stopped when the test is over. */
export interface TestSandbox {
  readonly sandbox: LocalSandbox;
  /** Sends a request for a path below the base address; checks the response against the closed OpenAPI document. */
  readonly api: (path: string, requestOptions?: RequestOptions) => Promise<TestResponse>;
  /** Sends a request for any path, exactly as written; does not check the response. */
  readonly raw: (path: string, requestOptions?: RequestOptions) => Promise<TestResponse>;
}

/** Starts a sandbox, which is closed when the test is over. */
export async function startForTest(options?: SandboxOptions): Promise<LocalSandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Starts a sandbox with the known fixture, its clock paused at the fixture's present. */
export async function openSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
  const sandbox = await startForTest({ fixture: knownFixture, rateLimit: 0, ...options });
  const document = closedDocument(options);
  return {
    sandbox,
    raw: (path, requestOptions = {}) => send(sandbox.url, path, requestOptions),
    async api(path, requestOptions = {}) {
      const response = await send(sandbox.url, `/api/v1${path}`, requestOptions);
      const { status, headers, text: body } = response;
      expectConformance({
        document,
        method: requestOptions.method ?? "GET",
        path,
        status,
        headers,
        body,
        ...keyTypeOf(requestOptions),
      });
      return response;
    },
  };
}

/** Returns the closed document of a sandbox with these options, which only allows its own responses. */
export function closedDocument({
  profile = "conventional",
  assumptions,
  rateLimit = 0,
}: SandboxOptions): ClosedDocument {
  return closedUnder({ assumptions: readAssumptions(profile, assumptions), rateLimit });
}

/** Connections are reused, because opening one costs as much as a request. */
const pool = new Agent({ keepAlive: true });

export async function send(origin: string, path: string, requestOptions: RequestOptions): Promise<TestResponse> {
  const { method = "GET", key = known.keys.partner, headers = {}, body, agent = pool } = requestOptions;
  const { hostname, port } = new URL(origin);
  return await new Promise((resolve, reject) => {
    const outgoing = request(
      {
        hostname,
        port,
        path,
        method,
        agent,
        headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("error", reject);
        response.on("data", (part: string) => (text += part));
        response.on("end", () => {
          const headerEntries = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const);
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(headerEntries),
            text,
            json: parseJson(text),
          });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Returns the type of the request's key; undefined if its secret does not show it. */
function keyTypeOf({ key = known.keys.partner }: RequestOptions): { keyType?: KeyType } {
  const keyType = keyTypes.find((type) => key?.startsWith(`sandbox_${type}_`));
  return keyType ? { keyType } : {};
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
