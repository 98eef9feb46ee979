import { render } from "preact";

const root = document.querySelector("#portal");
if (root !== null) render(<p>offering-sandbox</p>, root);
