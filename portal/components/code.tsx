/**
 * `<CodeBlock text={curl} label="Request as curl" />`: text with a copy button.
 * `<ResponseView title="Preview" {...response} />`: a response of the service with its headers and body; JSON is
 * indented.
 */
import type { ComponentChildren } from "preact";
import { formatNumber } from "../base/format.ts";
import { formatJson } from "../data/service-call.ts";
import { HttpBadge } from "./badge.tsx";
import { Copy } from "./copy.tsx";

interface CodeProps {
  readonly text: string;
  /** The label for screen readers, which stop at the block to scroll it: `Request as curl`. */
  readonly label: string;
  /** The text with markup, shown in place of the plain text. */
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

interface ResponseProps {
  readonly title: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly durationMs?: number;
}

export function ResponseView({ title, status, headers, body, durationMs }: ResponseProps) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <section class="stack" aria-live="polite">
      <h3>
        {title} <HttpBadge status={status} />{" "}
        <small class="muted number">
          {durationMs !== undefined && `${Math.round(durationMs)} ms, `}
          {formatNumber(body.length)} characters
        </small>
      </h3>
      {body !== "" && <CodeBlock text={formatJson(body)} label={`${title}: body`} />}
      <details>
        <summary>{lines.length} headers</summary>
        <CodeBlock text={lines.join("\n")} label={`${title}: headers`} />
      </details>
    </section>
  );
}
