import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { InvestmentPage, InvestmentSummary } from "../../../src/public/control.ts";
import { formatCsv } from "../../base/csv.ts";
import { download, fileName } from "../../base/download.ts";
import { formatCount, formatNumber } from "../../base/format.ts";
import { Button } from "../../components/button.tsx";
import { environmentId } from "../../base/routes.ts";
import { call } from "../../data/api.ts";
import { command, showMessage } from "../../data/commands.ts";
import { asQuestion, filterOf } from "./filters.tsx";

/** The maximum page size of the admin API. */
const perPage = 1000;

type Format = "csv" | "json";

/** Saves all matching investments, of every page of the list. Leaving the list cancels. */
export function Export() {
  /** The format of the file that is being made, and how much of it there is. */
  const saving = useSignal<readonly [format: Format, progress: string] | null>(null);
  const underway = useRef<AbortController>(undefined);
  useEffect(() => () => underway.current?.abort(), []);

  async function save(chosen: Format): Promise<void> {
    underway.current = new AbortController();
    const { signal } = underway.current;
    const { order: _order, after: _after, before: _before, ...filter } = filterOf();
    const name = fileName(["investments", environmentId.value, ...Object.values(filter)], chosen);
    const query = asQuestion({ ...filterOf(), before: "" });
    const parts: string[] = [];
    let saved = 0;
    for (let after: string | null = ""; after !== null;) {
      // No change moves an investment to another page of this order.
      const page: InvestmentPage = await call("listInvestments", {
        query: { ...query, order: "create_date", after, limit: perPage },
        signal,
      });
      parts.push(textOf[chosen](page.data, saved === 0));
      saved += page.data.length;
      after = page.next;
      saving.value = [chosen, `${formatNumber(saved)} of ${formatNumber(page.total)} …`];
    }
    if (chosen === "json") parts.push("\n]\n");
    download(name, new Blob(parts));
    showMessage(`${formatCount(saved, "investment")} ${saved === 1 ? "is" : "are"} in ${name}.`);
  }

  async function press(pressed: Format): Promise<void> {
    if (saving.value) return underway.current?.abort();
    saving.value = [pressed, ""];
    await command(
      () => save(pressed),
      undefined,
      ({ message }) => {
        if (!underway.current?.signal.aborted) showMessage(message, { isError: true });
      },
    );
    saving.value = null;
  }

  const [format = null, progress = ""] = saving.value ?? [];
  return (
    <div class="actions">
      {(["csv", "json"] as const).map((one) => (
        <Button key={one} disabled={format !== null && format !== one} onClick={() => void press(one)}>
          {format === one ? "Cancel" : `Export ${one.toUpperCase()}`}
        </Button>
      ))}
      <span class="muted" role="status">
        {progress}
      </span>
    </div>
  );
}

const textOf: Readonly<Record<Format, (data: readonly InvestmentSummary[], isBegin: boolean) => string>> = {
  csv: (data, isBegin) => formatCsv(data.map(flat), isBegin),
  json: (data, isBegin) => (isBegin ? "[\n" : ",\n") + data.map((one) => JSON.stringify(one)).join(",\n"),
};

function flat({ investors, ...rest }: InvestmentSummary): object {
  return {
    ...rest,
    "investors.name": investors.map(({ name }) => name),
    "investors.email": investors.map(({ email }) => email),
  };
}
