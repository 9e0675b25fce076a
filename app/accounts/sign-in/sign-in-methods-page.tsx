import { Form, useNavigation } from "react-router";
import { AccountLayout, AccountLink } from "#app/accounts/account-layout.tsx";
import { FormAlert } from "#app/accounts/settings-section.tsx";
import { originContext, siteContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import type { FrameHandle } from "#app/shell/frame/frame.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import { answerForm } from "#app/shell/refusals.ts";
import { Button } from "#app/ui/button.tsx";
import type { Icon } from "#app/ui/icon.ts";
import { KeyRound, ShieldCheck } from "#app/ui/icons.tsx";
import { readReview, reviewSignInMethods, type SignInMethods, undecided } from "#domain/accounts/security/sign-in-methods.server.ts";
import { longDate } from "#domain/dates.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import type { Route } from "./+types/sign-in-methods-page.ts";
import { readQuote } from "./quote.server.ts";

export const handle: FrameHandle = { frame: "bare" };

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Review how you sign in" });

export async function loader({ url, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const [quote, signInMethods] = await Promise.all([readQuote(site), readReview(site, url.searchParams.get("token") ?? "")]);
  return { quote, signInMethods };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const site = context.get(siteContext);
  const token = url.searchParams.get("token") ?? "";
  const form = await readForm(request, formLimits.account);
  try {
    await reviewSignInMethods(site, context.get(originContext), token, (id) => form.get(id));
    return redirectWithToast("/login", { tone: "success", text: "Your password has been changed. Please sign in." });
  } catch (error) {
    const signInMethods = await readReview(site, token);
    const kept = signInMethods ? undecided(signInMethods).filter((id) => form.get(id) === "keep") : [];
    const removed = signInMethods ? undecided(signInMethods).filter((id) => form.get(id) === "remove") : [];
    return answerForm(error, ({ message }) => ({ error: message, chosen: { kept, removed } }));
  }
}

export default function SignInMethodsPage({ loaderData: { quote, signInMethods }, actionData }: Route.ComponentProps) {
  const sending = useNavigation().formMethod === "POST";
  if (!signInMethods)
    return (
      <AccountLayout title="Review how you sign in" intro="Your password has been changed. Please sign in." quote={quote}>
        <AccountLink to="/login">Sign In</AccountLink>
      </AccountLayout>
    );
  return (
    <AccountLayout
      title="Review how you sign in"
      intro="Your password has been changed and everyone is signed out. Keep only what you recognize."
      quote={quote}
    >
      <Form method="post" className="mt-7 flex flex-col gap-5">
        {actionData?.error && <FormAlert>{actionData.error}</FormAlert>}
        <Choices signInMethods={signInMethods} chosen={actionData?.chosen ?? { kept: [], removed: [] }} />
        {signInMethods.authenticator && <p className="text-base text-ink-2">Trusted browsers will ask for a code again.</p>}
        <Button type="submit" variant="primary" size="lg" busy={sending} busyLabel="Saving..." className="w-full">
          Continue to sign in
        </Button>
      </Form>
    </AccountLayout>
  );
}

type ChosenMethods = { kept: string[]; removed: string[] };

function Choices({ signInMethods: { passkeys, authenticator }, chosen }: { signInMethods: SignInMethods; chosen: ChosenMethods }) {
  return (
    <>
      {passkeys.map(({ id, name, createdAt }) => (
        <Choice key={id} id={id} icon={KeyRound} name={name} about={`Passkey, added ${longDate(createdAt)}`} chosen={chosen} />
      ))}
      {authenticator?.removable && (
        <Choice
          id="authenticator"
          icon={ShieldCheck}
          name="Authenticator app"
          about={`Added ${longDate(authenticator.addedAt ?? 0)}`}
          chosen={chosen}
        />
      )}
      {authenticator && !authenticator.removable && (
        <div className="rounded-lg border border-line bg-raised px-4 py-3.5">
          <Way icon={ShieldCheck} name="Authenticator app" about="Keep it to sign in with its codes or a backup code." />
        </div>
      )}
    </>
  );
}

type ChoiceProps = { id: string; icon: Icon; name: string; about: string; chosen: ChosenMethods };

function Choice({ id, icon, name, about, chosen }: ChoiceProps) {
  return (
    <fieldset className="rounded-lg border border-line bg-raised px-4 py-3.5">
      <legend className="sr-only">
        {name}, {about}
      </legend>
      <Way icon={icon} name={name} about={about} />
      <div className="mt-2 flex gap-6 pl-8">
        {(["keep", "remove"] as const).map((decision) => (
          <label key={decision} className="flex min-h-11 items-center gap-2.5 text-base">
            <input
              type="radio"
              name={id}
              value={decision}
              required
              defaultChecked={(decision === "keep" ? chosen.kept : chosen.removed).includes(id)}
              className="size-[18px] accent-(--accent)"
            />
            {decision === "keep" ? "Keep" : "Remove"}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Way({ icon: Mark, name, about }: Pick<ChoiceProps, "icon" | "name" | "about">) {
  return (
    <div className="flex gap-3">
      <Mark aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-3" />
      <div className="min-w-0">
        <p className="text-base font-medium wrap-anywhere">{name}</p>
        <p className="text-sm text-ink-2">{about}</p>
      </div>
    </div>
  );
}
