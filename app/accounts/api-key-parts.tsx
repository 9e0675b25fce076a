import { Form, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialogs/confirm-dialog.tsx";
import { Field, TextInput } from "#app/ui/field.tsx";
import { KeyRound } from "#app/ui/icons.tsx";
import { type ApiKey, type ApiKeyScope, apiKeyDays, apiKeyNameMaxLength } from "#domain/accounts/api-keys/api-key.ts";
import { longDate } from "#domain/dates.ts";
import { FormAlert } from "./settings-section.tsx";
import { PasswordAgain } from "./sign-in/password-input.tsx";

export type FailedApiKey = {
  typed: { name: string; scopes: ApiKeyScope[]; days: number };
  message: string;
  field: string | undefined;
};

const scopeTexts: Record<ApiKeyScope, [label: string, hint: string]> = {
  read: ["Read", "Everything you can read, including your messages and drafts."],
  write: ["Write", "Publish and edit as you."],
  moderate: ["Moderate", "Use your staff permissions."],
};

export function MadeApiKey({ secret }: { secret: string }) {
  return (
    <section aria-labelledby="made-key" className="mb-9 rounded-lg border border-line bg-raised px-5 py-4" role="status">
      <h2 id="made-key" className="text-base font-medium">
        Copy your new key now
      </h2>
      <p className="mt-1 text-sm text-ink-2">You won’t see it again. Anyone who has it can do what you allowed.</p>
      <code className="mt-3 block wrap-anywhere rounded-md bg-paper px-3 py-2 text-sm select-all">{secret}</code>
    </section>
  );
}

export function ApiKeyList({ keys, now }: { keys: ApiKey[]; now: number }) {
  if (keys.length === 0) return <p className="text-base text-ink-2">No API keys yet</p>;
  return (
    <ul className="rounded-lg border border-line bg-raised">
      {keys.map((key) => (
        <ApiKeyRow key={key.id} apiKey={key} now={now} />
      ))}
    </ul>
  );
}

function ApiKeyRow({ apiKey: { id, name, scopes, expiresAt, lastUsedAt }, now }: { apiKey: ApiKey; now: number }) {
  const end = expiresAt <= now ? `Expired ${longDate(expiresAt)}` : `Expires ${longDate(expiresAt)}`;
  const use = lastUsedAt === null ? "never used" : `last used ${longDate(lastUsedAt)}`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-4 first:border-t-0">
      <KeyRound aria-hidden className="size-5 shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">
        <p className="break-words text-base font-medium">{name}</p>
        <p className="num text-sm text-ink-2">
          {scopes.map((scope) => scopeTexts[scope][0]).join(", ")} · {end}, {use}
        </p>
      </div>
      <ConfirmDialog
        button={{ children: "Remove", size: "sm", "aria-label": `Remove ${name}` }}
        title="Remove this key?"
        text={`Apps using ${name} will lose access.`}
        confirmLabel="Remove"
        danger
        action="/account/keys"
        fields={{ step: "remove", id }}
      />
    </li>
  );
}

export function NewApiKeyForm({ mayModerate, failed }: { mayModerate: boolean; failed: FailedApiKey | undefined }) {
  const { formMethod, formAction } = useNavigation();
  const error = (field: string) => (failed?.field === field ? failed.message : undefined);
  const named = ["name", "password"].includes(failed?.field ?? "");
  const offered = (["read", "write", "moderate"] as const).filter((scope) => scope !== "moderate" || mayModerate);
  const { name, scopes, days } = failed?.typed ?? { name: "", scopes: ["read"], days: 90 };
  return (
    <Form method="post" action="/account/keys" noValidate className="flex max-w-md flex-col gap-5">
      {failed && !named && <FormAlert>{failed.message}</FormAlert>}
      <Field label="Name" id="key-name" hint="For example, the app that uses it" error={error("name")}>
        <TextInput name="name" defaultValue={name} maxLength={apiKeyNameMaxLength} autoComplete="off" />
      </Field>
      <fieldset>
        <legend className="mb-2 text-sm font-medium">It can</legend>
        {offered.map((scope) => (
          <label key={scope} className="flex min-h-11 items-start gap-3 py-1.5">
            <input
              type="checkbox"
              name="scopes"
              value={scope}
              defaultChecked={scopes.includes(scope)}
              className="mt-1 size-[18px] shrink-0 accent-accent"
            />
            <span>
              <span className="block text-base">{scopeTexts[scope][0]}</span>
              <span className="block text-sm text-ink-2">{scopeTexts[scope][1]}</span>
            </span>
          </label>
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
      <PasswordAgain id="key-password" error={error("password")} />
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
