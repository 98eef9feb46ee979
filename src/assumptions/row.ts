import { readOrder } from "./precedence.ts";
import { errorTemplates, listTemplates } from "./template.ts";
import type { Count } from "../public/scalars.ts";

/** The forms of values beyond the words of a row, and their types. */
export interface FormTypes {
  readonly text: string;
  readonly "media type": `${string}/${string}`;
  readonly "order of errors": `${string},${string}`;
  readonly "error template": `like:${string}`;
  readonly "list template": `like:${string}`;
}

/** Values of a row beyond its words: integers of a range, or strings of a form. */
export type Accepts = { readonly from: Count; readonly to: Count } | keyof FormTypes;

/** One point where the specification is silent: the question, the possible values, and the value under each profile. */
export interface Row {
  readonly id: string;
  readonly question: string;
  /** The section of the specification with the open question. */
  readonly section: string;
  /** The request that would show the value of the real service: see `offering-sandbox questions`. */
  readonly request: string;
  /** What happens to a client that expects another response. */
  readonly otherwise: string;
  /** Each value with its meaning. */
  readonly values: Readonly<Record<string, string>>;
  /** Other words for the vendor of the service, who knows nothing of this program: see `offering-sandbox questions`. */
  readonly letter?: { readonly question?: string; readonly values?: Readonly<Record<string, string>> };
  readonly accepts?: Accepts;
  /** The values to vary among, by default `values`. "by name": a row varies only where `exec --vary` names it. */
  readonly vary?: readonly (string | number)[] | "by name";
  /** Whether the row decides the form of every response, or a 429: hints omit it while its value is conventional. */
  readonly isForm?: true;
  readonly conventional: string | number;
  /** @default conventional */
  readonly minimal?: string | number;
}

/** A form of values, with its description for messages and an example. */
interface Form {
  readonly description: string;
  readonly example: string | number;
  /** Returns the value to store; undefined for another form. Throws ValidationError for a wrong value of this form. */
  read(value: string): string | number | undefined;
}

/** Patterns for a parameter of a media type, and for its type and subtype. Neither allows the wildcard `*`. */
const [tokenPattern, namePattern] = ["[\\w!#$%&'*+.^`|~-]+", "[\\w!#$&^.+-]+"];
const mediaTypePattern = new RegExp(
  `^${namePattern}/${namePattern}(?: *; *${tokenPattern}=(?:${tokenPattern}|"[\\w !#-[\\]-~]*"))*$`,
);
const otherCharset = /; *charset=(?!"?utf-8"? *(?:;|$))/i;

const textForms: Readonly<Record<keyof FormTypes, Form>> = {
  text: {
    description: "any other text",
    example: "awaiting signature",
    read: (value) => value || undefined,
  },
  "media type": {
    description: "any other media type of up to 100 characters, without a charset or with utf-8",
    example: "application/hal+json; charset=utf-8",
    read: (value) =>
      value.length <= 100 && mediaTypePattern.test(value) && !otherCharset.test(value) ? value : undefined,
  },
  "order of errors": {
    description: "some or all of these in another order, each other one behind its neighbor: 404-path,405,401,400,403",
    example: "404-path,405,401,400,403",
    read: readOrder,
  },
  "error template": {
    description:
      "like: and a JSON object. {status}, {code}, {title}, {detail} and {parameter} in it stand for those of the error: " +
      `within quotes for the text, without quotes for the value. like:{"status":{status},"message":"{detail}"}`,
    example: 'like:{"status":{status},"message":"{detail}"}',
    read: (value) => errorTemplates.read(value),
  },
  "list template": {
    description:
      'like: and a JSON object with "data":"{data}", in which "{page}", "{size}", "{total}", "{pages}" and the links ' +
      '"{self}", "{first}", "{prev}", "{next}" and "{last}" stand for those of the page: ' +
      'like:{"data":"{data}","meta":{"total_count":"{total}"}}',
    example: 'like:{"data":"{data}","meta":{"total_count":"{total}"}}',
    read: (value) => listTemplates.read(value),
  },
};

export function formOf(accepts: Accepts): Form {
  if (typeof accepts === "string") return textForms[accepts];
  const { from, to } = accepts;
  return {
    description: `an integer from ${from} to ${to}`,
    example: to,
    read(value) {
      const number = /^\d{1,4}$/.test(value) ? Number(value) : NaN;
      return number >= from && number <= to ? number : undefined;
    },
  };
}
