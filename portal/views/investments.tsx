import { Page } from "../parts/panel.tsx";

export function Investments() {
  return <Page title="Investments" />;
}
