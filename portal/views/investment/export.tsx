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
import { filterOf, toQuery } from "./filters.tsx";

/** The maximum page size of the admin API. */
const perPage = 1000;

type Format = "csv" | "json";

/** Saves all matching investments, of every page of the list. Leaving the list cancels the export. */
export function Export() {
  /** The running export; null if none is. */
  const running = useSignal<readonly [format: Format, progress: string] | null>(null);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);

  async function save(format: Format): Promise<void> {
    controller.current = new AbortController();
    const { signal } = controller.current;
    const { order: _order, after: _after, before: _before, ...filter } = filterOf();
    const name = fileName(["investments", environmentId.value, ...Object.values(filter)], format);
    const query = toQuery({ ...filterOf(), before: "" });
    const chunks: string[] = [];
    let savedCount = 0;
    for (let after: string | null = ""; after !== null;) {
      // No change moves an investment to another page of this order.
      const page: InvestmentPage = await call("listInvestments", {
        query: { ...query, order: "create_date", after, limit: perPage },
        signal,
      });
      chunks.push(formatPage[format](page.data, savedCount === 0));
      savedCount += page.data.length;
      after = page.next;
      running.value = [format, `${formatNumber(savedCount)} of ${formatNumber(page.total)} …`];
    }
    if (format === "json") chunks.push("\n]\n");
    download(name, new Blob(chunks));
    showMessage(`${formatCount(savedCount, "investment")} exported to ${name}.`);
  }

  async function startOrCancel(format: Format): Promise<void> {
    if (running.value) return controller.current?.abort();
    running.value = [format, ""];
    const fail = ({ message }: Error): void => {
      if (!controller.current?.signal.aborted) showMessage(message, { isError: true });
    };
    await command(() => save(format), undefined, fail);
    running.value = null;
  }

  const [runningFormat = null, progress = ""] = running.value ?? [];
  return (
    <div class="actions">
      {(["csv", "json"] as const).map((format) => (
        <Button
          key={format}
          disabled={runningFormat !== null && runningFormat !== format}
          onClick={() => void startOrCancel(format)}
        >
          {runningFormat === format ? "Cancel" : `Export ${format.toUpperCase()}`}
        </Button>
      ))}
      <span class="muted" role="status">
        {progress}
      </span>
    </div>
  );
}

const formatPage: Readonly<Record<Format, (data: readonly InvestmentSummary[], isFirst: boolean) => string>> = {
  csv: (data, isFirst) => formatCsv(data.map(flattenInvestors), isFirst),
  json: (data, isFirst) => (isFirst ? "[\n" : ",\n") + data.map((row) => JSON.stringify(row)).join(",\n"),
};

function flattenInvestors({ investors, ...rest }: InvestmentSummary): object {
  return {
    ...rest,
    "investors.name": investors.map(({ name }) => name),
    "investors.email": investors.map(({ email }) => email),
  };
}
