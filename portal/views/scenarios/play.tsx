import { useSignal } from "@preact/signals";
import { playScenario } from "../../shared/play-scenario.ts";
import { Button, ignoreDoubleClick } from "../../components/button.tsx";
import { Select } from "../../components/field.tsx";
import { Alert, Panel } from "../../components/panel.tsx";
import { to, useParameter } from "../../base/routes.ts";
import { offeringOptions } from "../../data/names.ts";
import { canEdit } from "../../base/token.ts";

interface PlayProps {
/** The name of a scenario, or its YAML. */
readonly scenario: string;
/** The investment of the scenario, in words. */
readonly subject: string;
}

/** The form to play a scenario on its subject. The page of an investment plays a scenario on that investment. */
export function Play({ scenario, subject }: PlayProps) {
const [offeringId, chooseOffering] = useParameter("offering_id");
const problem = useSignal<string | null>(null);
if (!canEdit.value) return null;
const fail = ({ message }: Error): void => void (problem.value = message);
return (
<Panel title="Play scenario">
<div class="stack">
<p>
On {subject}. To play it on another investment, <a href={to("investments")}>open the investment</a>.
</p>
<div class="toolbar">
<Select
label="Offering"
value={offeringId}
onChange={chooseOffering}
options={[["", "The scenario's offering"], ...offeringOptions()]}
/>
<Button
kind="primary"
icon="play"
onClick={ignoreDoubleClick(() => playScenario(scenario, offeringId || undefined, fail))}
>
Play
</Button>
</div>
<Alert text={problem.value} />
</div>
</Panel>
);
}
