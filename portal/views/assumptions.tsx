import { Page } from "../parts/panel.tsx";

export function Assumptions() {
  return <Page title="Assumptions" />;
}
