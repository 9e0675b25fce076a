import { data, useSearchParams } from "react-router";
import { clientContext, requireMember, siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Bell, Download } from "#app/ui/icons.tsx";
import { EmailChangeInput, PasswordChangeInput, RenameInput } from "#domain/accounts/account-input.ts";
import { requestEmailChange } from "#domain/accounts/email-change.server.ts";
import { readOwnAccount, renameAccount } from "#domain/accounts/own-account.server.ts";
import { changePassword } from "#domain/accounts/sign-in/passwords.server.ts";
import { sessionCookie } from "#domain/accounts/sign-in/sessions.server.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { readOwnSubscription, setOwnSubscription } from "#domain/newsletter/member-subscription.server.ts";
import { requireSameMember } from "#domain/permissions.ts";
import type { Route } from "./+types/account-page.ts";
import { ConfirmEmailPrompt } from "./confirm-email-prompt.tsx";
import { withCookies } from "./cookies.ts";
import { DeviceList } from "./device-list.tsx";
import { withFailureToast } from "./failure-toast.ts";
import { EmailForm, EmailPreferencesForm, NameForm, PasswordForm } from "./own-account-forms.tsx";
import { PasskeyList } from "./passkey-list.tsx";
import { SecurityLog } from "./security-log.tsx";
import { SettingsLayout } from "./settings-layout.tsx";
import { SettingsSection } from "./settings-section.tsx";
import { respondToAccountForm } from "./validated-form-action.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const [site, member] = [context.get(siteContext), requireMember(context)];
  const { delivers } = site.mail;
  const [account, newsletter] = await Promise.all([readOwnAccount(site, member), readOwnSubscription(site, member)]);
  return { ...account, newsletter, delivers };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const [site, viewer, client] = [context.get(siteContext), context.get(viewerContext), context.get(clientContext)];
  const done = (text: string, headers?: Headers) => redirectWithToast("/account", { tone: "success", text }, headers);
  switch (url.searchParams.get("change")) {
    case "name":
      return respondToAccountForm(request, RenameInput, async ({ name, userId }) => {
        requireSameMember(viewer, userId);
        await renameAccount(site, viewer, name);
        return done("Your name has been changed.");
      });
    case "email":
      return respondToAccountForm(request, EmailChangeInput, async (input) => {
        await requestEmailChange(site, viewer, client, input);
        return done(`A link is on its way to ${input.email}.`);
      });
    case "email-preferences": {
      const chosen = await readForm(request, formLimits.account);
      try {
        requireSameMember(viewer, chosen.get("userId"));
        await setOwnSubscription(site, viewer, chosen.has("newsletter"));
      } catch (error) {
        const { code, message } = refusalOf(error);
        if (code !== "conflict" && code !== "not-allowed") throw error;
        return redirectWithToast("/account", { tone: "error", text: message });
      }
      return done("Your email preferences have been saved.");
    }
    case "password":
      return respondToAccountForm(request, PasswordChangeInput, async (input) => {
        const token = await changePassword(site, viewer, client, input);
        const cookies = token ? [sessionCookie(site, token)] : [];
        return done("Your password has been changed. Your other devices are signed out.", withCookies(cookies));
      });
    default:
      throw data(null, { status: 404 });
  }
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withFailureToast(serverAction);

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Account" });

export default function AccountPage({ loaderData: account, actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const resultOf = (form: string) => (query.get("change") === form ? actionData : undefined);
  return (
    <SettingsLayout title="Account" back={{ to: "/profile", label: "Profile" }}>
      <SettingsSection id="name" title="Name" text="The name we use in emails. Readers see your profile’s display name.">
        <NameForm name={account.name} result={resultOf("name")} />
      </SettingsSection>
      <SettingsSection
        id="address"
        title="Email"
        text={
          <>
            You sign in with <span className="wrap-anywhere font-medium text-ink">{account.email}</span>. Your new address takes effect once
            you open the link we email to it while signed in.
          </>
        }
      >
        <EmailForm result={resultOf("email")} />
      </SettingsSection>
      <SettingsSection id="password" title="Password" text="Changing it signs you out on all other devices.">
        <PasswordForm result={resultOf("password")} />
      </SettingsSection>
      <SettingsSection id="email-preferences" title="Email preferences" text="We always email you about account security.">
        <ButtonLink to="/notifications/settings" icon={Bell} className="mb-6">
          Choose notifications
        </ButtonLink>
        <EmailPreferencesForm newsletter={account.newsletter} sent={account.delivers} />
      </SettingsSection>
      <SettingsSection id="second-step" title="Authenticator app" text="Enter a code from your phone after your password.">
        <p className="text-base text-ink-2">
          {account.secondStep ? "On. You need a code to sign in." : "Off. You sign in with just your password."}
        </p>
        <ButtonLink to="/account/authenticator" className="mt-4">
          {account.secondStep ? "Manage" : "Set up"}
        </ButtonLink>
      </SettingsSection>
      <SettingsSection id="passkeys" title="Passkeys" text="Sign in with your fingerprint, face or security key instead of a password.">
        <PasskeyList
          passkeys={account.passkeys}
          {...(!account.confirmed && { add: <ConfirmEmailPrompt what="Passkeys need" delivers={account.delivers} /> })}
        />
      </SettingsSection>
      <SettingsSection id="devices" title="Devices" text="Where you’re signed in.">
        <DeviceList devices={account.devices} />
      </SettingsSection>
      <SettingsSection id="security-log" title="Security log" text="Account activity from the last 180 days.">
        <SecurityLog entries={account.securityLog} />
      </SettingsSection>
      <SettingsSection id="keys" title="API keys" text="For apps and scripts that use this site on your behalf.">
        <ButtonLink to="/account/keys">Manage</ButtonLink>
      </SettingsSection>
      <SettingsSection id="data" title="Your data" text="A copy of everything you have here.">
        <ButtonLink to="/account/export" icon={Download}>
          Download everything
        </ButtonLink>
      </SettingsSection>
      <SettingsSection id="leave" title="Delete account" text="Permanent. See what will be deleted first.">
        <ButtonLink to="/account/delete" variant="danger">
          Delete my account
        </ButtonLink>
      </SettingsSection>
    </SettingsLayout>
  );
}
