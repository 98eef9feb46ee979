import { Page } from "../../parts/panel.tsx";

export function Scenarios() {
  return <Page title="Scenarios" />;
}
