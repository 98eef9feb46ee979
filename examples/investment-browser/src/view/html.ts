/** Text that is HTML. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

export type Content = Markup | string | number | false | null | undefined | readonly Content[];

/** A template of HTML: inserted values are escaped unless they are Markup. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(parts.map((part, index) => part + textOf(contents[index])).join(""));
}

function textOf(content: Content): string {
  if (content === false || content === null || content === undefined) return "";
  if (content instanceof Markup) return content.text;
  if (typeof content === "object") return content.map(textOf).join("");
  return String(content).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
