import type { Settings, Values } from "../settings/settings.ts";
import type { BodyName, BodyValue } from "./bodies.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

declare const content: unique symbol;

/** The type of a response's content, for the compiler and the OpenAPI document. */
export interface TypedResponse<Content> {
  readonly [content]: Content;
}

export function responses<Content>(): TypedResponse<Content> {
  return {} as TypedResponse<Content>;
}

interface Description {
  readonly summary: string;
  /** The type of the response; omitted if it is empty (204). */
  readonly response?: TypedResponse<unknown>;
  /** The media type of a response that is text; omitted for JSON. */
  readonly textType?: string;
  /** True if the call creates its response (201). */
  readonly creates?: true;
  /** The name of the body's schema; omitted if the call does not take a body. */
  readonly body?: BodyName;
  /** The name of the body in messages: `the clock`. Omitted if the handler checks the body. */
  readonly label?: string;
  /** True if the text of a scenario file may replace a JSON body. */
  readonly yaml?: true;
  /** The parameters of the query; omitted if there are none. */
  readonly query?: Settings;
  /** The parameter with which a call is about every environment of the server. */
  readonly allEnvironmentsParameter?: string;
  /** True if the call does not need a token. */
  readonly isPublic?: true;
  /** True for a response with a whole environment: it is sent in pieces, and only a few at once. */
  readonly isLarge?: true;
  /** False for a call without changes. @default true, except for a GET */
  readonly changes?: false;
  /** False if the call does not wait until the environment has caught up with its clock. @default true */
  readonly waits?: false;
  /** True for a command that can be undone, or after which earlier commands still can. */
  readonly keepsUndo?: true;
}

export interface AdminOperation extends Omit<Description, "changes"> {
  readonly method: Method;
  /** The path below `/__admin`; a name in braces is one segment. */
  readonly path: string;
  readonly status: 200 | 201 | 204;
  readonly changes: boolean;
}

/** Creates a row of the table of operations. */
export function operation<const Path extends `/${string}`, const Row extends Description>(
  call: `${Method} ${Path}`,
  row: Row,
): Omit<Row, "changes"> & Pick<AdminOperation, "method" | "status" | "changes"> & { readonly path: Path } {
  const [method, path] = call.split(" ") as [Method, Path];
  const { response, creates, changes }: Description = row;
  const success = creates ? 201 : 200;
  return { ...row, method, path, status: response === undefined ? 204 : success, changes: changes ?? method !== "GET" };
}

/** The content of an operation's response. */
export type ResponseIn<Row extends AdminOperation> = Row extends { readonly response: TypedResponse<infer Content> }
  ? Content
  : void;

/** The query parameters of an operation, all optional. */
export type QueryIn<Row extends AdminOperation> = Row extends { readonly query: infer Table extends Settings }
  ? Partial<Values<Table>>
  : undefined;

export type BodyIn<Row extends AdminOperation> =
  | (Row extends { readonly body: infer Name extends BodyName } ? BodyValue<Name> : undefined)
  | (Row extends { readonly yaml: true } ? string : never);

export const environmentPath = "/environments/{environment}";

/** Returns the paths of an operation: with the id of an environment, and for the default one without an id. */
export function pathsOf({ path }: Pick<AdminOperation, "path">): string[] {
  return path.startsWith(`${environmentPath}/`) ? [path, path.slice(environmentPath.length)] : [path];
}
