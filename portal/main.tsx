import { render } from "preact";
import { Shell } from "./shell.tsx";
import { followEnvironment } from "./data/state.ts";

const root = document.querySelector("#portal");
if (root !== null) {
  render(<Shell />, root);
  followEnvironment();
}
