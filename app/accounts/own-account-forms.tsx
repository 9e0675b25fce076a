import type { SubmissionResult } from "@conform-to/react";
import { Form, useNavigation } from "react-router";
import { PasswordField } from "#app/accounts/sign-in/password-field.tsx";
import { Button } from "#app/ui/button.tsx";
import { Mail, User } from "#app/ui/icons.tsx";
import { Switch } from "#app/ui/switch.tsx";
import { emailChangeChecks, passwordChangeChecks, renameChecks } from "#domain/accounts/account.ts";
import { SettingsForm } from "./settings-section.tsx";
import { useAccountForm, ValidatedField } from "./validated-form.tsx";

type Answer = { answer: SubmissionResult | undefined };

export function NameForm({ name: present, answer }: Answer & { name: string }) {
  const [form, { name }] = useAccountForm("change-name", renameChecks, answer, { name: present });
  return (
    <SettingsForm form={form} action="/account?change=name" submit="Change name" busy="Saving...">
      <ValidatedField form={form} field={name} label="Full Name" type="text" icon={User} autoComplete="name" />
    </SettingsForm>
  );
}

export function EmailForm({ answer }: Answer) {
  const [form, { email, password }] = useAccountForm("change-email", emailChangeChecks, answer);
  return (
    <SettingsForm form={form} action="/account?change=email" submit="Change email" busy="Sending the link...">
      <ValidatedField form={form} field={email} label="New email" type="email" icon={Mail} autoComplete="email" />
      <PasswordField form={form} field={password} label="Your password" autoComplete="current-password" />
    </SettingsForm>
  );
}

export function EmailPreferencesForm({ newsletter, sent }: { newsletter: boolean; sent: boolean }) {
  const { formMethod, formAction } = useNavigation();
  const action = "/account?change=email-preferences";
  return (
    <Form method="post" action={action} preventScrollReset className="flex flex-col gap-5">
      <Switch name="newsletter" label="Newsletter" hint="Once a week, the most-read stories." defaultChecked={newsletter} />
      {!sent && <p className="text-sm text-ink-2">Emails from this site aren’t being delivered right now.</p>}
      <Button
        type="submit"
        busy={formMethod === "POST" && formAction === action}
        busyLabel="Saving..."
        className="self-start max-sm:w-full"
      >
        Save
      </Button>
    </Form>
  );
}

export function PasswordForm({ answer }: Answer) {
  const [form, { current, password }] = useAccountForm("change-password", passwordChangeChecks, answer);
  return (
    <SettingsForm form={form} action="/account?change=password" submit="Change password" busy="Changing password...">
      <PasswordField form={form} field={current} label="Current password" autoComplete="current-password" />
      <PasswordField form={form} field={password} label="New password" autoComplete="new-password" />
    </SettingsForm>
  );
}
