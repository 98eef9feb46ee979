import { Button } from "../../parts/button.tsx";
import { download } from "../../download.ts";

/** Saves the text of a scenario as a file of its name. */
export function DownloadScenario({ name, text }: { readonly name: string; readonly text: string }) {
  return <Button onClick={() => download(`${name}.yaml`, new Blob([text]))}>Download</Button>;
}
