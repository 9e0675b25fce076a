import type { RefusedForm } from "#app/forms/refused-form.ts";
import { useCheckedForm } from "#app/forms/use-checked-form.ts";
import { Mail, User } from "#app/ui/icons.tsx";
import { Switch } from "#app/ui/switch.tsx";
import { emailChangeChecks, passwordChangeChecks, renameChecks } from "#domain/accounts/account.ts";
import { OpenedBy, SettingsForm } from "./settings-section.tsx";
import { NewPasswordField } from "./sign-in/new-password-field.tsx";
import { CurrentPasswordField } from "./sign-in/password-input.tsx";
import { ValidatedField } from "./validated-form.tsx";

type ActionResult = { result: RefusedForm<Partial<Record<string, string>>> | undefined };

export function NameForm({ name: present, result }: ActionResult & { name: string }) {
  const form = useCheckedForm("change-name", renameChecks, result, { name: present });
  return (
    <SettingsForm form={form} action="/account?change=name" submit="Change name" busy="Saving...">
      <OpenedBy userId={form.values.userId} />
      <ValidatedField {...form.field("name")} label="Full Name" type="text" icon={User} autoComplete="name" />
    </SettingsForm>
  );
}

export function EmailForm({ result }: ActionResult) {
  const form = useCheckedForm("change-email", emailChangeChecks, result);
  return (
    <SettingsForm form={form} action="/account?change=email" submit="Change email" busy="Sending the link...">
      <ValidatedField {...form.field("email")} label="New email" type="email" icon={Mail} autoComplete="email" />
      <CurrentPasswordField {...form.field("password")} />
    </SettingsForm>
  );
}

export function EmailPreferencesForm({ newsletter, sent }: { newsletter: boolean; sent: boolean }) {
  const form = useCheckedForm("change-email-preferences", {}, undefined);
  return (
    <SettingsForm form={form} action="/account?change=email-preferences" submit="Save" busy="Saving...">
      <OpenedBy />
      <Switch name="newsletter" label="Newsletter" hint="Once a week, the most-read stories." defaultChecked={newsletter} />
      {!sent && <p className="text-sm text-ink-2">Emails from this site aren’t being delivered right now.</p>}
    </SettingsForm>
  );
}

export function PasswordForm({ result }: ActionResult) {
  const form = useCheckedForm("change-password", passwordChangeChecks, result);
  return (
    <SettingsForm form={form} action="/account?change=password" submit="Change password" busy="Changing password...">
      <CurrentPasswordField {...form.field("current")} label="Current password" />
      <NewPasswordField {...form.field("password")} label="New password" />
    </SettingsForm>
  );
}
