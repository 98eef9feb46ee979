import { Page } from "../parts/panel.tsx";

export function Environments() {
  return <Page title="Environments" />;
}
