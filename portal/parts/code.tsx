/**
 * `<CodeBlock text={curl} label="The call as curl" />`: text as it is, with a copy button. `<Json value={record} />`
 * prints a value.
 */
import type { ComponentChildren } from "preact";
import { Copy } from "./copy.tsx";

interface CodeProps {
  readonly text: string;
  /** The label for screen readers, which stop at the block to scroll it: `The body`. */
  readonly label: string;
  /** The text with marks, shown in place of the plain text. */
  readonly children?: ComponentChildren;
}

export function CodeBlock({ text, label, children }: CodeProps) {
  return (
    <div class="code">
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{children ?? text}</code>
      </pre>
      <Copy text={text} subject={label} />
    </div>
  );
}

export function Json({ value, label }: { readonly value: unknown; readonly label: string }) {
  return <CodeBlock text={JSON.stringify(value, null, 2) ?? ""} label={label} />;
}
