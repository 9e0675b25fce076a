import { data, Form, useNavigation } from "react-router";
import { clientContext, siteContext } from "#app/context.ts";
import { catchRequestFailure } from "#app/shell/catch-request-failure.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { localPath } from "#app/shell/local-path.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { respondToForm } from "#app/shell/refusals.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, TextInput } from "#app/ui/field.tsx";
import { Mail } from "#app/ui/icons.tsx";
import type { SharedPageHandle } from "#app/ui/personal.tsx";
import { PlainPage } from "#app/ui/plain-page.tsx";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { newsletterTexts } from "#domain/newsletter/newsletter.ts";
import { subscribe } from "#domain/newsletter/subscribers.server.ts";
import type { Route } from "./+types/subscribe-page.ts";

export const handle: SharedPageHandle = { shared: true };

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Stay Updated", path: "/subscribe" });

/** The footer’s form posts here too. Without JavaScript it sends the current page as `back`. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, formLimits.account);
  const email = String(form.get("email") ?? "").slice(0, 300);
  const back = form.has("back") ? localPath(form.get("back")) : null;
  try {
    await subscribe(context.get(siteContext), context.get(clientContext), email);
  } catch (error) {
    return respondToForm(error, ({ message }) => ({ error: message, email, back }));
  }
  if (back !== null) throw redirectWithToast(back, { tone: "success", text: newsletterTexts.checkEmail });
  return data({ confirmation: newsletterTexts.checkEmail, error: null, email: "", back });
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  const [email, back] = [String(form.get("email") ?? ""), form.has("back") ? localPath(form.get("back")) : null];
  return catchRequestFailure(serverAction, { error: newsletterTexts.notSent, email, back });
}

export default function SubscribePage({ actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction === "/subscribe";
  if (!useRoot().site.newsletter) return <PlainPage title="Stay Updated" lead={newsletterTexts.notOffered} />;
  return (
    <PlainPage title="Stay Updated" lead="One email a week with the most-read stories. Unsubscribe anytime.">
      <Form method="post" className="mt-8 flex max-w-[25rem] flex-col gap-5" noValidate>
        <input type="hidden" name="back" value={actionData?.back ?? "/subscribe"} />
        <Field label="Email" error={actionData?.error}>
          <TextInput type="email" name="email" leading={Mail} autoComplete="email" required defaultValue={actionData?.email ?? ""} />
        </Field>
        <Button type="submit" variant="ink" size="lg" busy={busy} className="sm:self-start">
          Subscribe
        </Button>
      </Form>
    </PlainPage>
  );
}
