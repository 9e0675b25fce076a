import { Invalid } from "../refusals.ts";
import { configurableKinds, emailFrequencies, notificationTexts, type Preferences } from "./kinds.ts";
import { type QuietHours, readClock } from "./local-time.ts";

/** @throws Invalid for incomplete quiet hours. */
export function readSettingsForm(form: FormData): { preferences: Partial<Preferences>; quiet: QuietHours | null; timeZone: string } {
  const chosen = configurableKinds.flatMap((kind) => {
    const email = emailFrequencies.find((frequency) => frequency === form.get(`email-${kind}`));
    return email ? [[kind, { onSite: form.has(`site-${kind}`), email, push: form.has(`push-${kind}`) }]] : [];
  });
  return {
    preferences: Object.fromEntries(chosen),
    quiet: form.has("quiet") ? readQuiet(form) : null,
    timeZone: String(form.get("timeZone") ?? ""),
  };
}

function readQuiet(form: FormData): QuietHours {
  const [from, to] = ["quietFrom", "quietTo"].map((name) => readClock(String(form.get(name) ?? "")));
  if (from === undefined || to === undefined) throw new Invalid(notificationTexts.quietWrong, "quietFrom");
  return { from, to };
}
