import type { ReactNode } from "react";
import { requireMember, siteContext, viewerContext } from "#app/context.ts";
import { useCheckedForm } from "#app/forms/use-checked-form.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Download } from "#app/ui/icons.tsx";
import { deleteAccount } from "#domain/account-deletion/delete-account.server.ts";
import { passwordAskedChecks } from "#domain/accounts/account.ts";
import { PasswordAskedInput } from "#domain/accounts/account-input.ts";
import type { Route } from "./+types/delete-account-page.ts";
import { withCookies } from "./cookies.ts";
import { withFailureToast } from "./failure-toast.ts";
import { SettingsLayout } from "./settings-layout.tsx";
import { SettingsForm, SettingsSection } from "./settings-section.tsx";
import { CurrentPasswordField } from "./sign-in/password-input.tsx";
import { respondToAccountForm } from "./validated-form-action.ts";

export function loader({ context }: Route.LoaderArgs) {
  requireMember(context);
  return null;
}

export function action({ request, context }: Route.ActionArgs) {
  return respondToAccountForm(request, PasswordAskedInput, async ({ password }) => {
    const cookies = await deleteAccount(context.get(siteContext), context.get(viewerContext), password);
    return redirectWithToast("/", { tone: "success", text: "Your account has been deleted. Take care!" }, withCookies(cookies));
  });
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withFailureToast(serverAction);

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Delete your account" });

export default function DeleteAccountPage({ actionData }: Route.ComponentProps) {
  const form = useCheckedForm("delete-account", passwordAskedChecks, actionData);
  return (
    <SettingsLayout title="Delete your account" back={{ to: "/account", label: "Account" }}>
      <SettingsSection id="data" title="Your data" text="This is permanent. Download your data first.">
        <ButtonLink to="/account/export" icon={Download}>
          Download everything
        </ButtonLink>
      </SettingsSection>
      <List id="deleted" title="What we delete">
        <li>Your stories and drafts, with their pictures, likes and bookmarks</li>
        <li>Your conversations, for the other person too, and copies kept because of a report</li>
        <li>Your likes and bookmarks, and who you follow</li>
        <li>Your profile and profile picture</li>
        <li>Your name, email, password, passkeys and devices, and your newsletter subscription</li>
      </List>
      <List id="kept" title="What we keep">
        <li>Other people’s stories and their view counts</li>
        <li>A record of reports and moderation decisions, without your name or words</li>
        <li>Your account ID, so your old profile link can say the account was deleted</li>
        <li>If you’re suspended, a fingerprint of your email until the suspension ends. It can’t be turned back into your email</li>
        <li>Site backups, until they expire</li>
      </List>
      <SettingsSection id="delete" title="Delete" text="Enter your password to delete your account.">
        <SettingsForm form={form} action="/account/delete" submit="Delete my account" busy="Deleting your account..." variant="danger">
          <CurrentPasswordField {...form.field("password")} />
        </SettingsForm>
      </SettingsSection>
    </SettingsLayout>
  );
}

function List({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <SettingsSection id={id} title={title}>
      <ul className="flex list-disc flex-col gap-1.5 pl-5 text-base">{children}</ul>
    </SettingsSection>
  );
}
