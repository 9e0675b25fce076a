import { Form, useNavigation } from "react-router";
import { AuthLink, AuthPage } from "#app/accounts/auth-page.tsx";
import { FormAlert } from "#app/accounts/settings-section.tsx";
import { clientContext, siteContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { respondToForm } from "#app/shell/refusals.ts";
import { Button } from "#app/ui/button.tsx";
import type { Icon } from "#app/ui/icon.ts";
import { KeyRound, ShieldCheck } from "#app/ui/icons.tsx";
import { readReview, reviewSignInMethods, type SignInMethods, undecided } from "#domain/accounts/security/sign-in-methods.server.ts";
import { longDate } from "#domain/dates.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import type { Route } from "./+types/sign-in-methods-page.ts";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Review how you sign in" });

export async function loader({ url, context }: Route.LoaderArgs) {
  return { signInMethods: await readReview(context.get(siteContext), url.searchParams.get("token") ?? "") };
}

const decisions = { keep: "Keep", remove: "Remove" };
type Decision = keyof typeof decisions;
/** IDs of sign-in methods by decision. */
type Chosen = Record<Decision, string[]>;

export async function action({ request, url, context }: Route.ActionArgs) {
  const site = context.get(siteContext);
  const token = url.searchParams.get("token") ?? "";
  const form = await readForm(request, formLimits.account);
  try {
    await reviewSignInMethods(site, context.get(clientContext), token, (id) => form.get(id));
    return redirectWithToast("/login", { tone: "success", text: "Your password has been changed. Please sign in." });
  } catch (error) {
    const signInMethods = await readReview(site, token);
    const chosen = (decision: Decision) => (signInMethods ? undecided(signInMethods).filter((id) => form.get(id) === decision) : []);
    const values: Chosen = { keep: chosen("keep"), remove: chosen("remove") };
    return respondToForm(error, ({ message }) => ({ error: message, values }));
  }
}

export default function SignInMethodsPage({ loaderData: { signInMethods }, actionData }: Route.ComponentProps) {
  const sending = useNavigation().formMethod === "POST";
  if (!signInMethods)
    return (
      <AuthPage title="Review how you sign in" intro="Your password has been changed. Please sign in.">
        <AuthLink to="/login">Sign In</AuthLink>
      </AuthPage>
    );
  return (
    <AuthPage
      title="Review how you sign in"
      intro="Your password has been changed and everyone is signed out. Keep only what you recognize."
    >
      <Form method="post" className="mt-7 flex flex-col gap-5">
        {actionData?.error && <FormAlert>{actionData.error}</FormAlert>}
        <Choices signInMethods={signInMethods} chosen={actionData?.values ?? { keep: [], remove: [] }} />
        {signInMethods.authenticator && <p className="text-base text-ink-2">Trusted browsers will ask for a code again.</p>}
        <Button type="submit" variant="primary" size="lg" busy={sending} busyLabel="Saving..." className="w-full">
          Continue to sign in
        </Button>
      </Form>
    </AuthPage>
  );
}

function Choices({ signInMethods: { passkeys, authenticator }, chosen }: { signInMethods: SignInMethods; chosen: Chosen }) {
  return (
    <>
      {passkeys.map(({ id, name, createdAt }) => (
        <Choice key={id} id={id} icon={KeyRound} name={name} about={`Passkey, added ${longDate(createdAt)}`} chosen={chosen} />
      ))}
      {authenticator && (
        <Choice
          id="authenticator"
          icon={ShieldCheck}
          name="Authenticator app"
          about={
            authenticator.removable
              ? `Added ${longDate(authenticator.addedAt ?? 0)}`
              : "Keep it to sign in with its codes or a backup code."
          }
          chosen={authenticator.removable ? chosen : undefined}
        />
      )}
    </>
  );
}

/** `chosen`: undefined for a method that has to stay. */
type ChoiceProps = { id: string; icon: Icon; name: string; about: string; chosen: Chosen | undefined };

function Choice({ id, icon: Mark, name, about, chosen }: ChoiceProps) {
  return (
    <fieldset className="rounded-lg border border-line bg-raised px-4 py-3.5">
      <legend className="sr-only">
        {name}, {about}
      </legend>
      <div className="flex gap-3">
        <Mark aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-3" />
        <div className="min-w-0">
          <p className="text-base font-medium wrap-anywhere">{name}</p>
          <p className="text-sm text-ink-2">{about}</p>
        </div>
      </div>
      {chosen && (
        <div className="mt-2 flex gap-6 pl-8">
          {Object.entries(decisions).map(([decision, label]) => (
            <label key={decision} className="flex min-h-11 items-center gap-2.5 text-base">
              <input
                type="radio"
                name={id}
                value={decision}
                required
                defaultChecked={chosen[decision as Decision].includes(id)}
                className="size-[18px] accent-(--accent)"
              />
              {label}
            </label>
          ))}
        </div>
      )}
    </fieldset>
  );
}
