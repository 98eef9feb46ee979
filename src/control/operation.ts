import type { Settings, Values } from "../settings/settings.ts";
import type { BodyName, BodyValue } from "./bodies.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

declare const content: unique symbol;

/** The type of a response's content, for the compiler and the OpenAPI document. */
export interface Answer<Content> {
  readonly [content]: Content;
}

export function answers<Content>(): Answer<Content> {
  return {} as Answer<Content>;
}

interface Description {
  readonly summary: string;
  /** Left out where the response is empty (204). */
  readonly answer?: Answer<unknown>;
  /** True where the call creates its answer (201). */
  readonly creates?: true;
  /** The name of the body's schema; left out where the call takes no body. */
  readonly body?: BodyName;
  /** The body in a message: `the clock`. Left out where the handler checks the body. */
  readonly label?: string;
  /** True where the text of a scenario file may be sent in place of a JSON body. */
  readonly yaml?: true;
  /** The parameters of the query; left out where it takes none. */
  readonly query?: Settings;
  /** The parameter with which a call is of every environment of the server. */
  readonly beyond?: string;
  /** True where no token is needed. */
  readonly open?: true;
  /** False for a call without changes. @default every call but a GET makes changes */
  readonly changes?: false;
  /** False if the call does not wait until the environment has caught up with its clock. @default true */
  readonly waits?: false;
}

/** An operation of the admin API. */
export interface AdminOperation extends Omit<Description, "changes"> {
  readonly method: Method;
  /** Below `/__admin`; a name in braces stands for one segment. */
  readonly path: string;
  readonly status: 200 | 201 | 204;
  readonly changes: boolean;
}

/** An operation by its method and path, and its description. */
export function operation<const Path extends `/${string}`, const Row extends Description>(
  call: `${Method} ${Path}`,
  row: Row,
): Omit<Row, "changes"> & Pick<AdminOperation, "method" | "status" | "changes"> & { readonly path: Path } {
  const [method, path] = call.split(" ") as [Method, Path];
  const { answer, creates, changes }: Description = row;
  const success = creates ? 201 : 200;
  return { ...row, method, path, status: answer === undefined ? 204 : success, changes: changes ?? method !== "GET" };
}

/** The content of an operation's response. */
export type AnswerIn<Row extends AdminOperation> = Row extends { readonly answer: Answer<infer Content> }
  ? Content
  : void;

/** The parameters of an operation; those of the query may be left out. */
export type QueryIn<Row extends AdminOperation> = Row extends { readonly query: infer Table extends Settings }
  ? Partial<Values<Table>>
  : undefined;

export type BodyIn<Row extends AdminOperation> =
  | (Row extends { readonly body: infer Name extends BodyName } ? BodyValue<Name> : undefined)
  | (Row extends { readonly yaml: true } ? string : never);

/** The path of one environment. */
export const one = "/environments/{environment}";

/** Returns the paths of an operation: of an environment by its id, and of the default one without an id. */
export function pathsOf({ path }: Pick<AdminOperation, "path">): string[] {
  return path.startsWith(`${one}/`) ? [path, path.slice(one.length)] : [path];
}
