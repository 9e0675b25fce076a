import { Form, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { ConfirmFormDialog } from "#app/ui/dialogs/confirm-form-dialog.tsx";
import { Field, TextInput } from "#app/ui/field.tsx";
import { KeyRound } from "#app/ui/icons.tsx";
import { type ApiKey, type ApiKeyScope, apiKeyDays, apiKeyNameMaxLength } from "#domain/accounts/api-keys/api-key.ts";
import { longDate } from "#domain/dates.ts";
import { CheckboxOption } from "./checkbox-option.tsx";
import { SettingsList, SettingsRow } from "./settings-list.tsx";
import { FormAlert } from "./settings-section.tsx";
import { CurrentPasswordField } from "./sign-in/password-input.tsx";

export type FailedApiKey = {
  values: { name: string; scopes: ApiKeyScope[]; days: number };
  message: string;
  field: string | undefined;
};

const scopeTexts: Record<ApiKeyScope, { label: string; hint: string }> = {
  read: { label: "Read", hint: "Everything you can read, including your messages and drafts." },
  write: { label: "Write", hint: "Publish and edit as you." },
  moderate: { label: "Moderate", hint: "Use your staff permissions." },
};

export function ApiKeyList({ keys, now }: { keys: ApiKey[]; now: number }) {
  if (keys.length === 0) return <p className="text-base text-ink-2">No API keys yet</p>;
  return (
    <SettingsList>
      {keys.map((key) => (
        <ApiKeyRow key={key.id} apiKey={key} now={now} />
      ))}
    </SettingsList>
  );
}

export const removeKeyQuestion = { title: "Remove this key?", confirmLabel: "Remove", danger: true };

export function removeKeyText(name: string): string {
  return `Apps using ${name} will lose access.`;
}

function ApiKeyRow({ apiKey: { id, name, scopes, expiresAt, lastUsedAt }, now }: { apiKey: ApiKey; now: number }) {
  const granted = scopes.map((scope) => scopeTexts[scope].label).join(", ");
  const expiry = `${expiresAt <= now ? "Expired" : "Expires"} ${longDate(expiresAt)}`;
  const lastUse = lastUsedAt === null ? "never used" : `last used ${longDate(lastUsedAt)}`;
  return (
    <SettingsRow icon={KeyRound} title={name} details={`${granted} · ${expiry}, ${lastUse}`}>
      <ConfirmFormDialog
        button={{ children: "Remove", size: "sm", "aria-label": `Remove ${name}` }}
        {...removeKeyQuestion}
        text={removeKeyText(name)}
        action="/account/keys"
        fields={{ step: "remove", id }}
      />
    </SettingsRow>
  );
}

export function NewApiKeyForm({ mayModerate, failed }: { mayModerate: boolean; failed: FailedApiKey | undefined }) {
  const { formMethod, formAction } = useNavigation();
  const error = (field: string) => (failed?.field === field ? failed.message : undefined);
  const isAtField = ["name", "password"].includes(failed?.field ?? "");
  const offered = (["read", "write", "moderate"] as const).filter((scope) => scope !== "moderate" || mayModerate);
  const { name, scopes, days } = failed?.values ?? { name: "", scopes: ["read"], days: 90 };
  return (
    <Form method="post" action="/account/keys" noValidate className="flex max-w-md flex-col gap-5">
      {failed && !isAtField && <FormAlert>{failed.message}</FormAlert>}
      <Field label="Name" id="key-name" hint="For example, the app that uses it" error={error("name")}>
        <TextInput name="name" defaultValue={name} maxLength={apiKeyNameMaxLength} autoComplete="off" />
      </Field>
      <fieldset>
        <legend className="mb-2 text-sm font-medium">Permissions</legend>
        {offered.map((scope) => (
          <CheckboxOption key={scope} name="scopes" value={scope} checked={scopes.includes(scope)} {...scopeTexts[scope]} />
        ))}
      </fieldset>
      <fieldset>
        <legend className="mb-2 text-sm font-medium">Expires after</legend>
        <div className="flex flex-wrap gap-x-6">
          {apiKeyDays.map((each) => (
            <label key={each} className="flex min-h-11 items-center gap-2.5 text-base">
              <input type="radio" name="days" value={each} defaultChecked={each === days} className="size-[18px] accent-accent" />
              {each === 365 ? "1 year" : `${each} days`}
            </label>
          ))}
        </div>
      </fieldset>
      <CurrentPasswordField id="key-password" error={error("password")} />
      <Button
        type="submit"
        icon={KeyRound}
        busy={formMethod === "POST" && formAction === "/account/keys"}
        busyLabel="Creating key..."
        className="self-start max-sm:w-full"
      >
        Create key
      </Button>
    </Form>
  );
}
