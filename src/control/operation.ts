import type { Environment, Sandbox } from "../control.ts";
import type { Settings, Values } from "../settings/settings.ts";
import type { Answers } from "./answers.ts";
import type { BodyName, BodyValue } from "./bodies.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

interface Description {
  readonly summary: string;
  /** Left out where the response is empty (204). */
  readonly answer?: keyof Answers;
  /** True where the call creates its answer (201). */
  readonly creates?: true;
  /** The name of the body's schema; left out where the call takes no body. */
  readonly body?: BodyName;
  /** True where the text of a scenario file may be sent in place of a JSON body. */
  readonly yaml?: true;
  /** The parameters of the query; left out where it takes none. */
  readonly query?: Settings;
  /** True where no token is needed. */
  readonly open?: true;
}

/** One call of the admin API, as a command receives it. */
export interface AdminCall<Body = unknown, Query = unknown> {
  readonly sandbox: Sandbox;
  /** The environment in the path; the default one where the path names none. */
  readonly environment: Environment;
  /** The id in the path; empty where there is none. */
  readonly id: string;
  /** The address at which the caller reaches the server. */
  readonly origin: string;
  /** Has the parameters of the operation's `query`. */
  readonly query: Query;
  /** Has the shape of the operation's `body`. */
  readonly body: Body;
}

/** The name of an operation's answer; undefined where the response is empty. */
type AnswerName = keyof Answers | undefined;

/** The content of a response by the name of its answer. */
export type ContentOf<Name extends AnswerName> = Name extends keyof Answers ? Answers[Name] : void;

/** An operation of the admin API. */
export interface AdminOperation<
  Answer extends AnswerName = AnswerName,
  Path extends string = string,
  Body = unknown,
  Query = unknown,
> extends Description {
  readonly method: Method;
  /** Below `/__admin`; a name in braces stands for one segment. */
  readonly path: Path;
  readonly status: 200 | 201 | 204;
  /** The command: returns the content of the response. */
  run(call: AdminCall<Body, Query>): ContentOf<Answer> | Promise<ContentOf<Answer>>;
}

type QueryOf<Row extends Description> = Row extends { readonly query: infer Table extends Settings }
  ? Values<Table>
  : undefined;

type AnswerNameOf<Row extends Description> = Row extends { readonly answer: infer Name extends keyof Answers }
  ? Name
  : undefined;

type BodyOf<Row extends Description> =
  | (Row extends { readonly body: infer Name extends BodyName } ? BodyValue<Name> : undefined)
  | (Row extends { readonly yaml: true } ? string : never);

/** An operation by its method and path, its description and its command. */
export function operation<const Path extends `/${string}`, const Row extends Description>(
  call: `${Method} ${Path}`,
  row: Row,
  run: AdminOperation<AnswerNameOf<Row>, Path, BodyOf<Row>, QueryOf<Row>>["run"],
): AdminOperation<AnswerNameOf<Row>, Path, BodyOf<Row>, QueryOf<Row>> {
  const [method, path] = call.split(" ") as [Method, Path];
  const description: Description = row;
  const { answer, creates } = description;
  const success = creates ? 201 : 200;
  return { ...description, method, path, status: answer === undefined ? 204 : success, run };
}

/** The path of one environment. */
export const one = "/environments/{environment}";

/** Returns the answer that lists items. */
export async function data<Item>(items: Promise<readonly Item[]>): Promise<{ readonly data: readonly Item[] }> {
  return { data: await items };
}
