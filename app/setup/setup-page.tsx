import { data, Form, useNavigation } from "react-router";
import { withCookies } from "#app/accounts/cookies.ts";
import { withFailureToast } from "#app/accounts/failure-toast.ts";
import { FormAlert, SettingsSection } from "#app/accounts/settings-section.tsx";
import { NewPasswordField } from "#app/accounts/sign-in/new-password-field.tsx";
import { ValidatedField } from "#app/accounts/validated-form.tsx";
import { respondToReadForm, withoutPasswords } from "#app/accounts/validated-form-action.ts";
import { LandingFields } from "#app/admin/settings/landing-fields.tsx";
import { clientContext, siteContext } from "#app/context.ts";
import { type RefusedForm, readTexts } from "#app/forms/refused-form.ts";
import { useCheckedForm } from "#app/forms/use-checked-form.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import type { FrameHandle } from "#app/shell/frame/frame.tsx";
import { Wordmark } from "#app/shell/frame/wordmark.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import { ThemeMenu } from "#app/shell/theme/theme-switch.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Field, TextArea, TextInput } from "#app/ui/field.tsx";
import { Mail, User } from "#app/ui/icons.tsx";
import { Switch } from "#app/ui/switch.tsx";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import type { TestEmailResult } from "#domain/mail/test-email.ts";
import { readSetup, setUpSite } from "#domain/setup/setup.server.ts";
import { setupChecks, setupTexts } from "#domain/setup/setup.ts";
import { SetupInput } from "#domain/setup/setup-input.ts";
import type { Route } from "./+types/setup-page.ts";
import { respondToTestEmail } from "./test-email-action.server.ts";
import { TestEmailSection } from "./test-email-section.tsx";

export const handle: FrameHandle = { frame: "bare" };

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Set up your site" });

export function loader({ url, context }: Route.LoaderArgs) {
  return readSetup(context.get(siteContext), tokenIn(url));
}

type ActionResult = RefusedForm<Partial<Record<string, string>>> & { testEmail?: TestEmailResult };

export async function action({ request, url, context }: Route.ActionArgs) {
  const [site, client, token] = [context.get(siteContext), context.get(clientContext), tokenIn(url)];
  const form = await readForm(request, formLimits.account);
  if (form.get("do") === "test") {
    const values = withoutPasswords(readTexts(form, Object.keys(SetupInput.shape)));
    return data<ActionResult>({ values, errors: {}, testEmail: await respondToTestEmail(form, { site, origin: client, token }) });
  }
  return respondToReadForm<SetupInput>(form, SetupInput, async (input) => {
    const { cookies } = await setUpSite(site, client, token, input);
    return redirectWithToast("/admin", { tone: "success", text: setupTexts.done }, withCookies(cookies));
  });
}

function tokenIn(url: URL): string {
  return url.searchParams.get("token") ?? "";
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withFailureToast<ActionResult>(serverAction);

export default function SetupPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <div className="mx-auto w-full max-w-[60rem] px-5 py-5 sm:px-10 lg:py-7">
      <div className="flex items-center justify-between gap-4">
        <Wordmark className="text-[1.8rem]" />
        <ThemeMenu />
      </div>
      <h1 className="display mt-10 text-d1">Set up your site</h1>
      <p className="mt-1.5 mb-8 text-md text-ink-2">
        This link works for 30 days or until the site has an administrator. You can change everything later.
      </p>
      <SetupForm setup={loaderData} result={actionData} />
    </div>
  );
}

type SetupFormProps = { setup: Route.ComponentProps["loaderData"]; result: ActionResult | undefined };

function SetupForm({ setup: { mailDelivers, allowRegistration, ...settings }, result }: SetupFormProps) {
  const form = useCheckedForm("setup", setupChecks, result, { ...settings, allowRegistration: allowRegistration ? "on" : "" });
  const { values, errors } = form;
  const siteName = form.field("siteName");
  const { state, formMethod } = useNavigation();
  return (
    <Form method="post" {...form.attributes}>
      {errors.form && <FormAlert>{errors.form}</FormAlert>}
      <SettingsSection id="account" title="Your account" text="You’ll be the first administrator.">
        <div className="flex flex-col gap-5">
          <ValidatedField {...form.field("name")} label="Full Name" type="text" icon={User} autoComplete="name" />
          <ValidatedField {...form.field("email")} label="Email" type="email" icon={Mail} autoComplete="email" />
          <NewPasswordField {...form.field("password")} />
        </div>
      </SettingsSection>
      <SettingsSection id="site" title="Your site" text="Shown in browser tabs and search results.">
        <div className="flex flex-col gap-5">
          <Field id={siteName.id} label="Site name" error={siteName.error}>
            <TextInput name={siteName.name} defaultValue={siteName.defaultValue} />
          </Field>
          <Field id="setup-siteDescription" label="Site description" error={errors.siteDescription}>
            <TextArea name="siteDescription" rows={2} defaultValue={values.siteDescription} className="min-h-0!" />
          </Field>
          <Switch
            name="allowRegistration"
            label="Allow new registrations"
            hint="Visitors can create an account."
            defaultChecked={values.allowRegistration === "on"}
          />
        </div>
      </SettingsSection>
      <SettingsSection id="landing" title="Landing page" text="What visitors see first.">
        <LandingFields values={{ ...settings, ...values }} errors={errors} />
      </SettingsSection>
      <div className="flex flex-wrap items-center gap-3 border-t border-line py-9">
        <Button type="submit" variant="primary" size="lg" busy={state !== "idle" && formMethod === "POST"} busyLabel="Setting up...">
          Set up site
        </Button>
        <ButtonLink to="/" variant="ghost" size="lg">
          Skip for now
        </ButtonLink>
      </div>
      <TestEmailSection mailDelivers={mailDelivers} tested={result?.testEmail} />
    </Form>
  );
}
