import { Page } from "../parts/panel.tsx";

export function Faults() {
  return <Page title="Faults" />;
}
